import Clocks
import Testing

@Suite("Timestamp: RFC 3339 and XEP-0082")
struct TimestampTests {
  @Test(
    "known times are read",
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("1970-01-01T00:00:00.001Z", 1),
      ("1969-12-31T23:59:59.999Z", -1),
      ("1969-07-21T02:56:15Z", -14_159_025_000),
      ("2026-11-20T09:10:00.123Z", 1_795_165_800_123),
      ("2000-02-29T00:00:00Z", 951_782_400_000),
      ("1900-03-01T00:00:00Z", -2_203_891_200_000),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("1969-07-20T21:56:15-05:00", -14_159_025_000),
      ("1970-01-01T05:30:00+05:30", 0),
      ("1970-01-01T00:00:00-00:00", 0),
      ("1970-01-01t00:00:00z", 0),
      ("1970-01-01T00:00:00.5Z", 500),
      ("1970-01-01T00:00:00.123999999999999999999999Z", 123),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ] as [(String, Int64)])
  func reads(text: String, milliseconds: Int64) {
    #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
  }

  @Test(
    "a bound is never before what it was written as",
    arguments: [
      ("1970-01-01T00:00:00.0005Z", 1), ("1970-01-01T00:00:00.0000000001Z", 1), ("1970-01-01T00:00:00.0010Z", 1),
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.999000001Z", 1000), ("1969-12-31T23:59:59.9991Z", 0),
      ("9999-12-31T23:59:59.9999Z", 253_402_300_799_999),
    ] as [(String, Int64)])
  func roundsUp(text: String, milliseconds: Int64) {
    #expect(Timestamp(rfc3339: text, roundsUp: true)?.milliseconds == milliseconds)
  }

  @Test(
    "what is no time is refused",
    arguments: [
      "", "1970", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01 00:00:00Z", "19700101T00:00:00Z",
      "1970-01-01T00:00:00.Z", "1970-01-01T00:00Z", "1970-01-01T24:00:00Z", "1970-01-01T23:60:00Z",
      "1970-01-01T00:00:61Z", "1970-13-01T00:00:00Z", "1970-00-01T00:00:00Z", "1970-01-00T00:00:00Z",
      "1970-04-31T00:00:00Z", "1970-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
      "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "+1970-01-01T00:00:00Z",
      "1970-01-01T00:00:00+24:00", "1970-01-01T00:00:00+00:60", "1970-01-01T00:00:00+0530",
      "1970-01-01T00:00:00Zjunk", "1970-01-01T00:00:00Z ", " 1970-01-01T00:00:00Z", "1970-01-01T00:00:00ZZ",
      "１970-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z",
    ])
  func refuses(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test("written and read back is the same, on both sides of 1970 and of leap days")
  func roundTrips() {
    var milliseconds = Timestamp.earliestWritten.milliseconds
    while milliseconds <= Timestamp.latestWritten.milliseconds {
      let time = Timestamp(milliseconds: milliseconds)
      #expect(Timestamp(rfc3339: time.rfc3339) == time)
      #expect(time.rfc3339.utf8.count == 24)
      milliseconds += 86_400_000 * 1201 + 12_345_678
    }
  }

  @Test("written form sorts as the times do")
  func order() {
    let times = [-62_135_596_800_000, -1, 0, 999, 1000, 253_402_300_799_999].map(Timestamp.init(milliseconds:))
    #expect(times.map(\.rfc3339) == times.map(\.rfc3339).sorted())
    #expect(times == times.sorted())
  }

  @Test("times without a written form are written as the nearest that has one")
  func clamped() {
    #expect(Timestamp(milliseconds: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: .min).rfc3339 == "0001-01-01T00:00:00.000Z")
  }

  @Test("arithmetic saturates")
  func saturates() {
    let end = Timestamp(milliseconds: .max)
    let start = Timestamp(milliseconds: .min)
    #expect(end.advanced(by: .milliseconds(1)) == end)
    #expect(start.advanced(by: .milliseconds(-1)) == start)
    #expect(end - start == Interval(milliseconds: .max))
    #expect(start - end == Interval(milliseconds: .min))
    #expect(Instant(milliseconds: .max).advanced(by: .days(1)) == Instant(milliseconds: .max))
    #expect(Instant(milliseconds: 5) - Instant(milliseconds: 7) == .milliseconds(-2))
  }
}
