import Clocks
import Settings

/// Holds a sender to a rate: `count` at once, and each comes back after its part of the interval. Exact, whatever the
/// two are: it counts in milliseconds times `count`.
struct TokenBucket {
  let rate: SendRate
  /// When all that was taken will have come back.
  private var full: Int128 = .min

  init(rate: SendRate) { self.rate = rate }

  /// Takes one.
  ///
  /// - Returns: nil where there was one; else how long until there is.
  mutating func take(at now: Instant) -> Interval? {
    let count = Int128(rate.count)
    let interval = Int128(rate.interval.milliseconds)
    let present = Int128(now.milliseconds) * count
    let begin = max(full, present)
    let late = begin + interval - (present + interval * count)
    guard late > 0 else {
      full = begin + interval
      return nil
    }
    return .milliseconds(Int64(clamping: (late + count - 1) / count))
  }
}
