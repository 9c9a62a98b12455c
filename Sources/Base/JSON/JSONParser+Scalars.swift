// MARK: - Numbers

extension JSONParser {
  /// A number; whole ones that fit are integers.
  mutating func number() throws(JSONError) -> JSONValue {
    let start = index
    if try peek() == UInt8(ascii: "-") { index += 1 }
    try integerPart()
    let isWhole = try !fractionAndExponent()
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw .numberOutOfRange(offset: start) }
    return .number(number)
  }

  private mutating func integerPart() throws(JSONError) {
    if try peek() == UInt8(ascii: "0") {
      index += 1
    } else {
      try digits()
    }
  }

  /// True when there was a fraction or an exponent.
  private mutating func fractionAndExponent() throws(JSONError) -> Bool {
    let start = index
    if index < end, bytes[index] == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      let sign = try peek()
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return index > start
  }

  /// One digit at least.
  private mutating func digits() throws(JSONError) {
    guard (0x30...0x39).contains(try peek()) else { throw .unexpected(offset: index) }
    while index < end, (0x30...0x39).contains(bytes[index]) { index += 1 }
  }
}

// MARK: - Strings

extension JSONParser {
  /// A string from its opening quote to its closing one; one copy where nothing is escaped.
  mutating func string() throws(JSONError) -> String {
    index += 1
    var start = index
    var decoded: [UInt8] = []
    while true {
      switch try peek() {
      case UInt8(ascii: "\""):
        let text = try text(decoded, start..<index)
        index += 1
        return text
      case UInt8(ascii: "\\"):
        decoded.append(contentsOf: bytes[start..<index])
        try escape(into: &decoded)
        start = index
      case 0..<0x20: throw .unexpected(offset: index)
      default: index += 1
      }
    }
  }

  private func text(_ decoded: [UInt8], _ rest: Range<Int>) throws(JSONError) -> String {
    let text =
      decoded.isEmpty
      ? String(validating: bytes[rest], as: UTF8.self) : String(validating: decoded + bytes[rest], as: UTF8.self)
    guard let text else { throw .invalidUTF8(offset: rest.lowerBound) }
    return text
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(JSONError) {
    index += 1
    let byte = try peek()
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"): decoded.append(contentsOf: Array(String(try escapedScalar()).utf8))
    default: throw .unexpected(offset: index - 1)
    }
  }

  /// After `\u`: four digits, and a second escape where they are a high surrogate.
  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let start = index - 2
    let unit = try fourHexDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let afterHigh = index
    if unit < 0xDC00, let low = try escapedUnit(), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    {
      return scalar
    }
    guard isLenient else { throw .loneSurrogate(offset: start) }
    index = afterHigh
    return "\u{FFFD}"
  }

  /// The unit of a `\u` escape, nil where none follows.
  private mutating func escapedUnit() throws(JSONError) -> UInt32? {
    guard try peek() == UInt8(ascii: "\\") else { return nil }
    index += 1
    guard try peek() == UInt8(ascii: "u") else { return nil }
    index += 1
    return try fourHexDigits()
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try peek()
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x41 + 10)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x61 + 10)
      default: throw .unexpected(offset: index)
      }
      index += 1
    }
    return value
  }
}
