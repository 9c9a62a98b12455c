package import Clocks

/// The heading of a section: the day and minute of its first message, as people near the daemon read clocks.
package enum SectionTitle {
  /// Appends `YYYY-MM-DD HH:MM` of a time, at an offset from UTC that the caller looked up for that time (east is
  /// positive).
  package static func append(_ start: Timestamp, offsetSeconds: Int, to bytes: inout [UInt8]) {
    let date = CivilDate(start, offsetSeconds: offsetSeconds)
    if date.year < 0 { bytes.append(UInt8(ascii: "-")) }
    append(date.year.magnitude, width: 4, to: &bytes)
    append("-", date.month, to: &bytes)
    append("-", date.day, to: &bytes)
    append(" ", date.hour, to: &bytes)
    append(":", date.minute, to: &bytes)
  }

  private static func append(_ separator: Unicode.Scalar, _ number: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: separator))
    append(UInt64(number), width: 2, to: &bytes)
  }

  /// A number in decimal with zeros before it, so that it has at least `width` digits.
  private static func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
    if width > 1 || number > 9 { append(number / 10, width: width - 1, to: &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
