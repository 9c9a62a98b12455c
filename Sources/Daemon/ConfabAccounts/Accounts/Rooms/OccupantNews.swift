import Clocks

/// Sums up the changes of a room's occupants while there are many.
struct OccupantNews {
  /// More changes in a second are summed up.
  private static let most = 20
  private static let second = Interval.seconds(1)

  /// How many came and left in a second.
  struct Sum: Equatable {
    var joined = 0
    var left = 0
  }

  private var count = 0
  private var sum = Sum()
  private var isBusy = false
  /// The end of the present second.
  private(set) var deadline: Instant?

  /// True if a change is told by itself; else it is part of the next sum.
  mutating func note(_ kind: OccupantChange.Kind, at now: Instant) -> Bool {
    if deadline == nil { deadline = now.advanced(by: Self.second) }
    count += 1
    guard isBusy || count > Self.most else { return true }
    switch kind {
    case .joined: sum.joined += 1
    case .left, .kicked, .banned: sum.left += 1
    case .nick, .role, .affiliation, .status: break
    }
    return false
  }

  /// The sum of the second that has ended; nil: all was told, or it goes on.
  mutating func take(at now: Instant) -> Sum? {
    guard let deadline, deadline <= now else { return nil }
    defer {
      isBusy = count > Self.most
      (count, sum) = (0, Sum())
      self.deadline = isBusy ? now.advanced(by: Self.second) : nil
    }
    return isBusy && count > 0 || count > Self.most ? sum : nil
  }
}
