import Clocks
import Screen
import Testing

@testable import TerminalUI

struct LayoutDateTests {
  /// A Wednesday.
  private let today = LayoutDateTests.date("2026-11-25T20:00:00.000Z")

  private static func date(_ time: String) -> CivilDate {
    CivilDate(Timestamp(rfc3339: time) ?? Timestamp(milliseconds: 0))
  }

  @Test(
    "a day is called as people call it",
    arguments: [
      ("2026-11-25T14:05:00.000Z", "Today 14:05", "14:05"), ("2026-11-24T09:30:00.000Z", "Yesterday 9:30", "Tue"),
      ("2026-11-23T09:30:00.000Z", "Monday 9:30", "Mon"), ("2026-11-19T00:00:00.000Z", "Thursday 0:00", "Thu"),
      ("2026-11-18T23:59:00.000Z", "18 November 2026 23:59", "18 Nov"),
      ("2024-03-03T18:00:00.000Z", "3 March 2024 18:00", "3 Mar 2024"),
      ("2026-11-26T08:00:00.000Z", "26 November 2026 8:00", "26 Nov 2026"),
      ("1969-12-28T08:00:00.000Z", "28 December 1969 8:00", "28 Dec 1969"),
    ])
  func days(time: String, heading: String, short: String) {
    let words = DateWords.english
    let date = Self.date(time)
    #expect(words.day(date, today: today) + " " + words.time(date) == heading)
    #expect(words.short(date, today: today) == short)
  }

  @Test(
    "the parts stand in the order of the locale",
    arguments: [
      ("%d.%m.%Y", "3 March 2024", "3 Mar 2024", "18 Nov"), ("%d/%m/%y", "3 March 2024", "3 Mar 2024", "18 Nov"),
      ("%m/%d/%Y", "March 3, 2024", "Mar 3, 2024", "Nov 18"), ("%D", "March 3, 2024", "Mar 3, 2024", "Nov 18"),
      ("%-m/%-d/%Y", "March 3, 2024", "Mar 3, 2024", "Nov 18"),
      ("%Y年%m月%d日", "2024 March 3", "2024 Mar 3", "Nov 18"), ("%F", "2024 March 3", "2024 Mar 3", "Nov 18"),
      ("%Ey/%m/%d", "2024 March 3", "2024 Mar 3", "Nov 18"), ("", "3 March 2024", "3 Mar 2024", "18 Nov"),
    ])
  func order(format: String, day: String, short: String, near: String) {
    let words = DateWords(dateFormat: format, timeFormat: "%H:%M:%S")
    let date = Self.date("2024-03-03T18:00:00.000Z")
    #expect(words.day(date, today: today) == day)
    #expect(words.short(date, today: today) == short)
    #expect(words.short(Self.date("2026-11-18T23:59:00.000Z"), today: today) == near)
  }

  @Test("the day has twice twelve hours where the locale's time has", arguments: ["%r", "%I:%M:%S %p", "%l:%M %p"])
  func hours(format: String) {
    #expect(DateWords(dateFormat: "%D", timeFormat: format).hasTwelveHours)
    #expect(!DateWords(dateFormat: "%D", timeFormat: "%H:%M:%S").hasTwelveHours)
  }

  @Test(
    "twelve hours have noon and midnight",
    arguments: [(0, "12:05 AM"), (11, "11:05 AM"), (12, "12:05 PM"), (13, "1:05 PM")])
  func twelveHours(hour: Int, expected: String) {
    var words = DateWords.english
    words.hasTwelveHours = true
    var date = today
    (date.hour, date.minute) = (hour, 5)
    #expect(words.time(date) == expected)
  }

  @Test("weekdays before 1970 are right")
  func beforeEpoch() {
    let date = Self.date("1969-12-29T08:00:00.000Z")
    #expect(DateWords.english.day(date, today: Self.date("1969-12-31T08:00:00.000Z")) == "Monday")
  }

  @Test("lines between messages are as wide as the pane")
  func rules() {
    let context = LayoutSupport.context(40)
    let heading = RuleLines.heading(Self.date("2026-11-25T14:05:00.000Z"), today: today, in: context)
    #expect(heading.plain == "───────────── Today 14:05 ──────────────")
    #expect(RuleLines.unread(5, in: context).plain == "────────── 5 unread messages ───────────")
    #expect(RuleLines.typing("Bob", in: context).plain == "  Bob is typing …")
    #expect(RuleLines.newBelow(3, in: context).plain == " ↓ 3 new below")
  }

  @Test("lines between messages fit into any width", arguments: 0...40)
  func narrow(width: Int) {
    let context = LayoutSupport.context(width)
    let lines = [
      RuleLines.heading(today, today: today, in: context), RuleLines.unread(5, in: context),
      RuleLines.typing("Bob the Builder", in: context), RuleLines.newBelow(3, in: context),
    ]
    for line in lines { #expect(line.width <= width) }
  }
}
