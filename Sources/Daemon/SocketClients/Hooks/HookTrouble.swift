import Clocks
import JSON
import State

/// The errors of a hook, for `status`.
struct HookTrouble {
  /// The first failure of the present event and the last error; nil if it has not failed.
  var failing: (since: Timestamp, error: String)?
  /// The last event that was given up; nil if none was since the daemon started or the hook changed.
  var givenUp: (number: UInt64, time: Timestamp, error: String)?

  func write(into writer: inout JSONWriter) {
    if let failing {
      writer.member("failing_since", failing.since)
      writer.member("error", failing.error)
    }
    guard let givenUp else { return }
    writer.object("given_up") {
      $0.member("seq", givenUp.number)
      $0.member("time", givenUp.time)
      $0.member("error", givenUp.error)
    }
  }
}

/// An event for which the command runs or will run again.
struct HookJob {
  /// The line for the standard input of the command.
  var line: [UInt8]
  /// The number of the event's record; nil if the event is not in the log, and so is not repeated.
  let number: UInt64?
  var failures = 0
  /// The time of the first failure.
  var failingSince: Moment?

  /// In seconds.
  private static let shortestPause: Int64 = 5
  private static let longestPause = Interval.minutes(10)

  /// The pause before the next run: 5 s, doubled after each failure, at most ten minutes.
  var pause: Interval {
    let doublings = min(max(failures - 1, 0), 7)
    return min(.seconds(Self.shortestPause << Int64(doublings)), Self.longestPause)
  }
}
