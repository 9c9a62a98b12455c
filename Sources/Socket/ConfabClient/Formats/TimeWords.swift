package import Clocks

/// Times as people type them where the person is. RFC 3339 is parsed elsewhere.
package struct TimeWords {
  private let now: () -> Timestamp?
  private let offset: (Timestamp) -> Int

  /// - Parameters:
  ///   - now: nil if the clock is unknown.
  ///   - offset: seconds east of UTC at a given time.
  package init(now: @escaping () -> Timestamp?, offset: @escaping (Timestamp) -> Int) {
    (self.now, self.offset) = (now, offset)
  }

  package static let expectation =
    "a time such as 2026-11-20, '2026-11-20 09:10', 09:10, today, yesterday, Monday, 2h (ago) or 2026-11-20T09:10:00Z"

  /// The expected forms of a future time, for errors.
  package static let expectationAhead =
    "a time such as 2h (from now), tomorrow, 09:10, 2026-11-20, '2026-11-20 09:10' or 2026-11-20T09:10:00Z"

  /// Reads `2h` (two hours ago), `now`, `today`, `yesterday` and `tomorrow` (their midnight), a weekday or its beginning (its midnight, of the last week or, ahead, of the next one), a date (its midnight), a
  /// time of day (today's), or a date and a time of day separated by a space or a `T`; nil for anything else.
  ///
  /// - Parameter isAhead: a time to come is meant: `2h` is in two hours, and a time of day that is over is tomorrow's.
  package func read(_ text: String, isAhead: Bool = false) -> Timestamp? {
    guard let now = now() else { return nil }
    if text == "now" { return now }
    if let interval = Interval(text) {
      return now.advanced(by: isAhead ? interval : .milliseconds(-interval.milliseconds))
    }
    let isWord = text.first?.isLetter ?? false
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == " " || $0 == "T" && !isWord }
    guard parts.count == 2 else {
      if let day = day(text[...], now, isAhead) { return time(day, 0) }
      guard let second = Self.secondOfDay(text[...]), let today = day("today", now, false) else { return nil }
      let time = time(today, second)
      return isAhead && time <= now ? self.time(today + 1, second) : time
    }
    guard let day = day(parts[0], now, isAhead), let second = Self.secondOfDay(parts[1]) else { return nil }
    return time(day, second)
  }

  /// The number of a day, counted from 1970-01-01.
  private func day(_ text: Substring, _ now: Timestamp, _ isAhead: Bool) -> Int64? {
    let today = CivilDate(now, offsetSeconds: offset(now))
    switch text.lowercased() {
    case "today": return today.dayNumber
    case "yesterday": return today.dayNumber - 1
    case "tomorrow": return today.dayNumber + 1
    default:
      if let weekday = Self.weekday(text) {
        let daysAgo = 1 + (today.dayNumber + 3 - weekday) % 7
        return today.dayNumber - daysAgo + (isAhead ? daysAgo == 7 ? 14 : 7 : 0)
      }
      guard let parts = Self.numbers(text, separator: "-", widths: [4...4, 1...2, 1...2]), (1...12).contains(parts[1]),
        (1...CivilDate.length(ofMonth: parts[1], year: Int64(parts[0]))).contains(parts[2])
      else { return nil }
      return CivilDate.days(year: Int64(parts[0]), month: parts[1], day: parts[2])
    }
  }

  /// `09:10`, `09:10:05`
  private static func secondOfDay(_ text: Substring) -> Int? {
    guard
      let parts = numbers(text, separator: ":", widths: [1...2, 2...2, 2...2])
        ?? numbers(text, separator: ":", widths: [1...2, 2...2]),
      parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
  }

  /// Sunday first.
  package static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

  /// From 0 for Sunday, by two letters or more.
  private static func weekday(_ text: Substring) -> Int64? {
    let word = text.lowercased()
    return word.count < 2 ? nil : weekdays.firstIndex { $0.lowercased().hasPrefix(word) }.map(Int64.init)
  }

  /// Numbers with so many digits each.
  private static func numbers(_ text: Substring, separator: Character, widths: [ClosedRange<Int>]) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == widths.count, zip(parts, widths).allSatisfy({ $1.contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return parts.compactMap { Int($0) }
  }

  /// The moment at which the local clock shows this time. If the clocks change that day, so that it shows the time
  /// twice or never: a moment within an hour.
  private func time(_ day: Int64, _ second: Int) -> Timestamp {
    let local = Timestamp(milliseconds: (day * 86_400 + Int64(second)) * 1000)
    let guess = local.advanced(by: .seconds(-Int64(offset(local))))
    return local.advanced(by: .seconds(-Int64(offset(guess))))
  }
}

extension CivilDate {
  /// Days since 1970-01-01.
  package var dayNumber: Int64 { Self.days(year: year, month: month, day: day) }
}
