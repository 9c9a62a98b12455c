import ConfabClient
import Screen

/// A kind of mark on a part of a message's text. Several may cover one letter: the first that has a colour gives it,
/// and the attributes of all add up.
enum TextMark: Int, CaseIterable {
  case hit, link, mention, topic, emoticon, code, quote, subject, note, strong, emphasis, strike

  init(_ kind: MarkedSpan.Kind) {
    switch kind {
    case .link: self = .link
    case .mention: self = .mention
    case .topic: self = .topic
    case .emoticon: self = .emoticon
    case .strong: self = .strong
    case .emphasis: self = .emphasis
    case .strike: self = .strike
    case .code, .preformatted: self = .code
    case .quote: self = .quote
    }
  }

  var part: ColourPart? {
    switch self {
    case .hit: .hit
    case .link: .link
    case .mention: .mention
    case .topic: .topic
    case .emoticon: .emoticon
    case .code: .code
    case .quote: .quote
    case .subject: .subject
    case .note: .faint
    case .strong, .emphasis, .strike: nil
    }
  }

  var attributes: Style.Attributes {
    switch self {
    case .strong: .bold
    case .emphasis: .italic
    case .strike: .strike
    default: []
    }
  }
}

/// Marked ranges of a text, which may cover each other, as spans that do not.
struct MarkedRanges {
  private var ends: [(offset: Int, mark: TextMark, isStart: Bool)] = []

  mutating func add(_ range: Range<Int>, _ mark: TextMark) {
    guard !range.isEmpty else { return }
    ends.append((range.lowerBound, mark, true))
    ends.append((range.upperBound, mark, false))
  }

  /// In order.
  var spans: [TextSpan] {
    var counts = [Int](repeating: 0, count: TextMark.allCases.count)
    var spans: [TextSpan] = []
    var start = 0
    for end in ends.sorted(by: { $0.offset < $1.offset }) {
      if end.offset > start { append(start..<end.offset, counts, to: &spans) }
      start = end.offset
      counts[end.mark.rawValue] += end.isStart ? 1 : -1
    }
    return spans
  }

  private func append(_ range: Range<Int>, _ counts: [Int], to spans: inout [TextSpan]) {
    let marks = TextMark.allCases.filter { counts[$0.rawValue] > 0 }
    guard !marks.isEmpty else { return }
    let attributes = marks.reduce(into: Style.Attributes()) { $0.formUnion($1.attributes) }
    spans.append(TextSpan(range, marks.lazy.compactMap(\.part).first, attributes))
  }
}
