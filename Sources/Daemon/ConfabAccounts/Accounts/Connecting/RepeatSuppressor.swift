/// Counts how often each trouble of an account has come, so that the journal does not get the same one at every try.
struct RepeatSuppressor {
  private var counts: [String: Int] = [:]

  /// Reasons may hold what the server says: no more of them are kept.
  static let most = 32

  /// Counts a trouble; says how often it has come.
  mutating func note(_ reason: String) -> Int {
    if counts[reason] == nil, counts.count >= Self.most { counts = [:] }
    let count = (counts[reason] ?? 0) + 1
    counts[reason] = count
    return count
  }

  /// True if the journal gets it: the first time, the fourth, the sixteenth, and so on.
  static func isReported(_ count: Int) -> Bool {
    count > 0 && count & (count - 1) == 0 && count.trailingZeroBitCount.isMultiple(of: 2)
  }
}
