import Bytes
package import Ratchet
package import XML

/// XEP-0384: names, numbers and texts of both versions.
package enum OMEMO {
  /// Devices of one list that are read; further ones are passed over.
  package static let mostDevices = 200
  /// Numbers of devices (section 5.1).
  package static let deviceIDs: ClosedRange<UInt32> = 1...0x7FFF_FFFF
  /// The only item of a node that has one.
  package static let currentItem = "current"

  package static func namespace(_ version: RatchetVersion) -> StaticString {
    version == .legacy ? "eu.siacs.conversations.axolotl" : "urn:xmpp:omemo:2"
  }

  /// The node with the list of an account's devices.
  package static func deviceNode(_ version: RatchetVersion) -> String {
    version == .legacy ? "eu.siacs.conversations.axolotl.devicelist" : "urn:xmpp:omemo:2:devices"
  }

  /// The node with the bundle of a device: of its own in legacy.
  package static func bundleNode(_ version: RatchetVersion, of device: UInt32) -> String {
    version == .legacy ? "eu.siacs.conversations.axolotl.bundles:\(device)" : "urn:xmpp:omemo:2:bundles"
  }

  /// The item with the bundle of a device.
  package static func bundleItem(_ version: RatchetVersion, of device: UInt32) -> String {
    version == .legacy ? currentItem : "\(device)"
  }

  /// Options of the nodes: everybody may read them. The node of omemo:2's bundles has to keep all of them, which not
  /// every server allows to be said while publishing.
  package static let options = NodeOptions(.open)
  package static let bundleOptions = NodeOptions(.open, mostItems: "max")

  /// The version of an `encrypted` element, a device list or a bundle, by its namespace.
  package static func version(of element: Element) -> RatchetVersion? {
    RatchetVersion.allCases.first { element.isIn(namespace($0)) }
  }

  /// Reads the number of a device.
  static func deviceID(_ text: String?) -> UInt32? { number(text).flatMap { deviceIDs.contains($0) ? $0 : nil } }

  /// Reads the number of a pre-key.
  static func preKeyID(_ text: String?) -> UInt32? {
    number(text).flatMap { $0 <= PreKeyID.largestOfOthers ? $0 : nil }
  }

  private static func number(_ text: String?) -> UInt32? {
    guard let text, text.utf8.count <= 10, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt32(text)
  }

  /// Reads base64 with white space in it, as old clients write it; nil: it is none, or has more than `most` bytes.
  static func bytes(of element: Element?, most: Int) -> [UInt8]? {
    guard let text = element?.text else { return nil }
    let characters = text.utf8.filter { $0 > 0x20 }
    guard characters.count <= (most + 2) / 3 * 4, let bytes = Base64.decode(characters), bytes.count <= most else {
      return nil
    }
    return bytes
  }
}
