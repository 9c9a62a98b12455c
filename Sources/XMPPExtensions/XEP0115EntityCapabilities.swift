import Bytes
package import Crypto
package import XML
import XMPPCore

/// XEP-0115: what an entity can do, as a hash in its presence.
package struct EntityCapabilities: Sendable, Hashable {
  /// Which software.
  package var node: String
  /// The hash over what it says of itself.
  package var ver: String
  /// As it came: `sha-1`, or another.
  package var hash: String

  package init(node: String, ver: String, hash: String = "sha-1") {
    (self.node, self.ver, self.hash) = (node, ver, hash)
  }

  /// Reads those of a presence; nil where there are none, and for the form without a hash, which cannot be checked.
  package init?(of presence: Element) {
    guard let element = presence.child("c", Namespace.caps), let node = element.attribute("node"),
      let ver = element.attribute("ver"), let hash = element.attribute("hash")
    else { return nil }
    self.init(node: node, ver: ver, hash: hash)
  }

  /// Our own; nil only where there is no SHA-1.
  package static func own(_ context: ExtensionContext) -> EntityCapabilities? {
    verification(of: Registry.info(context), .sha1).map { EntityCapabilities(node: context.capsNode, ver: $0) }
  }

  /// Writes the `<c/>` of a presence.
  package func write(into writer: inout XMLWriter) {
    writer.empty("c", xmlns: Namespace.caps, attributes: ["hash": hash, "node": node, "ver": ver])
  }

  /// The node to ask for what the hash stands for (section 6.2).
  package var discoNode: String { "\(node)#\(ver)" }

  /// Whether what an entity says of itself is what its hash stands for (section 5.4). Only then it may be kept for
  /// everybody with the same hash; otherwise it holds for that one address alone.
  package func isConfirmed(by info: DiscoInfo) -> Bool {
    let algorithms: [String: HashAlgorithm] = ["sha-1": .sha1, "sha-256": .sha256, "sha-512": .sha512]
    guard let algorithm = algorithms[hash] else { return false }
    return Self.verification(of: info, algorithm) == ver
  }

  /// The verification string (section 5.1); nil where what the entity says is ill-formed (section 5.4).
  package static func verification(of info: DiscoInfo, _ algorithm: HashAlgorithm) -> String? {
    guard let input = hashInput(of: info), let hash = try? Digest.hash(input, algorithm) else { return nil }
    return Base64.encode(hash)
  }
}

// MARK: The string that is hashed

extension EntityCapabilities {
  /// Nil where the information is ill-formed. So is any that holds the separator itself: it could be made to look like
  /// something else with the same hash (sections 9.2 and 9.3).
  private static func hashInput(of info: DiscoInfo) -> [UInt8]? {
    let identities = info.identities.map {
      "\($0.category)/\($0.type)/\($0.language ?? "")/\($0.name ?? "")"
    }
    guard let forms = formParts(of: info), hasNoDoubles(identities), hasNoDoubles(info.features) else { return nil }
    let parts = sorted(identities) + sorted(info.features) + forms
    guard parts.allSatisfy({ !$0.utf8.contains(UInt8(ascii: "<")) }) else { return nil }
    return parts.reduce(into: []) { bytes, part in
      bytes += Array(part.utf8)
      bytes.append(UInt8(ascii: "<"))
    }
  }

  /// The forms that count: those with a hidden FORM_TYPE. Nil where two have the same, or one has two.
  private static func formParts(of info: DiscoInfo) -> [String]? {
    var typed: [(type: String, form: DiscoInfo.Form)] = []
    for form in info.forms {
      let types = form.fields.filter { $0.name == "FORM_TYPE" && $0.type == "hidden" }.flatMap(\.values)
      guard let type = types.first else { continue }
      guard types.allSatisfy({ $0.utf8.elementsEqual(type.utf8) }) else { return nil }
      typed.append((type, form))
    }
    guard hasNoDoubles(typed.map(\.type)) else { return nil }
    typed.sort { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
    return typed.flatMap { [$0.type] + fieldParts(of: $0.form) }
  }

  private static func fieldParts(of form: DiscoInfo.Form) -> [String] {
    form.fields.filter { $0.name != "FORM_TYPE" }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .flatMap { [$0.name] + sorted($0.values) }
  }

  /// By bytes ("i;octet"), never by what String compares.
  private static func sorted(_ texts: [String]) -> [String] {
    texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func hasNoDoubles(_ texts: [String]) -> Bool { Set(texts.map { Array($0.utf8) }).count == texts.count }
}
