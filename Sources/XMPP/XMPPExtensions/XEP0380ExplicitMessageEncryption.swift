package import Ratchet
package import XML

/// XEP-0380: the method by which a message is encrypted; and the elements of the methods: OMEMO (XEP-0384, all versions),
/// OpenPGP (XEP-0373 and XEP-0027).
package struct MessageEncryption: Equatable {
  package static let namespace: StaticString = "urn:xmpp:eme:0"

  /// The value of `encrypted.scheme` (docs/PROTOCOL.md, "message").
  package let scheme: String
  /// For people.
  let name: String

  /// Words in place of the text.
  package var words: String { "Encrypted with \(name); this message cannot be read here." }

  /// A method with an element of its own.
  private struct Method: Sendable {
    let scheme: String
    let name: String
    let local: StaticString
    let namespace: StaticString

    init(_ scheme: String, _ name: String, _ local: StaticString, _ namespace: StaticString) {
      (self.scheme, self.name, self.local, self.namespace) = (scheme, name, local, namespace)
    }
  }

  private static let methods = [
    Method("omemo", "OMEMO", "encrypted", "eu.siacs.conversations.axolotl"),
    Method("omemo", "OMEMO", "encrypted", "urn:xmpp:omemo:1"),
    Method("omemo", "OMEMO", "encrypted", "urn:xmpp:omemo:2"),
    Method("openpgp", "OpenPGP", "openpgp", "urn:xmpp:openpgp:0"),
    Method("pgp", "OpenPGP", "x", "jabber:x:encrypted"),
  ]

  static let names =
    methods.map { MessagePayload.Name($0.local, $0.namespace) } + [MessagePayload.Name("encryption", namespace)]

  /// The longest namespace and name that are taken from an unknown method, in bytes.
  private static let longestName = 200

  /// The method of an encrypted message; nil if nothing in the message is encrypted. An OMEMO element without a payload
  /// transports keys alone (XEP-0384, section 4.6), whatever the message says of its method.
  static func of(_ message: Element, hasOther: Bool) -> Self? {
    var isEmpty = false
    for child in message.children {
      guard let method = methods.first(where: { child.isNamed($0.local, $0.namespace) }) else { continue }
      if hasContent(child, method) { return Self(scheme: method.scheme, name: method.name) }
      isEmpty = true
    }
    guard !isEmpty, hasOther else { return nil }
    return message.child("encryption", namespace).flatMap(announced)
  }

  /// Words in place of a message that is encrypted by OMEMO and cannot be read.
  package static let unreadableOMEMO = "Encrypted with OMEMO; this message cannot be read here."

  /// Says that a message is encrypted by OMEMO, for clients that cannot read it.
  package static func writeOMEMO(_ version: RatchetVersion, into writer: inout XMLWriter) {
    writer.empty(
      "encryption", xmlns: namespace, attributes: ["namespace": "\(OMEMO.namespace(version))", "name": "OMEMO"])
  }

  private static func hasContent(_ element: Element, _ method: Method) -> Bool {
    method.scheme == "omemo" ? element.children.contains { $0.local == "payload" } : !element.text.isEmpty
  }

  /// The method that an `encryption` element names.
  private static func announced(_ element: Element) -> Self? {
    guard let namespace = element.attribute("namespace"), (1...longestName).contains(namespace.utf8.count) else {
      return nil
    }
    if let known = methods.first(where: { "\($0.namespace)" == namespace }) {
      return Self(scheme: known.scheme, name: known.name)
    }
    if namespace == "urn:xmpp:otr:0" { return Self(scheme: "otr", name: "OTR") }
    let name = element.attribute("name").flatMap { (1...longestName).contains($0.utf8.count) ? $0 : nil }
    return Self(scheme: namespace, name: name ?? namespace)
  }
}
