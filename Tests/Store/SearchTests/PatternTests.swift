import Testing

@testable import Search

/// A letter that counts how often it is compared.
private struct Letter: Equatable {
  final class Counter { var comparisons = 0 }

  let value: Int
  let counter: Counter

  static func == (one: Letter, other: Letter) -> Bool {
    one.counter.comparisons += 1
    return one.value == other.value
  }
}

@Suite("A sequence is found in another")
struct PatternTests {
  @Test("where it stands first, over texts of two and three letters", arguments: 1...50)
  func oracle(_ seed: UInt64) {
    var generator = TextGenerator(seed: seed)
    for _ in 0..<200 {
      let letters = 2 + generator.next(below: 2)
      let text = (0..<generator.next(below: 60)).map { _ in generator.next(below: letters) }
      let needle = (0..<generator.next(below: 8)).map { _ in generator.next(below: letters) }
      let start = generator.next(below: text.count + 2)
      let expected = needle.isEmpty ? nil : (start..<max(start, text.count)).first { text[$0...].starts(with: needle) }
      #expect(Pattern(needle).first(from: start, to: text.count) { text[$0] } == expected)
    }
  }

  @Test("with at most two comparisons for each of its letters and of the other's, whatever they are")
  func comparisons() {
    let counter = Letter.Counter()
    let (a, b) = (Letter(value: 0, counter: counter), Letter(value: 1, counter: counter))
    let text = Array(repeating: a, count: 60_000)
    for needle in [
      Array(repeating: a, count: 1_000) + [b], [b] + Array(repeating: a, count: 1_000),
      Array(repeating: a, count: 500) + [b] + Array(repeating: a, count: 500),
    ] {
      counter.comparisons = 0
      let pattern = Pattern(needle)
      #expect(counter.comparisons <= 2 * needle.count)
      counter.comparisons = 0
      #expect(pattern.first(from: 0, to: text.count) { text[$0] } == nil)
      #expect((1...2 * text.count).contains(counter.comparisons))
    }
  }
}
