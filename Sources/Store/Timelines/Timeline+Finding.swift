extension Timeline {
  /// The nearest rows of some whose messages a condition holds for, `most` of them: from the last one down, or from the
  /// first one up.
  package func rows(
    in rows: Range<Int>, most: Int, backwards: Bool, where holds: (Entry) -> Bool
  ) -> [Int] {
    var (rest, found) = (rows, [Int]())
    while !rest.isEmpty, found.count < most {
      let block = backwards ? rest.suffix(Self.block) : rest.prefix(Self.block)
      let entries = entries(of: block)
      for row in block.indices {
        let place = backwards ? block.upperBound - 1 - (row - block.lowerBound) : row
        guard found.count < most, holds(entries[place - block.lowerBound]) else { continue }
        found.append(place)
      }
      rest = backwards ? rest.lowerBound..<block.lowerBound : block.upperBound..<rest.upperBound
    }
    return backwards ? found.reversed() : found
  }

  /// Rows that are looked at together.
  private static let block = 256
}
