/// Strings that a terminal answers with: between `ESC P`, `ESC ]` or `ESC _` and BEL or ST (ECMA-48 §8.3).
enum TerminalString {
  /// True if a terminal may send a string that begins with `byte` behind `ESC introducer`; otherwise a person pressed
  /// Alt with the introducer.
  static func begins(_ introducer: UInt8, with byte: UInt8) -> Bool {
    switch introducer {
    case UInt8(ascii: "]"): (0x30...0x39).contains(byte)
    case UInt8(ascii: "P"): (0x30...0x39).contains(byte) || [0x21, 0x24, 0x2B, 0x3E, 0x7C].contains(byte)
    default: byte == UInt8(ascii: "G")
    }
  }

  /// Decodes a string; `bytes` begin with its introducer and end before BEL or ST.
  static func reply(_ bytes: [UInt8]) -> TerminalReply {
    let text = String(decoding: bytes.dropFirst(2), as: UTF8.self)
    if bytes[1] == UInt8(ascii: "P") {
      guard text.hasPrefix(">|") else { return .other }
      return .version(String(text.unicodeScalars.dropFirst(2).filter { $0.properties.generalCategory != .control }))
    }
    if bytes[1] == UInt8(ascii: "_") { return text.hasPrefix("Gi=31;") ? .graphics(text == "Gi=31;OK") : .other }
    guard let (red, green, blue) = colour(text.dropFirst(3)) else { return .other }
    if text.hasPrefix("11;") { return .background(red, green, blue) }
    return text.hasPrefix("10;") ? .foreground(red, green, blue) : .other
  }

  /// `rgb:RRRR/GGGG/BBBB` of one to four hexadecimal digits each, or `rgba:` and a fourth one (XParseColor(3)).
  private static func colour(_ text: Substring) -> (UInt8, UInt8, UInt8)? {
    guard let colon = text.firstIndex(of: ":"), text[..<colon] == "rgb" || text[..<colon] == "rgba" else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false).map(level)
    guard parts.count >= 3, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
    return (red, green, blue)
  }

  /// One level, brought to 0 to 255.
  private static func level(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.count), let value = UInt32(digits, radix: 16) else { return nil }
    return UInt8(value * 255 / ((1 << (4 * UInt32(digits.count))) - 1))
  }
}
