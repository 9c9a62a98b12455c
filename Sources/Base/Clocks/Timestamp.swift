import Bytes

/// A point in time on the wall clock, in milliseconds since 1970-01-01T00:00:00Z; negative before.
///
/// Written as RFC 3339 in UTC with milliseconds (`2026-11-20T09:10:00.123Z`); the years 0001 to 9999 can be written
/// and read.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// 0001-01-01T00:00:00.000Z, the earliest that has a written form.
  public static let earliestWritten = Timestamp(milliseconds: -62_135_596_800_000)
  /// 9999-12-31T23:59:59.999Z, the latest that has a written form.
  public static let latestWritten = Timestamp(milliseconds: 253_402_300_799_999)

  /// This time moved by `interval`, saturating.
  public func advanced(by interval: Interval) -> Timestamp {
    Timestamp(milliseconds: Saturating.add(milliseconds, interval.milliseconds))
  }

  /// The time from `right` to `left`, saturating.
  public static func - (left: Timestamp, right: Timestamp) -> Interval {
    Interval(milliseconds: Saturating.subtract(left.milliseconds, right.milliseconds))
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

// MARK: - Writing

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC, always 24 bytes: `2026-11-20T09:10:00.123Z`. Times outside the written years are written as
  /// the nearest that has a form, so that what is written can always be read.
  public var rfc3339: String {
    unsafe String(unsafeUninitializedCapacity: 24) { buffer in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      append(to: &output)
      return unsafe output.finalize(for: buffer)
    }
  }

  public var description: String { rfc3339 }

  /// Appends the 24 bytes that `rfc3339` says.
  public func append(to output: inout OutputSpan<UInt8>) {
    let (date, time, fraction) = digits
    // YYYY-MM-, DDThh:mm and :ss.fffZ.
    let words: InlineArray<3, UInt64> = [
      Self.part(0..<4, of: date, at: 0) | Self.byte("-", at: 4) | Self.part(4..<6, of: date, at: 5)
        | Self.byte("-", at: 7),
      Self.part(6..<8, of: date, at: 0) | Self.byte("T", at: 2) | Self.part(0..<2, of: time, at: 3)
        | Self.byte(":", at: 5) | Self.part(2..<4, of: time, at: 6),
      Self.byte(":", at: 0) | Self.part(4..<6, of: time, at: 1) | Self.byte(".", at: 3)
        | Self.part(6..<8, of: time, at: 4) | fraction &<< 48 | Self.byte("Z", at: 7),
    ]
    precondition(output.freeCapacity >= 24)
    unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
      for index in words.indices {
        unsafe room.storeBytes(of: words[index].littleEndian, toByteOffset: 8 * index, as: UInt64.self)
      }
      count += 24
    }
  }

  /// YYYYMMDD, hhmmssff and the last digit of the fraction, in ASCII, the first one in the lowest byte.
  @inline(__always)
  private var digits: (date: UInt64, time: UInt64, fraction: UInt64) {
    let written = max(Self.earliestWritten, min(Self.latestWritten, self))
    let date = CivilDate(written)
    let fraction = Int(written.milliseconds - CivilDate.floorDivide(written.milliseconds, 1000) * 1000)
    let day = (Int(date.year) * 100 + date.month) * 100 + date.day
    let time = ((date.hour * 100 + date.minute) * 100 + date.second) * 100 + fraction / 10
    return (
      Digits.eight(UInt32(truncatingIfNeeded: day)), Digits.eight(UInt32(truncatingIfNeeded: time)),
      UInt64(UInt8(ascii: "0")) + UInt64(fraction % 10)
    )
  }

  /// Some of eight digits, moved to a place of a word.
  @inline(__always)
  private static func part(_ range: Range<UInt64>, of digits: UInt64, at place: UInt64) -> UInt64 {
    let part = digits &>> (8 * range.lowerBound) & (1 &<< (8 * UInt64(range.count)) - 1)
    return part &<< (8 * place)
  }

  @inline(__always)
  private static func byte(_ byte: Unicode.Scalar, at place: UInt64) -> UInt64 {
    UInt64(UInt8(ascii: byte)) &<< (8 * place)
  }
}
