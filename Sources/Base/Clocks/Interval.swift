/// A length of time in whole milliseconds; may be negative where two times are subtracted.
///
/// In configuration and on the socket it is written as a whole number and a unit: `1500ms`, `90s`, `30m`, `24h`, `7d`.
public struct Interval: Hashable, Comparable, Sendable {
  /// Milliseconds; negative means backwards.
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// No time at all.
  public static let zero = Interval(milliseconds: 0)

  public static func milliseconds(_ count: Int64) -> Interval { Interval(milliseconds: count) }

  /// The factories saturate at the ends of `Int64` milliseconds.
  public static func seconds(_ count: Int64) -> Interval { Interval(count, of: 1000) }
  public static func minutes(_ count: Int64) -> Interval { Interval(count, of: 60_000) }
  public static func hours(_ count: Int64) -> Interval { Interval(count, of: 3_600_000) }
  public static func days(_ count: Int64) -> Interval { Interval(count, of: 86_400_000) }

  private init(_ count: Int64, of unit: Int64) {
    let (product, overflow) = count.multipliedReportingOverflow(by: unit)
    milliseconds = overflow ? (count < 0 ? .min : .max) : product
  }

  public static func < (left: Interval, right: Interval) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

// MARK: - Text

extension Interval: CustomStringConvertible {
  /// Units by their suffix, largest first; what `description` chooses from.
  private static let units: [(suffix: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// Reads a whole number followed by `ms`, `s`, `m`, `h` or `d`.
  ///
  /// No sign, no space, no fraction, ASCII digits only; nil for anything else and for what does not fit `Int64`.
  public init?(_ text: String) {
    var count: Int64 = 0
    var rest = text.utf8[...]
    guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
    while let byte = rest.first, (0x30...0x39).contains(byte) {
      let (tens, overflowTens) = count.multipliedReportingOverflow(by: 10)
      let (sum, overflowSum) = tens.addingReportingOverflow(Int64(byte &- 0x30))
      guard !overflowTens, !overflowSum else { return nil }
      count = sum
      rest = rest.dropFirst()
    }
    guard let unit = Self.units.first(where: { rest.elementsEqual($0.suffix.utf8) }) else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
    guard !overflow else { return nil }
    milliseconds = product
  }

  /// The shortest form that `init(_:)` reads back, in the largest unit that divides it; negative ones carry a sign
  /// and are for people only.
  public var description: String {
    guard milliseconds != 0 else { return "0s" }
    for unit in Self.units where milliseconds % unit.milliseconds == 0 {
      return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
    return "\(milliseconds)ms"
  }
}

/// Arithmetic that stops at the ends of `Int64` instead of trapping: times come from strangers.
enum Saturating {
  static func add(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (right < 0 ? .min : .max) : sum
  }

  static func subtract(_ left: Int64, _ right: Int64) -> Int64 {
    let (difference, overflow) = left.subtractingReportingOverflow(right)
    return overflow ? (right < 0 ? .max : .min) : difference
  }
}
