/// A text inside XML: the scalars that it cannot carry, and its length.
package enum XMLText {
  /// The position, in Unicode scalars from 0, of the first scalar that XML 1.0 cannot carry (production Char of §2.2:
  /// C0 controls other than TAB, LF and CR, U+FFFE, U+FFFF); nil if there is none.
  package static func firstForbidden(in text: String) -> Int? {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0xEF }) else { return nil }
    var position = 0
    for scalar in text.unicodeScalars {
      if isForbidden(scalar.value) { return position }
      position += 1
    }
    return nil
  }

  private static func isForbidden(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  /// Bytes of the text as character data: `&amp;`, `&lt;`, `&gt;` and `&#13;` written out.
  package static func byteCount(of text: String) -> Int {
    text.utf8.reduce(0) { sum, byte in
      switch byte {
      case UInt8(ascii: "&"), 0x0D: sum + 5
      case UInt8(ascii: "<"), UInt8(ascii: ">"): sum + 4
      default: sum + 1
      }
    }
  }

  /// The rules that hold for every text of a request; `argument` is its name in the failure.
  package static func check(_ text: String, argument: String) throws(RequestFailure) {
    guard text.utf8.count <= Limits.text else {
      throw RequestFailure(.tooLarge, "the \(argument) is longer than \(Limits.text) bytes", argument: argument)
    }
    if let position = firstForbidden(in: text) {
      throw RequestFailure(
        .badArgument, "the \(argument) holds a character that XML cannot carry", argument: argument, position: position)
    }
    guard byteCount(of: text) <= Limits.xmlText else {
      throw RequestFailure(
        .tooLarge, "the \(argument) is longer than \(Limits.xmlText) bytes as XML", argument: argument)
    }
  }
}
