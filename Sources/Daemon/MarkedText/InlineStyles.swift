/// The spans of one line (XEP-0393, section "Spans"): matched from the left, each with the nearest directive that can
/// close it.
struct InlineStyles {
  static let marks = ByteSet("*_~`".utf8)

  struct Span {
    let range: Range<Int>
    let kind: MarkedSpan.Kind
  }

  private struct Mark {
    let place: Int
    /// Index among the kinds.
    let kind: Int
    let isAtStart: Bool
    let mayOpen: Bool
    let mayClose: Bool
  }

  private let marks: [Mark]
  private static let kinds: [MarkedSpan.Kind] = [.strong, .emphasis, .strike, .code]

  /// For each kind the closing mark that was found last: the search goes on there.
  private var nextClosing: InlineArray<4, Int> = [0, 0, 0, 0]
  /// Closing marks of the spans that are open, the outer one first.
  private var open: [Int] = []
  private var spans: [Span] = []

  static func spans(of text: TextBytes, in line: Range<Int>) -> [Span] {
    var styles = Self(text, line)
    styles.match()
    return styles.spans
  }

  private init(_ text: TextBytes, _ line: Range<Int>) {
    marks = line.compactMap { place in
      guard Self.marks.contains(text[place]) else { return nil }
      let isFirst = place == line.lowerBound
      let isBehindSpace = !isFirst && text.hasSpace(before: place)
      let isBeforeText = place + 1 < line.upperBound && !text.hasSpace(at: place + 1)
      return Mark(
        place: place, kind: Self.kind(of: text[place]), isAtStart: isFirst || isBehindSpace, mayOpen: isBeforeText,
        mayClose: !isFirst && !isBehindSpace)
    }
  }

  private static func kind(of byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "*"): 0
    case UInt8(ascii: "_"): 1
    case UInt8(ascii: "~"): 2
    default: 3
    }
  }

  private mutating func match() {
    var index = 0
    /// The mark before, if it opens a span.
    var opening: Mark?
    while index < marks.count {
      let mark = marks[index]
      let isBehindOpening = opening.map { $0.place + 1 == mark.place && $0.kind != mark.kind } ?? false
      opening = nil
      if index == open.last {
        open.removeLast()
      } else if mark.mayOpen, mark.isAtStart || isBehindOpening, let closing = closing(of: index) {
        if marks[closing].place == mark.place + 1 {
          // Nothing stands between: both are text.
          index = closing
        } else {
          spans.append(Span(range: mark.place..<marks[closing].place + 1, kind: Self.kinds[mark.kind]))
          if Self.kinds[mark.kind] == .code {
            index = closing
          } else {
            open.append(closing)
            opening = mark
          }
        }
      }
      index += 1
    }
  }

  /// The nearest mark that can close what the one at an index opens, inside of what is open.
  private mutating func closing(of index: Int) -> Int? {
    let kind = marks[index].kind
    var next = max(nextClosing[kind], index + 1)
    while next < marks.count, marks[next].kind != kind || !marks[next].mayClose { next += 1 }
    nextClosing[kind] = next
    return next < (open.last ?? marks.count) ? next : nil
  }
}
