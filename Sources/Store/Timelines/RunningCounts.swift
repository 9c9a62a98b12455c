/// How many rows each chunk of a list has, so that a row finds its chunk, and a chunk its first row, in O(log n) time
/// gaps (a Fenwick tree: the sum at place i, from 1, covers as many counts before it as the lowest set bit of i says).
struct RunningCounts: Sendable {
  private var sums: [UInt32] = []
  /// The sum of all counts.
  private(set) var total = 0

  init(_ counts: some Collection<Int> = []) { append(counts) }

  /// Adds chunks of so many rows at the end.
  mutating func append(_ counts: some Collection<Int>) {
    sums.reserveCapacity(sums.count + counts.count)
    for count in counts { append(count) }
  }

  /// Adds a chunk of so many rows at the end.
  mutating func append(_ count: Int) {
    let place = sums.count + 1
    let covered = total - before(place - (place & -place))
    sums.append(UInt32(covered + count))
    total += count
  }

  /// One row more in the chunk at `index`.
  mutating func increment(_ index: Int) {
    total += 1
    var place = index + 1
    while place <= sums.count {
      sums[place - 1] += 1
      place += place & -place
    }
  }

  /// The rows of all chunks before the one at `index`: the row that it begins with.
  func before(_ index: Int) -> Int {
    var (place, sum) = (index, 0)
    while place > 0 {
      sum += Int(sums[place - 1])
      place &= place - 1
    }
    return sum
  }

  /// The chunk that holds a row, and how many rows of that chunk stand before it. The row is below `total`.
  func find(_ row: Int) -> (index: Int, offset: Int) {
    var (index, offset) = (0, row)
    var timeGap = sums.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - sums.count.leadingZeroBitCount)
    while timeGap > 0 {
      if index + timeGap <= sums.count, Int(sums[index + timeGap - 1]) <= offset {
        index += timeGap
        offset -= Int(sums[index - 1])
      }
      timeGap >>= 1
    }
    return (index, offset)
  }
}
