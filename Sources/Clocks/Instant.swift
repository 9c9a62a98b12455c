/// A point on the monotonic clock: for timers, time-outs and back-off, never for stamps.
///
/// Its zero is arbitrary (the machine's start); only differences mean something.
package struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since the clock's own zero.
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// This instant moved by `interval`, saturating.
  package func advanced(by interval: Interval) -> Instant {
    Instant(milliseconds: Saturating.add(milliseconds, interval.milliseconds))
  }

  /// The time from `right` to `left`, saturating.
  package static func - (left: Instant, right: Instant) -> Interval {
    Interval(milliseconds: Saturating.subtract(left.milliseconds, right.milliseconds))
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

/// "Now", handed in with every event: both clocks read at one place, so that the engine never asks for the time.
package struct Moment: Hashable, Sendable {
  /// The monotonic clock, for deadlines.
  package var instant: Instant
  /// The wall clock, for stamps; it may jump either way.
  package var wall: Timestamp

  package init(instant: Instant, wall: Timestamp) {
    self.instant = instant
    self.wall = wall
  }
}
