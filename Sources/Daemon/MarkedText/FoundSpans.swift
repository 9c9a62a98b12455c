/// Spans as they are found, in bytes.
struct FoundSpans {
  struct Item {
    let range: Range<Int>
    let kind: MarkedSpan.Kind
    var target: String?
  }

  /// Spans that nothing takes back.
  private var items: [Item] = []
  /// In their order, none in another one.
  private var mentions: [Item] = []
  private var emoticons: [Item] = []

  mutating func add(_ range: Range<Int>, _ kind: MarkedSpan.Kind, target: String? = nil) {
    let item = Item(range: range, kind: kind, target: target)
    switch kind {
    case .mention: mentions.append(item)
    case .emoticon: emoticons.append(item)
    default: items.append(item)
    }
  }

  /// Takes back mentions that end behind a place: an address begins there.
  mutating func removeMentions(endingBehind start: Int) { Self.remove(&mentions, endingBehind: start) }

  /// Takes back mentions and emoticons that end behind a place: a link begins there.
  mutating func removeMentionsAndEmoticons(endingBehind start: Int) {
    Self.remove(&mentions, endingBehind: start)
    Self.remove(&emoticons, endingBehind: start)
  }

  private static func remove(_ items: inout [Item], endingBehind start: Int) {
    while let last = items.last, last.range.upperBound > start { items.removeLast() }
  }

  /// The spans in scalars, sorted.
  func spans(of text: TextBytes) -> [MarkedSpan] {
    let items = items + mentions + emoticons
    guard !items.isEmpty else { return [] }
    let positions = ScalarPositions(text)
    let sorted = items.sorted {
      $0.range.lowerBound == $1.range.lowerBound
        ? $0.range.upperBound > $1.range.upperBound : $0.range.lowerBound < $1.range.lowerBound
    }
    return sorted.prefix(MarkedText.spanLimit).map { item in
      let range = positions.scalars(before: item.range.lowerBound)..<positions.scalars(before: item.range.upperBound)
      return MarkedSpan(range, item.kind, target: item.target)
    }
  }
}
