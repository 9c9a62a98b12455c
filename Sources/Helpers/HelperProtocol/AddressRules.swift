/// The Internet addresses that are globally reachable, by IANA's registries of special-purpose addresses for IPv4 and IPv6
/// (RFC 6890, as of November 2026), multicast aside.
package enum AddressRules {
  /// - Parameter bytes: 4 or 16, in network order; another count is not global.
  package static func isGlobal(_ bytes: [UInt8]) -> Bool {
    switch bytes.count {
    case 4: isGlobalIPv4(bytes)
    case 16: isGlobalIPv6(bytes)
    default: false
    }
  }

  private static func isGlobalIPv4(_ bytes: [UInt8]) -> Bool {
    globalIPv4.contains { $0.contains(bytes) } || !specialIPv4.contains { $0.contains(bytes) }
  }

  private static func isGlobalIPv6(_ bytes: [UInt8]) -> Bool {
    // IPv4 in IPv6: mapped, by NAT64, by 6to4.
    if mapped.contains(bytes) || translated.contains(bytes) { return isGlobalIPv4(Array(bytes[12...])) }
    if relayed.contains(bytes) { return isGlobalIPv4(Array(bytes[2..<6])) }
    // Nothing else is assigned for global use.
    guard unicast.contains(bytes) else { return false }
    return globalIPv6.contains { $0.contains(bytes) } || !specialIPv6.contains { $0.contains(bytes) }
  }

  private static let mapped = AddressBlock([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96)
  private static let translated = AddressBlock([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96)
  private static let relayed = AddressBlock([0x20, 0x02], 16)
  private static let unicast = AddressBlock([0x20], 3)

  private static let specialIPv4: [AddressBlock] = [
    // This network; private use; shared by carriers; loopback; link-local; private use.
    .init([0], 8), .init([10], 8), .init([100, 64], 10), .init([127], 8), .init([169, 254], 16), .init([172, 16], 12),
    // Protocol assignments; documentation; relays of 6to4; private use.
    .init([192, 0, 0], 24), .init([192, 0, 2], 24), .init([192, 88, 99], 24), .init([192, 168], 16),
    // Benchmarks; documentation, twice; multicast; reserved, with the broadcast address.
    .init([198, 18], 15), .init([198, 51, 100], 24), .init([203, 0, 113], 24), .init([224], 4), .init([240], 4),
  ]

  /// Exceptions among the protocol assignments: anycast of port control and of TURN.
  private static let globalIPv4: [AddressBlock] = [.init([192, 0, 0, 9], 32), .init([192, 0, 0, 10], 32)]

  private static let specialIPv6: [AddressBlock] = [
    // Protocol assignments, Teredo and benchmarks among them; documentation, twice.
    .init([0x20, 0x01, 0], 23), .init([0x20, 0x01, 0x0D, 0xB8], 32), .init([0x3F, 0xFF, 0], 20),
  ]

  /// Exceptions among the protocol assignments.
  private static let globalIPv6: [AddressBlock] = [
    // Anycast of port control, of TURN, of service registration.
    .init([0x20, 0x01, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128),
    .init([0x20, 0x01, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2], 128),
    .init([0x20, 0x01, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3], 128),
    // AMT; AS112; ORCHIDv2; drone identities.
    .init([0x20, 0x01, 0, 3], 32), .init([0x20, 0x01, 0, 4, 0x01, 0x12], 48), .init([0x20, 0x01, 0, 0x20], 28),
    .init([0x20, 0x01, 0, 0x30], 28),
  ]
}

/// Addresses that begin with the same bits.
private struct AddressBlock: Sendable {
  private let prefix: [UInt8]
  private let length: Int

  /// - Parameter prefix: as many bytes as the length needs.
  init(_ prefix: [UInt8], _ length: Int) {
    self.prefix = prefix
    self.length = length
  }

  func contains(_ address: [UInt8]) -> Bool {
    let whole = length / 8
    guard address.starts(with: prefix.prefix(whole)) else { return false }
    let rest = length % 8
    guard rest > 0 else { return true }
    return (address[whole] ^ prefix[whole]) >> UInt8(8 - rest) == 0
  }
}
