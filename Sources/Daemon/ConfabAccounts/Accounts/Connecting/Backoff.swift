import Clocks

/// How long to wait before the next try: doubling from 1 s to 5 min with jitter, back to the start after a connection
/// that stayed up for a minute. A change of the network ends a wait, unless that happens again and again.
struct Backoff: Sendable {
  static let shortest = Interval.seconds(1)
  static let longest = Interval.minutes(5)
  /// A connection that lasted this long was good.
  static let stable = Interval.minutes(1)

  private var attempt = 0
  /// True if the server asked for the present pause, whatever the network does.
  private var isRequested = false
  /// How many tries changes of the network may bring forward: ten, which grow back one in half a minute.
  private var haste = RateLimiter(of: 10, each: .minutes(5))

  /// The next pause: between half of the step and the whole of it, so that many clients do not come back at once.
  ///
  /// - Parameter least: the step is no shorter, where the failure asks for that.
  mutating func next(_ random: any RandomSource, atLeast least: Interval = .zero) -> Interval {
    let step = max(min(Self.shortest.milliseconds << min(attempt, 20), Self.longest.milliseconds), least.milliseconds)
    attempt += 1
    isRequested = least >= .minutes(1)
    return .milliseconds(step / 2 + Int64(random.number(below: UInt64(step / 2 + 1))))
  }

  /// The session ended after it had been up for this long.
  mutating func lasted(_ interval: Interval) {
    if interval >= Self.stable { attempt = 0 }
  }

  /// The network changed: whether the next try is made at once. The doubling continues from where it was, because an
  /// interface that comes and goes says nothing about the server.
  mutating func endsEarly(at now: Instant) -> Bool { !isRequested && haste.take(1, at: now) }

  /// The link of a stream that may be resumed was cut: the next try is made soon, unless this happens again and again.
  mutating func linkWasCut(at now: Instant) { if haste.take(1, at: now) { reset() } }

  /// The user asked to connect: begin anew.
  mutating func reset() { attempt = 0 }
}
