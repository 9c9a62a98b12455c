import Glibc

/// `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`, checked in shape; nothing is looked up.
enum Endpoint {
  /// Reads a host's name or address with its port.
  static func parse(_ text: String, defaultPort: UInt16) -> HostPort? {
    guard let (host, rest, isBracketed) = split(text) else { return nil }
    guard let port = rest.isEmpty ? defaultPort : port(rest.utf8.dropFirst()) else { return nil }
    guard isBracketed ? isIPv6(host) : isIPv4(host) || isName(host) else { return nil }
    return HostPort(host: host, port: port)
  }

  /// The host without brackets; the rest is empty or begins with a colon.
  private static func split(_ text: String) -> (host: String, rest: Substring, isBracketed: Bool)? {
    guard text.utf8.first == UInt8(ascii: "[") else {
      let end = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
      return (String(text[..<end]), text[end...], false)
    }
    guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let rest = text[text.utf8.index(after: end)...]
    guard rest.isEmpty || rest.utf8.first == UInt8(ascii: ":") else { return nil }
    return (String(text[text.utf8.index(after: text.startIndex)..<end]), rest, true)
  }

  /// 1 to 65535 in at most five digits, without a sign.
  private static func port(_ digits: Substring.UTF8View) -> UInt16? {
    guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt16(Substring(digits)).flatMap { $0 > 0 ? $0 : nil }
  }

  /// An IPv4 address in four decimal parts.
  static func isIPv4(_ text: String) -> Bool {
    var address = in_addr()
    return unsafe inet_pton(AF_INET, text, &address) == 1
  }

  /// An IPv6 address without brackets and zone.
  static func isIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    return unsafe inet_pton(AF_INET6, text, &address) == 1
  }

  /// A name for the DNS: labels of 1 to 63 letters, digits, hyphens and underscores, 253 bytes in all, with or without
  /// a final dot. Which characters beyond ASCII are letters, and of which length, IDNA decides. The last label is no number (RFC 3696, section 2): that would be a mistyped address.
  private static func isName(_ text: String) -> Bool {
    let name = text.utf8.last == UInt8(ascii: ".") ? text.utf8.dropLast() : text.utf8[...]
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard name.count <= 253, labels.allSatisfy(isLabel), let last = labels.last else { return false }
    return !last.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isLabel(_ label: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { $0 >= 0x80 || Characters.isNamePart($0) }
  }
}

/// Names that mean something to Tor alone, and are never to be looked up (RFC 7686).
package enum OnionName {
  package static func matches(_ host: String) -> Bool {
    host.split(separator: ".").last?.lowercased() == "onion"
  }
}

/// Sets of ASCII bytes.
enum Characters {
  /// A letter, a digit, `-` or `_`.
  static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
