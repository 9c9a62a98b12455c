/// The characters that XML 1.0 can carry, and the forms of those that mean something.
enum XMLEscaping {
  /// Appends UTF-8 that stands between tags. CR would be read back as LF, so it is always a reference.
  static func appendText(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;", to: &bytes)
      case UInt8(ascii: "<"): append("&lt;", to: &bytes)
      case UInt8(ascii: ">"): append("&gt;", to: &bytes)
      case 0x0D: append("&#13;", to: &bytes)
      default: bytes.append(byte)
      }
    }
  }

  /// Appends UTF-8 that stands in an attribute, between quotes of either kind. TAB and LF would be read back as
  /// spaces, so they are references too.
  static func appendValue(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;", to: &bytes)
      case UInt8(ascii: "<"): append("&lt;", to: &bytes)
      case UInt8(ascii: ">"): append("&gt;", to: &bytes)
      case UInt8(ascii: "'"): append("&apos;", to: &bytes)
      case UInt8(ascii: "\""): append("&quot;", to: &bytes)
      case 0x09: append("&#9;", to: &bytes)
      case 0x0A: append("&#10;", to: &bytes)
      case 0x0D: append("&#13;", to: &bytes)
      default: bytes.append(byte)
      }
    }
  }

  /// Appends character data, escaping no more than XML requires: `>` only in `]]>`.
  static func appendBriefly(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;", to: &bytes)
      case UInt8(ascii: "<"): append("&lt;", to: &bytes)
      case UInt8(ascii: ">") where bytes.suffix(2).elementsEqual("]]".utf8): append("&gt;", to: &bytes)
      case 0x0D: append("&#13;", to: &bytes)
      default: bytes.append(byte)
      }
    }
  }

  /// Appends an attribute value in quotation marks, of the kind that is rarer in it.
  static func appendQuotedBriefly(_ value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    let (single, double) = (UInt8(ascii: "'"), UInt8(ascii: "\""))
    let quote = value.count { $0 == single } > value.count { $0 == double } ? double : single
    bytes.append(quote)
    for byte in value {
      switch byte {
      case UInt8(ascii: ">"): bytes.append(byte)
      case single where quote == double, double where quote == single: bytes.append(byte)
      default: appendValue(CollectionOfOne(byte), to: &bytes)
      }
    }
    bytes.append(quote)
  }

  /// Appends a constant as it is.
  static func append(_ constant: StaticString, to bytes: inout [UInt8]) {
    constant.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  /// XML 1.0, production 2, over scalars (which are never surrogates).
  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  /// True if no byte begins a forbidden scalar: a quick look that is right for nearly every text.
  static func isPlain(_ text: String.UTF8View) -> Bool {
    text.allSatisfy { $0 >= 0x20 && $0 != 0xEF || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }

  /// The text with U+FFFD in the place of what XML cannot carry.
  static func carried(_ text: String) -> String {
    guard !isPlain(text.utf8) else { return text }
    var carried = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { carried.append(isForbidden(scalar) ? "\u{FFFD}" : scalar) }
    return String(carried)
  }
}
