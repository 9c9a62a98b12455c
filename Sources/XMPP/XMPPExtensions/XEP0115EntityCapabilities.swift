import Bytes
import Crypto
package import XML
import XMPPCore

/// XEP-0115: what this client can do, as a hash in its presence.
package struct EntityCapabilities: Sendable, Hashable {
  /// The software.
  package var node: String
  /// The verification string, by SHA-1.
  package var ver: String

  /// Our own; nil only where there is no SHA-1.
  package static func own(_ context: ExtensionContext) -> EntityCapabilities? {
    verification(of: Registry.info(context)).map { EntityCapabilities(node: context.capsNode, ver: $0) }
  }

  /// Writes the `<c/>` of a presence.
  package func write(into writer: inout XMLWriter) {
    writer.empty("c", xmlns: Namespace.caps, attributes: ["hash": "sha-1", "node": node, "ver": ver])
  }

  /// The node to ask for what the hash stands for (section 6.2).
  package var discoNode: String { "\(node)#\(ver)" }

  /// The verification string (section 5.1) of what has no forms; nil only where there is no SHA-1.
  package static func verification(of info: DiscoInfo) -> String? {
    let identities = info.identities.map { "\($0.category)/\($0.type)/\($0.language ?? "")/\($0.name ?? "")" }
    let input = (sorted(identities) + sorted(info.features)).flatMap { Array($0.utf8) + [UInt8(ascii: "<")] }
    return (try? Digest.hash(input, .sha1)).map { Base64.encode($0) }
  }

  /// By bytes ("i;octet"), never by what String compares.
  private static func sorted(_ texts: [String]) -> [String] {
    texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension EntityCapabilities {
  private static let longest = 1_024

  /// Those in a presence; nil: there are none by SHA-1.
  package init?(in presence: Element) {
    guard let c = presence.onlyChild("c", Namespace.caps), c.attribute("hash", equals: "sha-1"),
      let node = c.attribute("node"), let ver = c.attribute("ver"), (1...Self.longest).contains(node.utf8.count),
      (1...Self.longest).contains(ver.utf8.count)
    else { return nil }
    self.init(node: node, ver: ver)
  }
}
