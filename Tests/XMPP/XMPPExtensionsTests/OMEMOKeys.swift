import Ratchet
import Testing
import XML

@testable import XMPPExtensions

/// Keys of two devices, always the same.
enum OMEMOKeys {
  /// Bytes that a number gives, always the same.
  static func random(_ seed: UInt8) -> RandomBytes {
    { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ Int(seed) &* 11 &+ 5) } }
  }

  static func identity(_ seed: UInt8 = 1) throws -> OwnIdentity { try OwnIdentity(random: random(seed)) }

  static func bundle(_ version: RatchetVersion, preKeys: UInt32 = 3) throws -> DeviceBundle {
    let identity = try identity()
    let signed = try SignedPreKey(id: 9, by: identity, random: random(2))
    let keys = try (1...preKeys).map { try PreKey(id: $0, random: random(UInt8(truncatingIfNeeded: $0 + 2))) }
    return DeviceBundle(version, identity.key, signed, keys)
  }
}

/// What writes itself, as an element.
func written(_ write: (inout XMLWriter) -> Void) throws -> Element {
  var writer = XMLWriter()
  write(&writer)
  return try element(writer.bytes)
}
