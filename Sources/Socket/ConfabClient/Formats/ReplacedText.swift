/// A text of which parts were replaced, and the new positions of the others.
package struct ReplacedText {
  package private(set) var text: String
  private var moves: [Move] = []

  private struct Move {
    let old: Range<Int>
    let new: Range<Int>
  }

  /// - Parameter replacements: sorted, in Unicode scalars; those that overlap one before are left out.
  package init(_ text: String, _ replacements: [(range: Range<Int>, text: String)]) {
    self.text = text
    guard !replacements.isEmpty else { return }
    let source = Array(text.unicodeScalars)
    var shown: [Unicode.Scalar] = []
    for replacement in replacements {
      let end = moves.last?.old.upperBound ?? 0
      guard replacement.range.lowerBound >= end, replacement.range.upperBound <= source.count else { continue }
      shown += source[end..<replacement.range.lowerBound]
      let start = shown.count
      shown += replacement.text.unicodeScalars
      moves.append(Move(old: replacement.range, new: start..<shown.count))
    }
    shown += source[(moves.last?.old.upperBound ?? 0)...]
    self.text = String(String.UnicodeScalarView(shown))
  }

  /// Returns the range in this text of a range of the original text; of a replaced part, all of it.
  package func position(of range: Range<Int>) -> Range<Int> {
    guard !moves.isEmpty, !range.isEmpty else { return range }
    let first = move(endingBehind: range.lowerBound)
    let last = move(endingBehind: range.upperBound - 1)
    let start = first.map { $0.old.lowerBound <= range.lowerBound ? $0.new.lowerBound : nil } ?? nil
    let end = last.map { $0.old.lowerBound < range.upperBound ? $0.new.upperBound : nil } ?? nil
    return (start ?? moved(range.lowerBound))..<(end ?? moved(range.upperBound))
  }

  /// The new position of a scalar outside of the replaced parts.
  private func moved(_ offset: Int) -> Int {
    let index = firstIndex(endingBehind: offset)
    return index > 0 ? offset + moves[index - 1].new.upperBound - moves[index - 1].old.upperBound : offset
  }

  private func move(endingBehind offset: Int) -> Move? {
    let index = firstIndex(endingBehind: offset)
    return index < moves.count ? moves[index] : nil
  }

  private func firstIndex(endingBehind offset: Int) -> Int {
    var (low, high) = (0, moves.count)
    while low < high {
      let middle = (low + high) / 2
      if moves[middle].old.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
