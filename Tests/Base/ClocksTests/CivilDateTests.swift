import Clocks
import Testing

@Suite("CivilDate")
struct CivilDateTests {
  /// Walks the calendar a day at a time beside the arithmetic: slow, plain, and independent of it.
  @Test("every day of 1896 to 2104 agrees with a calendar walked by hand")
  func everyDay() {
    var (year, month, day) = (Int64(1896), 1, 1)
    var days = CivilDate.days(year: 1896, month: 1, day: 1)
    #expect(days == -27_028)
    while year < 2105 {
      let date = CivilDate(Timestamp(milliseconds: days * 86_400_000 + 86_399_999))
      #expect(date.year == year && date.month == month && date.day == day)
      #expect(date.hour == 23 && date.minute == 59 && date.second == 59)
      #expect(CivilDate.days(year: year, month: month, day: day) == days)
      days += 1
      day += 1
      if day > CivilDate.length(ofMonth: month, year: year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }

  @Test("leap years", arguments: [(2000, true), (1900, false), (2024, true), (2023, false), (0, true), (-4, true)])
  func leapYears(year: Int64, leap: Bool) {
    #expect(CivilDate.isLeap(year) == leap)
    #expect(CivilDate.length(ofMonth: 2, year: year) == (leap ? 29 : 28))
  }

  @Test("an offset moves the day, and is bounded")
  func offsets() {
    let time = Timestamp(milliseconds: -1)
    #expect(CivilDate(time).year == 1969)
    #expect(CivilDate(time, offsetSeconds: 3600).hour == 0)
    #expect(CivilDate(time, offsetSeconds: 3600).year == 1970)
    #expect(CivilDate(Timestamp(milliseconds: 0), offsetSeconds: -1).day == 31)
    #expect(CivilDate(time, offsetSeconds: .max) == CivilDate(time, offsetSeconds: 86_400))
  }

  @Test("the ends of the scale do not trap", arguments: [Int64.min, .max])
  func ends(milliseconds: Int64) {
    let date = CivilDate(Timestamp(milliseconds: milliseconds), offsetSeconds: .max)
    #expect((1...12).contains(date.month) && (1...31).contains(date.day))
  }
}
