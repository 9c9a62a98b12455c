package import XML
import XMPPCore

/// XEP-0172: the name by which somebody wants to be known. It proves nothing: anybody can use any name.
package enum Nickname {
  package static let namespace: StaticString = "http://jabber.org/protocol/nick"
  /// The node on which an account publishes its nickname.
  package static let node = "\(namespace)"
  package static let itemID = "current"
  /// The most scalars of one.
  package static let longest = 200

  /// The nickname in a `<nick/>`, clean; nil: it is none.
  package static func of(_ element: Element) -> String? {
    element.isNamed("nick", namespace) ? clean(element.text) : nil
  }

  /// The nickname that stands in a stanza, such as a subscription request.
  package static func inside(_ stanza: Element) -> String? { stanza.child("nick", namespace).flatMap { of($0) } }

  /// A text as a nickname: without controls, line breaks and bidi characters, without white space around it, and not
  /// longer than `longest`; nil: nothing is left to be seen, or it is an address, which could be somebody else's.
  package static func clean(_ text: String) -> String? {
    let scalars = text.unicodeScalars.lazy.filter { !isForbidden($0) }
    let kept = scalars.drop { $0.properties.isWhitespace }.prefix(longest)
    var result = String.UnicodeScalarView(kept)
    while result.last?.properties.isWhitespace == true { result.removeLast() }
    guard result.contains(where: { !$0.properties.isDefaultIgnorableCodePoint }) else { return nil }
    let nickname = String(result)
    return nickname.contains("@") && (try? JID(nickname)) != nil ? nil : nickname
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }

  /// Writes the `<nick/>`; empty, it takes the nickname back.
  package static func write(_ nickname: String, into writer: inout XMLWriter) {
    writer.element("nick", xmlns: namespace, text: nickname)
  }
}
