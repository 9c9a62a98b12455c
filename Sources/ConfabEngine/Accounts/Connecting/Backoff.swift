import Clocks

/// How long to wait before the next try: doubling from 1 s to 5 min with jitter, back to the start after a connection
/// that stayed up for a minute.
struct Backoff: Sendable {
  static let shortest = Interval.seconds(1)
  static let longest = Interval.minutes(5)
  /// A connection that lasted this long was good.
  static let stable = Interval.minutes(1)

  private var attempt = 0

  /// The next pause: between half of the step and the whole of it, so that many clients do not come back at once.
  ///
  /// - Parameter least: the step is no shorter, where the failure asks for that.
  mutating func next(_ random: any RandomSource, atLeast least: Interval = .zero) -> Interval {
    let step = max(min(Self.shortest.milliseconds << min(attempt, 20), Self.longest.milliseconds), least.milliseconds)
    attempt += 1
    return .milliseconds(step / 2 + Int64(random.number(below: UInt64(step / 2 + 1))))
  }

  /// The session ended after it had been up for this long.
  mutating func lasted(_ interval: Interval) {
    if interval >= Self.stable { attempt = 0 }
  }

  /// The user asked to connect: begin anew.
  mutating func reset() { attempt = 0 }
}
