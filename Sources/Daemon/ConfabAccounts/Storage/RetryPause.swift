import Clocks

/// How long a failing disk is left alone: 5 s at first, and twice as long after each failure, up to a minute. Ten
/// minutes without a failure make it short again.
package struct RetryPause {
  static let shortest = Interval.seconds(5)
  static let longest = Interval.minutes(1)
  private static let memory = Interval.minutes(10)

  private var last: (time: Instant, pause: Interval)?

  /// The pause after a failure at `now`.
  mutating func next(at now: Instant) -> Interval {
    var pause = Self.shortest
    if let last, now - last.time < Self.memory {
      pause = min(Self.longest, .milliseconds(2 * last.pause.milliseconds))
    }
    last = (now, pause)
    return pause
  }
}
