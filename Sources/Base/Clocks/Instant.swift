/// A point on the monotonic clock: for timers, time-outs and back-off, never for stamps.
///
/// Its zero is arbitrary (the machine's start); only differences mean something.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since the clock's own zero.
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// This instant moved by `interval`, saturating.
  public func advanced(by interval: Interval) -> Instant {
    Instant(milliseconds: Saturating.add(milliseconds, interval.milliseconds))
  }

  /// The time from `right` to `left`, saturating.
  public static func - (left: Instant, right: Instant) -> Interval {
    Interval(milliseconds: Saturating.subtract(left.milliseconds, right.milliseconds))
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

/// "Now", handed in with every event: both clocks read at one place, so that the engine never asks for the time.
public struct Moment: Hashable, Sendable {
  /// The monotonic clock, for deadlines.
  public var instant: Instant
  /// The wall clock, for stamps; it may jump either way.
  public var wall: Timestamp

  public init(instant: Instant, wall: Timestamp) {
    self.instant = instant
    self.wall = wall
  }
}
