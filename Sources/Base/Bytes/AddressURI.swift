/// RFC 5122: an address as a URI, such as `xmpp:bob@example.org?message`.
package enum AddressURI {
  /// The address in such a URI, its escapes decoded, without an account in front and without query and fragment; any other
  /// text, and a URI that is malformed, as it is. No address begins with `xmpp:` (RFC 7622, section 3.3.1).
  package static func address(in text: String) -> String {
    guard text.utf8.count >= 5, text.prefix(5).lowercased() == "xmpp:" else { return text }
    var path = text.utf8.dropFirst(5).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if path.starts(with: "//".utf8) {
      path = path.dropFirst(2).drop { $0 != UInt8(ascii: "/") }.dropFirst()
    }
    return decoded(path).flatMap { $0.isEmpty ? nil : $0 } ?? text
  }

  /// The query of such a URI (XEP-0147), such as `join;password=secret`: its type, and its keys with their values, escapes
  /// decoded; of a key that is there twice the first counts. Nil if there is none, or if it is malformed.
  package static func query(in text: String) -> (type: String, values: [String: String])? {
    guard text.prefix(5).lowercased() == "xmpp:" else { return nil }
    let query = text.utf8.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    let parts = query.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let type = parts.first.flatMap({ decoded($0) }), !type.isEmpty else { return nil }
    var values: [String: String] = [:]
    for part in parts.dropFirst() {
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let key = decoded(sides[0]), let value = decoded(sides[1]) else { continue }
      values[key] = values[key] ?? value
    }
    return (type, values)
  }

  private static func decoded(_ path: Substring.UTF8View) -> String? {
    var (bytes, rest) = ([UInt8](), path)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let digits = String(rest.prefix(2)), digits.count == 2, !digits.contains("+"), !digits.contains("-"),
        let value = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
