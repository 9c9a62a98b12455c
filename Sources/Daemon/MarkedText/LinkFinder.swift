/// Finds links in a text.
enum LinkFinder {
  /// Characters of a scheme besides letters and digits (RFC 3986, section 3.1).
  private static let schemeMarks = ByteSet("+-.".utf8)

  /// The start of a scheme that is a link's, before a colon.
  static func schemeStart(before colon: Int, in text: TextBytes) -> Int? {
    var start = colon
    while start > 0, colon - start <= 6, text[start - 1].isLetter { start -= 1 }
    guard isScheme(text.bytes[start..<colon]) else { return nil }
    guard let before = text.byte(start - 1) else { return start }
    return before.isLetter || before.isDigit || schemeMarks.contains(before) ? nil : start
  }

  private static let schemes = ["https", "http", "xmpp", "geo", "mailto"].map { Array($0.utf8) }

  private static func isScheme(_ name: ArraySlice<UInt8>) -> Bool {
    schemes.contains { $0.count == name.count && $0.elementsEqual(name.lazy.map { $0 | 0x20 }) }
  }

  /// The end of a link; nil if nothing is left of what follows its scheme.
  static func end(of start: Int, colon: Int, in text: TextBytes, _ styling: Styling) -> Int? {
    var body = colon + 1
    if text[start] | 0x20 == UInt8(ascii: "h") {
      guard text.hasByte("/", at: body), text.hasByte("/", at: body + 1) else { return nil }
      body += 2
    }
    var extent = LinkExtent(from: body, in: text)
    return extent.trim(to: body, in: text) { styling.closes($0, before: start) }
  }
}

/// How far a link reaches, and the brackets in it.
private struct LinkExtent {
  /// White space, controls and what stands around links, of ASCII.
  private static let asciiEnds = ByteSet(Array(0...0x20) + [0x7F] + "<>\"".utf8)
  private static let brackets = ByteSet("()[]{}".utf8)
  /// Characters that cannot end a link.
  private static let ending = ByteSet(".,:;!?'".utf8)

  private var end: Int
  /// How many brackets of each kind are open.
  private var open: InlineArray<3, Int> = [0, 0, 0]
  /// Closing brackets that nothing opens.
  private var unopened: [Int] = []

  init(from body: Int, in text: TextBytes) {
    end = body
    while end < text.count {
      let byte = text[end]
      if byte < 0x80 {
        if Self.asciiEnds.contains(byte) { break }
        if Self.brackets.contains(byte) { take(byte, at: end) }
        end += 1
      } else {
        guard let next = text.scalar(at: end), !Self.isEnd(next.scalar) else { break }
        end = next.end
      }
    }
  }

  /// White space, controls, and punctuation that is not ASCII.
  private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control:
      true
    default: false
    }
  }

  private mutating func take(_ byte: UInt8, at index: Int) {
    switch byte {
    case UInt8(ascii: "("): open[0] += 1
    case UInt8(ascii: "["): open[1] += 1
    case UInt8(ascii: "{"): open[2] += 1
    case UInt8(ascii: ")"): close(0, at: index)
    case UInt8(ascii: "]"): close(1, at: index)
    default: close(2, at: index)
    }
  }

  private mutating func close(_ bracket: Int, at index: Int) {
    if open[bracket] > 0 { open[bracket] -= 1 } else { unopened.append(index) }
  }

  /// The end without punctuation, brackets that nothing in it opens, and directives that close a span around the link.
  mutating func trim(to body: Int, in text: TextBytes, _ isClosing: (Int) -> Bool) -> Int? {
    while end > body {
      let last = text[end - 1]
      if unopened.last == end - 1 {
        unopened.removeLast()
      } else if !Self.ending.contains(last), !(InlineStyles.marks.contains(last) && isClosing(end - 1)) {
        return end
      }
      end -= 1
    }
    return nil
  }
}

extension UInt8 {
  /// True for a letter of ASCII.
  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  var isDigit: Bool { (0x30...0x39).contains(self) }
}
