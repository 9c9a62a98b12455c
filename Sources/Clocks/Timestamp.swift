/// A point in time on the wall clock, in milliseconds since 1970-01-01T00:00:00Z; negative before.
///
/// Written as RFC 3339 in UTC with milliseconds (`2026-11-20T09:10:00.123Z`); the years 0001 to 9999 can be written
/// and read.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// 0001-01-01T00:00:00.000Z, the earliest that has a written form.
  package static let earliestWritten = Timestamp(milliseconds: -62_135_596_800_000)
  /// 9999-12-31T23:59:59.999Z, the latest that has a written form.
  package static let latestWritten = Timestamp(milliseconds: 253_402_300_799_999)

  /// This time moved by `interval`, saturating.
  package func advanced(by interval: Interval) -> Timestamp {
    Timestamp(milliseconds: Saturating.add(milliseconds, interval.milliseconds))
  }

  /// The time from `right` to `left`, saturating.
  package static func - (left: Timestamp, right: Timestamp) -> Interval {
    Interval(milliseconds: Saturating.subtract(left.milliseconds, right.milliseconds))
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

// MARK: - Writing

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC, always 24 bytes: `2026-11-20T09:10:00.123Z`. Times outside the written years are written as
  /// the nearest that has a form, so that what is written can always be read.
  package var rfc3339: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  package var description: String { rfc3339 }

  /// Appends what `rfc3339` says, without a String between.
  package func append(to bytes: inout [UInt8]) {
    let written = max(Self.earliestWritten, min(Self.latestWritten, self))
    let date = CivilDate(written)
    let fraction = written.milliseconds - CivilDate.floorDivide(written.milliseconds, 1000) * 1000
    bytes.append(addingCapacity: 24) { output in
      Self.appendTwo(Int(date.year) / 100, to: &output)
      Self.appendTwo(Int(date.year) % 100, to: &output)
      Self.append("-", date.month, to: &output)
      Self.append("-", date.day, to: &output)
      Self.append("T", date.hour, to: &output)
      Self.append(":", date.minute, to: &output)
      Self.append(":", date.second, to: &output)
      output.append(UInt8(ascii: "."))
      output.append(Self.digit(Int(fraction) / 100))
      Self.appendTwo(Int(fraction) % 100, to: &output)
      output.append(UInt8(ascii: "Z"))
    }
  }

  @inline(__always)
  private static func append(_ separator: Unicode.Scalar, _ value: Int, to bytes: inout OutputSpan<UInt8>) {
    bytes.append(UInt8(ascii: separator))
    appendTwo(value, to: &bytes)
  }

  @inline(__always)
  private static func appendTwo(_ value: Int, to bytes: inout OutputSpan<UInt8>) {
    bytes.append(digit(value / 10))
    bytes.append(digit(value % 10))
  }

  @inline(__always)
  private static func digit(_ value: Int) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }
}
