package import Clocks

/// Times as a person reads them, in the zone of the process.
package struct LocalClock {
  private let offset: (Timestamp) -> Int

  /// - Parameter offset: seconds east of UTC at a time.
  package init(offset: @escaping (Timestamp) -> Int) {
    self.offset = offset
  }

  /// `2026-11-20`
  package func day(_ time: Timestamp) -> String {
    let date = CivilDate(time, offsetSeconds: offset(time))
    return "\(Self.padded(Int(date.year), 4))-\(Self.padded(date.month))-\(Self.padded(date.day))"
  }

  /// `09:10`
  package func minute(_ time: Timestamp) -> String {
    let date = CivilDate(time, offsetSeconds: offset(time))
    return "\(Self.padded(date.hour)):\(Self.padded(date.minute))"
  }

  /// `09:10:05`
  package func second(_ time: Timestamp) -> String {
    minute(time) + ":" + Self.padded(CivilDate(time, offsetSeconds: offset(time)).second)
  }

  /// `2026-11-20 09:10`
  package func stamp(_ time: Timestamp) -> String { day(time) + " " + minute(time) }

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
