package import Clocks

/// The heading of a section: the day and minute of its first message, as people near the daemon read clocks.
package enum SectionTitle {
  /// `YYYY-MM-DD HH:MM` of a time, at an offset from UTC that the caller looked up for that time (east is positive).
  package static func text(_ start: Timestamp, offsetSeconds: Int) -> String {
    let date = CivilDate(start, offsetSeconds: offsetSeconds)
    let day = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    return "\(day) \(padded(date.hour, 2)):\(padded(date.minute, 2))"
  }

  /// A number in decimal with zeroes before it, so that it has at least `width` digits; the sign comes before them.
  private static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
    let digits = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
