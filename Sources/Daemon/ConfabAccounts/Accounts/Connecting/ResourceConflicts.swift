import Clocks

/// Conflicts with another session over a resource. Two sessions could disconnect each other for ever, so each further
/// conflict doubles the pause, from a minute up to an hour.
struct ResourceConflicts {
  /// A stream that lasted this long begins the count anew.
  private static let period = Interval.hours(1)
  private static let longestPause = Interval.hours(1)

  /// Conflicts, each less than an hour after the last one.
  private(set) var count = 0

  /// Counts a conflict; returns the pause before the next try.
  ///
  /// - Parameter age: how long the stream lasted that it ended, if there was one.
  mutating func note(after age: Interval?) -> Interval {
    if let age, age >= Self.period { count = 0 }
    count += 1
    return count == 1 ? .zero : min(.minutes(1 << min(Int64(count) - 2, 6)), Self.longestPause)
  }
}
