import Syscalls

/// Names that may be asked for, and those that need no asking.
enum HostName {
  /// Without its one final dot; nil if DNS cannot carry it: empty, longer than 253 bytes, an empty label or one
  /// over 63 bytes, or anything but ASCII letters, digits, hyphen and underscore.
  static func checked(_ name: String) -> String? {
    let bare = name.hasSuffix(".") ? String(name.dropLast()) : name
    let labels = bare.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard bare.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.count) && $0.allSatisfy(isAllowed) }) else {
      return nil
    }
    return bare
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// `localhost` and what is under it never leave the machine (RFC 6761, section 6.3).
  static func isLocal(_ name: String) -> Bool {
    let lower = name.lowercased()
    return lower == "localhost" || lower.hasSuffix(".localhost")
  }

  /// Names under `.onion` are never looked up: the query would reveal the destination (RFC 7686, section 2).
  static func isOnion(_ name: String) -> Bool { name.lowercased().hasSuffix(".onion") }

  /// The loopback address of a family.
  static func loopback(_ family: AddressFamily) -> HostAddress {
    switch family {
    case .v4: HostAddress(bytes: [127, 0, 0, 1], scope: 0)
    case .v6: HostAddress(bytes: [UInt8](repeating: 0, count: 15) + [1], scope: 0)
    }
  }

  /// The answer for an address literal; nil if the name is none.
  static func literal(_ name: String, _ family: AddressFamily) -> AddressAnswer? {
    guard let address = InternetAddress(literal: name, port: 0) else { return nil }
    guard address.isIPv6 == (family == .v6) else { return AddressAnswer.none }
    return .addresses([HostAddress(bytes: address.bytes, scope: address.scope)])
  }
}
