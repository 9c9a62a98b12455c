/// How a text came to be what it is: of each change the letters that were replaced, so that it can be taken back.
struct InputChanges: Equatable, Sendable {
  /// One step of taking back.
  struct Change: Equatable, Sendable {
    /// The range in the text of now, before any later change.
    fileprivate(set) var range: Range<Int>
    /// The letters that were there.
    fileprivate(set) var letters: [Character] = []
    /// The cursor before.
    let cursor: Int
  }

  /// The newest last.
  private var all: [Change] = []
  /// Letters that are kept in all.
  private(set) var letterCount = 0

  private static let depth = 100
  /// More letters are kept of the newest change only.
  static let capacity = 200_000

  /// A change is about to be done.
  ///
  /// - Parameters:
  ///   - range: what is replaced.
  ///   - letters: the text before.
  ///   - count: letters that come there.
  ///   - goesOn: whether it is a part of the change before.
  mutating func add(_ range: Range<Int>, of letters: [Character], count: Int, cursor: Int, goesOn: Bool) {
    let nothing = Change(range: range.lowerBound..<range.lowerBound, cursor: cursor)
    var change = (goesOn ? takeLast() : nil) ?? nothing
    change.widen(to: range, of: letters)
    change.range = change.range.lowerBound..<change.range.upperBound + count - range.count
    all.append(change)
    letterCount += change.letters.count
    while all.count > Self.depth || letterCount > Self.capacity && all.count > 1 {
      letterCount -= all.removeFirst().letters.count
    }
  }

  mutating func takeLast() -> Change? {
    let last = all.popLast()
    letterCount -= last?.letters.count ?? 0
    return last
  }
}

extension InputChanges.Change {
  /// Covers another range too, whose letters outside of this one are as they were.
  fileprivate mutating func widen(to other: Range<Int>, of text: [Character]) {
    let start = min(range.lowerBound, other.lowerBound)
    let end = max(range.upperBound, other.upperBound)
    letters = text[start..<range.lowerBound] + letters + text[range.upperBound..<end]
    range = start..<end
  }
}
