import Clocks
import Testing

@Suite("Interval")
struct IntervalTests {
  @Test(
    "durations are read",
    arguments: [
      ("1500ms", 1500), ("90s", 90_000), ("30m", 1_800_000), ("24h", 86_400_000), ("7d", 604_800_000), ("0s", 0),
      ("007s", 7000), ("9223372036854775807ms", .max), ("106751991167d", 106_751_991_167 * 86_400_000),
    ] as [(String, Int64)])
  func reads(text: String, milliseconds: Int64) {
    #expect(Interval(text)?.milliseconds == milliseconds)
  }

  @Test(
    "what is no duration is refused",
    arguments: [
      "", "s", "ms", "5", "-5s", "+5s", "5 s", " 5s", "5s ", "1.5s", "5S", "5min", "5w", "1h30m", "٣s", "5ｓ",
      "9223372036854775808ms", "106751991168d", "99999999999999999999999999s", "1e3s",
    ])
  func refuses(text: String) {
    #expect(Interval(text) == nil)
  }

  @Test(
    "described in the largest unit that divides it, and read back",
    arguments: [(0, "0s"), (1, "1ms"), (1500, "1500ms"), (60_000, "1m"), (86_400_000, "1d"), (5_400_000, "90m")]
      as [(Int64, String)])
  func describes(milliseconds: Int64, text: String) {
    #expect(Interval(milliseconds: milliseconds).description == text)
    #expect(Interval(text)?.milliseconds == milliseconds)
  }

  @Test("factories saturate")
  func saturates() {
    #expect(Interval.days(.max).milliseconds == .max)
    #expect(Interval.seconds(.min).milliseconds == .min)
    #expect(Interval.hours(24) == Interval.days(1))
    #expect(Interval.minutes(2) > Interval.seconds(119))
  }
}
