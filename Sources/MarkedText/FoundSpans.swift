/// Spans as they are found, in bytes.
struct FoundSpans {
  struct Item {
    let range: Range<Int>
    let kind: MarkedSpan.Kind
    var target: String?
  }

  private(set) var items: [Item] = []

  mutating func add(_ range: Range<Int>, _ kind: MarkedSpan.Kind, target: String? = nil) {
    items.append(Item(range: range, kind: kind, target: target))
  }

  /// Takes back mentions behind a place: they are parts of an address.
  mutating func removeMentions(from start: Int) {
    while let last = items.last, last.kind == .mention, last.range.lowerBound >= start { items.removeLast() }
  }

  /// The spans in scalars, sorted.
  func spans(of text: TextBytes) -> [MarkedSpan] {
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
