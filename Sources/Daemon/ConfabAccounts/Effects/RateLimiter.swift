package import Clocks

/// Limits an amount: all of it at once, and what was taken grows back with time. Exact, whatever amount and period are:
/// it counts in milliseconds times the amount.
package struct RateLimiter {
  private let most: Int128
  private let period: Int128
  /// When all that was taken will have grown back.
  private var full: Int128 = .min

  /// - Parameters:
  ///   - amount: available at the start, and never more.
  ///   - period: the time in which all of it grows back.
  package init(of amount: Int, each period: Interval) {
    (most, self.period) = (Int128(amount), Int128(period.milliseconds))
  }

  /// Takes an amount; false if less is left.
  mutating func take(_ amount: Int, at now: Instant) -> Bool { wait(toTake: amount, at: now) == nil }

  /// Takes an amount.
  ///
  /// - Returns: nil if there was as much; else how long until there is.
  package mutating func wait(toTake amount: Int, at now: Instant) -> Interval? {
    let present = Int128(now.milliseconds) * most
    let next = max(full, present) + period * Int128(amount)
    let late = next - (present + period * most)
    guard late > 0 else {
      full = next
      return nil
    }
    return .milliseconds(Int64(clamping: (late + most - 1) / most))
  }
}
