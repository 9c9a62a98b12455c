/// A date and time of day in the proleptic Gregorian calendar, at a fixed offset from UTC.
///
/// The arithmetic is Howard Hinnant's days-from-civil: eras of 400 years that start in March, exact for every year
/// that fits, without a table.
public struct CivilDate: Hashable, Sendable {
  /// Astronomical year: 0 is 1 BC.
  public var year: Int64
  /// 1...12.
  public var month: Int
  /// 1...31.
  public var day: Int
  /// 0...23.
  public var hour: Int
  /// 0...59.
  public var minute: Int
  /// 0...59: leap seconds do not exist on this time scale.
  public var second: Int

  /// The date at `time`.
  /// - Parameter offsetSeconds: east of UTC; taken as at most a day either way.
  public init(_ time: Timestamp, offsetSeconds: Int = 0) {
    let offset = Int64(max(-86_400, min(86_400, offsetSeconds)))
    let seconds = Self.floorDivide(time.milliseconds, 1000) + offset
    let days = Self.floorDivide(seconds, 86_400)
    let rest = UInt32(truncatingIfNeeded: seconds - days * 86_400)
    (year, month, day) = Self.date(daysSince1970: days)
    hour = Int(rest / 3600)
    minute = Int(rest / 60 % 60)
    second = Int(rest % 60)
  }

  /// Days from 1970-01-01 to a date; `month` in 1...12, `day` may run past the month's end.
  public static func days(year: Int64, month: Int, day: Int) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let monthFromMarch = Int64((month + 9) % 12)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// How many days a month has; `month` in 1...12.
  public static func length(ofMonth month: Int, year: Int64) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// True if February has 29 days.
  public static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func date(daysSince1970 days: Int64) -> (Int64, Int, Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    // The rest is small.
    let dayOfEra = UInt32(truncatingIfNeeded: shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (Int64(yearOfEra) + era * 400 + (month <= 2 ? 1 : 0), Int(month), Int(day))
  }

  /// Division that rounds towards minus infinity, for times before 1970; `divisor` is positive.
  static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}
