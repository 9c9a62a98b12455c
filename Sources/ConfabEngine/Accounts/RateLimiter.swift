import Clocks
import Records

/// Limits an amount: what was taken grows back with time.
struct RateLimiter: Sendable {
  private let most: Int
  private let period: Interval
  private var left: Int
  private var since: Instant

  /// - Parameters:
  ///   - amount: available at the start, and never more.
  ///   - period: the time in which all of it grows back.
  init(of amount: Int, each period: Interval, from now: Instant) {
    most = amount
    self.period = period
    left = amount
    since = now
  }

  /// Takes an amount; false if less is left.
  mutating func take(_ amount: Int, at now: Instant) -> Bool {
    grow(at: now)
    guard amount <= left else { return false }
    left -= amount
    return true
  }

  private mutating func grow(at now: Instant) {
    let elapsed = min((now - since).milliseconds, period.milliseconds)
    let growth = Int64(most) * elapsed / period.milliseconds
    // Less than a unit is counted the next time.
    guard growth > 0 else { return }
    left = min(most, left + Int(growth))
    since = now
  }
}
