/// Addresses that others give. The caller decides if one may be fetched.
package enum FileURL {
  static let longest = 4_096

  /// An address as RFC 3986 has it, as far as its characters go: printable ASCII, with a scheme; nil if it is none.
  package static func read(_ text: String) -> String? {
    guard (1...longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8.distance(from: text.startIndex, to: colon) > 0
    else { return nil }
    let hasScheme = text.utf8[..<colon].allSatisfy { schemeLetters.contains($0) }
    return hasScheme && !text.utf8.contains(where: { forbidden.contains($0) }) ? text : nil
  }

  /// True if files can be fetched from such an address.
  package static func isWeb(_ url: String) -> Bool {
    let url = url.lowercased()
    return url.hasPrefix("https://") || url.hasPrefix("http://")
  }

  /// The host of an address, in lower case, without user and port; nil if it has none.
  package static func host(_ url: String) -> String? {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    let host = place.hasPrefix("[") ? place.prefix { $0 != "]" } + "]" : place.prefix { $0 != ":" }
    return host.isEmpty ? nil : host.lowercased()
  }

  /// The port of an address of https; nil for any other scheme, or if it is no port.
  package static func securePort(_ url: String) -> UInt16? {
    guard url.lowercased().hasPrefix("https://"), let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    guard let colon = place.lastIndex(of: ":"), place[colon...].firstIndex(of: "]") == nil else { return 443 }
    let port = place[colon...].dropFirst()
    return port.isEmpty ? 443 : UInt16(port)
  }

  private static let schemeLetters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.".utf8)
  private static let forbidden = Set("<>\"\\^`{|}".utf8)
}
