/// Graphics that come from a program that a picture may have taken over, on their way to the terminal: one sequence of the
/// protocol that was asked for, and nothing that a terminal would take for another command.
package enum GraphicsCheck {
  /// Bytes of the largest sequence.
  package static let limit = 8 << 20

  package static func passes(_ bytes: [UInt8], _ style: DrawingRequest.Style) -> Bool {
    guard bytes.count <= limit else { return false }
    switch style {
    case .kitty: return isKitty(bytes[...])
    case .iTerm2: return isFramed(bytes[...], "\u{1B}]1337;File=inline=1;", ["\u{7}"], isArgument)
    case .sixel: return isFramed(bytes[...], "\u{1B}P", ["\u{1B}\\"], isSixel)
    case .trueColour, .colours256, .colours16: return false
    }
  }

  /// Any number of `ESC _ G … ESC \`, with new lines between.
  private static func isKitty(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      guard let end = rest.firstRange(of: "\u{1B}\\".utf8),
        isFramed(rest[..<end.upperBound], "\u{1B}_G", ["\u{1B}\\"], isArgument)
      else { return false }
      rest = rest[end.upperBound...].drop { $0 == 0x0A }
    }
    return !bytes.isEmpty
  }

  private static func isFramed(
    _ bytes: ArraySlice<UInt8>, _ start: String, _ ends: [String], _ isAllowed: (UInt8) -> Bool
  ) -> Bool {
    guard bytes.starts(with: start.utf8),
      let end = ends.first(where: { bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }),
      bytes.count >= start.utf8.count + end.utf8.count
    else { return false }
    return bytes.dropFirst(start.utf8.count).dropLast(end.utf8.count).allSatisfy(isAllowed)
  }

  /// Of keys, values, and base64.
  private static func isArgument(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "+/=;,:".utf8.contains(byte)
    }
  }

  private static func isSixel(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) || byte == 0x0A }
}
