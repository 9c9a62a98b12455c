package import Clocks

/// Times as a person reads them, where the person is.
package struct LocalClock {
  /// `2026-11-20`; spoken `Today`.
  package let day: (Timestamp) -> String
  /// `09:10`
  package let minute: (Timestamp) -> String

  /// `09:10:05`; spoken without the seconds.
  package let second: (Timestamp) -> String
  /// The time zone as its distance from UTC, `UTC+01:00`; empty: times are not written as ISO 8601 does.
  package let zone: (Timestamp) -> String

  package init(
    day: @escaping (Timestamp) -> String, minute: @escaping (Timestamp) -> String,
    second: ((Timestamp) -> String)? = nil, zone: @escaping (Timestamp) -> String = { _ in "" }
  ) {
    (self.day, self.minute, self.second, self.zone) = (day, minute, second ?? minute, zone)
  }

  /// Writes numbers as ISO 8601 does.
  ///
  /// - Parameter offset: seconds east of UTC at a time.
  package init(offset: @escaping (Timestamp) -> Int) {
    let date = { CivilDate($0, offsetSeconds: offset($0)) }
    self.init(
      day: { "\(Self.padded(Int(date($0).year), 4))-\(Self.padded(date($0).month))-\(Self.padded(date($0).day))" },
      minute: { Self.digits([date($0).hour, date($0).minute]) },
      second: { Self.digits([date($0).hour, date($0).minute, date($0).second]) },
      zone: { time in
        let minutes = abs(offset(time)) / 60
        return "UTC" + (offset(time) < 0 ? "-" : "+") + Self.digits([minutes / 60, minutes % 60])
      })
  }

  /// `2026-11-20 09:10`
  package func stamp(_ time: Timestamp) -> String { day(time) + " " + minute(time) }

  private static func digits(_ parts: [Int]) -> String { parts.map { padded($0) }.joined(separator: ":") }

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
