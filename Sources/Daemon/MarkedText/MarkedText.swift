/// Finds links, mentions, topics, emoticons and styling (XEP-0393) in a text, in time and memory that grow with the
/// length of the text, whatever it holds.
package enum MarkedText {
  /// Spans of one text; further ones are text.
  package static let spanLimit = 10_000

  /// The spans of a text, sorted by their starts; of those with one start the longer one comes first.
  ///
  /// - Parameters:
  ///   - emoticons: the known codes, with what they stand for.
  ///   - names: those whose mention counts: of a contact and of me, or the nicks of a room. Any address is a mention,
  ///     too.
  ///   - isStyled: whether the marks of XEP-0393 mean something.
  package static func spans(
    of text: String, emoticons: PhraseTable = PhraseTable(), names: MentionTable = MentionTable(), isStyled: Bool = true
  ) -> [MarkedSpan] {
    let marks = emoticons.starters.union(names.starters).union(ownMarks)
    let span = text.utf8Span.span
    guard span.indices.contains(where: { marks.contains(span[$0]) }) else { return [] }
    var scanner = TextScanner(TextBytes(Array(text.utf8)), marks, emoticons, names, isStyled: isStyled)
    scanner.scan()
    return scanner.spans.prefix(spanLimit).map(\.self)
  }

  /// The bytes that something begins with, or a quotation, or styling.
  private static let ownMarks = ByteSet(#":#@>*_~`"#.utf8)
}

/// A set of bytes.
package struct ByteSet: Equatable, Sendable {
  private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  package init(_ bytes: some Sequence<UInt8> = []) {
    for byte in bytes { insert(byte) }
  }

  @inline(__always)
  package func contains(_ byte: UInt8) -> Bool {
    let word =
      switch byte >> 6 {
      case 0: bits.0
      case 1: bits.1
      case 2: bits.2
      default: bits.3
      }
    return word & (1 << (UInt64(byte) & 63)) != 0
  }

  mutating func insert(_ byte: UInt8) {
    let bit: UInt64 = 1 << (UInt64(byte) & 63)
    switch byte >> 6 {
    case 0: bits.0 |= bit
    case 1: bits.1 |= bit
    case 2: bits.2 |= bit
    default: bits.3 |= bit
    }
  }

  func union(_ other: Self) -> Self {
    var union = self
    union.bits = (
      bits.0 | other.bits.0, bits.1 | other.bits.1, bits.2 | other.bits.2, bits.3 | other.bits.3
    )
    return union
  }

  package static func == (one: Self, other: Self) -> Bool { one.bits == other.bits }
}
