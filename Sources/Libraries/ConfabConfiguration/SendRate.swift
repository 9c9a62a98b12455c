package import Clocks

/// `rate = 10/m`: so many messages in so much time, at once or spread.
package struct SendRate: Equatable, Sendable, CustomStringConvertible {
  /// 1 to 1,000,000.
  package var count: Int64
  /// At most 365 days.
  package var interval: Interval

  package static let maximumCount: Int64 = 1_000_000

  package init(count: Int64, interval: Interval) {
    self.count = count
    self.interval = interval
  }

  /// Reads a whole number, `/` and a duration, whose number may be left out where it is 1: `10/m`, `100/24h`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(parts[0]),
      (1...Self.maximumCount).contains(count),
      let interval = Interval(String(parts[1])) ?? Interval("1" + parts[1]),
      interval > .zero, interval <= .days(365)
    else { return nil }
    self.init(count: count, interval: interval)
  }

  /// `10/1m`, which `init(_:)` reads back.
  package var description: String { "\(count)/\(interval)" }
}
