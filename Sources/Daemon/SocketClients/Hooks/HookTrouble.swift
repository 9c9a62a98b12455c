import Clocks
import JSON
import State

/// The trouble of a hook, for `status`.
struct HookTrouble {
  /// Since when an event has failed, and the last error; nil: none fails.
  var failing: (since: Timestamp, error: String)?
  /// The last event that was given up; nil: none since the start.
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

/// An event on its way through a hook.
struct HookJob {
  /// The line that the command gets.
  var line: [UInt8]
  /// The record of the event; nil: it is in none, and is not repeated.
  let number: UInt64?
  var failures = 0
  /// When it failed first.
  var failingSince: Moment?

  /// In seconds.
  private static let shortestPause: Int64 = 5
  private static let longestPause = Interval.minutes(10)

  /// The pause before it is run again: 5 s at first, each time twice as long, up to ten minutes.
  var pause: Interval {
    let doublings = min(max(failures - 1, 0), 7)
    return min(.seconds(Self.shortestPause << Int64(doublings)), Self.longestPause)
  }
}
