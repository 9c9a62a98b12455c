/// Control characters that have a meaning of their own in what a terminal sends (ECMA-48 §8.3).
enum ASCII {
  static let bell: UInt8 = 0x07
  static let cancel: UInt8 = 0x18
  static let substitute: UInt8 = 0x1A
  static let escape: UInt8 = 0x1B
}

extension Key {
  /// The key that sends a byte below 0x80.
  init?(ascii byte: UInt8) {
    switch byte {
    case 0x09: self.init(.tab)
    case 0x0D: self.init(.enter)
    case ASCII.escape: self.init(.escape)
    case 0x7F: self.init(.backspace)
    case 0x00: self.init(.character(" "), .control)
    case 0x01...0x1A: self.init(.character(Character(UnicodeScalar(byte + 0x60))), .control)
    case 0x1C...0x1F: self.init(.character(Character(UnicodeScalar(byte + 0x40))), .control)
    case 0x20...0x7E: self.init(.character(Character(UnicodeScalar(byte))))
    default: return nil
    }
  }

  func adding(_ more: Modifiers) -> Key { Key(code, modifiers.union(more)) }
}

/// Decodes UTF-8 byte by byte, strictly (RFC 3629 §4); bytes that are none are dropped.
struct ScalarDecoder {
  private var value: UInt32 = 0
  private var missing = 0
  /// The smallest value that needs as many bytes: anything below is written too long.
  private var smallest: UInt32 = 0

  /// A character has begun.
  var isHalf: Bool { missing > 0 }

  /// Takes a byte from 0x80 on, and gives the character that it ends; never a control character.
  mutating func take(_ byte: UInt8) -> Character? {
    if byte & 0xC0 != 0x80 {
      begin(byte)
      return nil
    }
    guard missing > 0 else { return nil }
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    guard missing == 0, value >= max(smallest, 0xA0) else { return nil }
    return UnicodeScalar(value).map(Character.init)
  }

  private mutating func begin(_ byte: UInt8) {
    switch byte {
    case 0xC2...0xDF: (value, missing, smallest) = (UInt32(byte & 0x1F), 1, 0x80)
    case 0xE0...0xEF: (value, missing, smallest) = (UInt32(byte & 0x0F), 2, 0x800)
    case 0xF0...0xF4: (value, missing, smallest) = (UInt32(byte & 0x07), 3, 0x10000)
    default: missing = 0
    }
  }
}
