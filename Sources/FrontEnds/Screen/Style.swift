/// A colour of a cell, as the scheme says it; the painter brings it to what the terminal has.
package enum Colour: Hashable, Sendable {
  /// The terminal's own.
  case standard
  /// One of the 16 that the terminal's user has chosen.
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// The appearance of a cell beside its text.
package struct Style: Hashable, Sendable {
  /// Renditions beside the colours (ECMA-48 §8.3.117).
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let italic = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
    package static let reverse = Attributes(rawValue: 16)
    package static let strike = Attributes(rawValue: 32)
  }

  /// Both colours and the attributes in one number, because all cells of a screen are compared for each frame.
  private var bits: UInt64

  package var foreground: Colour {
    get { Colour(bits: UInt32(truncatingIfNeeded: bits) & Colour.mask) }
    set { bits = bits & ~UInt64(Colour.mask) | UInt64(newValue.bits) }
  }

  package var background: Colour {
    get { Colour(bits: UInt32(truncatingIfNeeded: bits >> 26) & Colour.mask) }
    set { bits = bits & ~(UInt64(Colour.mask) << 26) | UInt64(newValue.bits) << 26 }
  }

  package var attributes: Attributes {
    get { Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> 52)) }
    set { bits = bits & ~(0xFF << 52) | UInt64(newValue.rawValue) << 52 }
  }

  package init(_ foreground: Colour = .standard, on background: Colour = .standard, _ attributes: Attributes = []) {
    bits = UInt64(foreground.bits) | UInt64(background.bits) << 26 | UInt64(attributes.rawValue) << 52
  }

  package static let plain = Style()
}

extension Colour {
  /// 26 bits.
  fileprivate static let mask: UInt32 = 0x3FF_FFFF

  fileprivate var bits: UInt32 {
    switch self {
    case .standard: 0
    case .indexed(let index): 1 << 24 | UInt32(index)
    case .rgb(let red, let green, let blue): 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }
  }

  fileprivate init(bits: UInt32) {
    switch bits >> 24 {
    case 0: self = .standard
    case 1: self = .indexed(UInt8(truncatingIfNeeded: bits))
    default:
      self = .rgb(
        UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits))
    }
  }
}
