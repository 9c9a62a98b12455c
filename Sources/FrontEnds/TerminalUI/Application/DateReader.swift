import Clocks

/// Reads a date as people write one.
struct DateReader {
  let now: Timestamp
  let offset: (Timestamp) -> Int

  /// `2026-11-20`, `2026-11-20 14:05`, `today`, `yesterday`, a weekday (the last one); nil: none of these.
  func time(_ text: String) -> Timestamp? {
    let parts = text.lowercased().split(separator: " ")
    guard let first = parts.first, parts.count <= 2, let day = day(first) else { return nil }
    let minutes = parts.count == 2 ? minutes(parts[1]) : 0
    guard let minutes else { return nil }
    let local = Timestamp(milliseconds: (day * 24 * 60 + Int64(minutes)) * 60_000)
    return Timestamp(milliseconds: local.milliseconds - Int64(offset(local)) * 1000)
  }

  /// Days since 1970-01-01, where the user is.
  private func day(_ word: Substring) -> Int64? {
    let today = CivilDate(now, offsetSeconds: offset(now)).dayNumber
    switch word {
    case "today": return today
    case "yesterday": return today - 1
    default: break
    }
    if let weekday = DateWords.weekdays.firstIndex(where: { $0.lowercased().hasPrefix(word) && word.count >= 2 }) {
      let distance = (today + 4 - Int64(weekday)) % 7
      return today - (distance == 0 ? 7 : distance)
    }
    let numbers = word.split(separator: "-").map { Int($0) }
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2] else { return nil }
    guard (1970...9999).contains(year), (1...12).contains(month) else { return nil }
    guard (1...CivilDate.length(ofMonth: month, year: Int64(year))).contains(day) else { return nil }
    return CivilDate.days(year: Int64(year), month: month, day: day)
  }

  private func minutes(_ word: Substring) -> Int? {
    let numbers = word.split(separator: ":").map { Int($0) }
    guard numbers.count == 2, let hour = numbers[0], let minute = numbers[1] else { return nil }
    return (0..<24).contains(hour) && (0..<60).contains(minute) ? hour * 60 + minute : nil
  }
}
