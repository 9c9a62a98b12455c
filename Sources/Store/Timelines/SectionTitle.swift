package import Clocks

/// The heading of a section: the day and minute of its first message, as people near the daemon read clocks.
package enum SectionTitle {
  /// Bytes of one, at most.
  package static let longest = 32

  /// Appends `YYYY-MM-DD HH:MM` of a time, at an offset from UTC that the caller looked up for that time (east is
  /// positive).
  package static func append(_ start: Timestamp, offsetSeconds: Int, to output: inout OutputSpan<UInt8>) {
    let date = CivilDate(start, offsetSeconds: offsetSeconds)
    if date.year < 0 { output.append(UInt8(ascii: "-")) }
    append(date.year.magnitude, width: 4, to: &output)
    append("-", date.month, to: &output)
    append("-", date.day, to: &output)
    append(" ", date.hour, to: &output)
    append(":", date.minute, to: &output)
  }

  private static func append(_ separator: Unicode.Scalar, _ number: Int, to output: inout OutputSpan<UInt8>) {
    output.append(UInt8(ascii: separator))
    append(UInt64(number), width: 2, to: &output)
  }

  /// A number in decimal with zeros before it, so that it has at least `width` digits.
  private static func append(_ number: UInt64, width: Int, to output: inout OutputSpan<UInt8>) {
    if width > 1 || number > 9 { append(number / 10, width: width - 1, to: &output) }
    output.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
