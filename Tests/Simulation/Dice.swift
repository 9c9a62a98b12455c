import ConfabAccounts
import Clocks
import TestSupport

/// Chance by a seed: the same throws for the same seed, everywhere.
struct Dice {
  private var generator: SplitMix

  init(seed: UInt64) { generator = SplitMix(seed: seed) }

  /// Any number.
  mutating func next() -> UInt64 { generator.next() }

  /// A number from 0 on, below `bound` (at least 1).
  mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(max(bound, 1))) }

  mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// True so often in a thousand throws.
  mutating func permille(_ count: Int) -> Bool { below(1000) < count }

  mutating func percent(_ count: Int) -> Bool { below(100) < count }

  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  /// A time in milliseconds, equally likely in the range.
  mutating func interval(_ milliseconds: ClosedRange<Int>) -> Interval { .milliseconds(Int64(within(milliseconds))) }

  /// A pause that is mostly short and seldom up to ten times as long as `usual`.
  mutating func pause(_ usual: Interval) -> Interval {
    let usual = Int(usual.milliseconds)
    return percent(10) ? interval(usual...10 * usual) : interval(0...2 * usual)
  }
}

/// The engine's randomness, by a seed.
final class SeededRandom: RandomSource {
  private var dice: Dice

  init(_ seed: UInt64) { dice = Dice(seed: seed) }

  func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next() >> 33) }
  }
}
