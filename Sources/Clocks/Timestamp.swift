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
    unsafe String(unsafeUninitializedCapacity: 24) { buffer in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      append(to: &output)
      return unsafe output.finalize(for: buffer)
    }
  }

  package var description: String { rfc3339 }

  /// Appends the 24 bytes that `rfc3339` says.
  package func append(to output: inout OutputSpan<UInt8>) {
    let written = max(Self.earliestWritten, min(Self.latestWritten, self))
    let date = CivilDate(written)
    let fraction = Int(written.milliseconds - CivilDate.floorDivide(written.milliseconds, 1000) * 1000)
    precondition(output.freeCapacity >= 24)
    unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      let text = unsafe UnsafeMutableBufferPointer(rebasing: buffer[count...])
      unsafe Self.put(Int(date.year) / 100, "-", into: text, at: 0)
      unsafe Self.put(Int(date.year) % 100, "-", into: text, at: 2)
      unsafe Self.put(date.month, "-", into: text, at: 5)
      unsafe Self.put(date.day, "T", into: text, at: 8)
      unsafe Self.put(date.hour, ":", into: text, at: 11)
      unsafe Self.put(date.minute, ":", into: text, at: 14)
      unsafe Self.put(date.second, ".", into: text, at: 17)
      unsafe Self.put(fraction / 10, "Z", into: text, at: 20)
      unsafe text[22] = Self.digit(fraction % 10)
      unsafe text[23] = UInt8(ascii: "Z")
      count += 24
    }
  }

  /// Puts two digits and what stands behind them.
  @inline(__always)
  private static func put(
    _ value: Int, _ next: Unicode.Scalar, into text: UnsafeMutableBufferPointer<UInt8>, at place: Int
  ) {
    unsafe text[place] = digit(value / 10)
    unsafe text[place + 1] = digit(value % 10)
    unsafe text[place + 2] = UInt8(ascii: next)
  }

  @inline(__always)
  private static func digit(_ value: Int) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }
}
