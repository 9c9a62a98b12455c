package import Clocks
import ConfabClient

/// How dates and times are written: in English, as all of the UI, and in the order of the user's locale
/// ([decision 0073](docs/decisions/0073-dates-in-english.md)).
package struct DateWords: Hashable, Sendable {
  /// The order of a date's parts.
  package enum Order: Hashable, Sendable {
    /// `3 March 2024`
    case dayFirst
    /// `March 3, 2024`
    case monthFirst
    /// `2024 March 3`
    case yearFirst
  }

  package var order = Order.dayFirst
  /// `2:05 PM` instead of `14:05`.
  package var hasTwelveHours = false

  package init() {}

  /// - Parameters: formats of strftime(3).
  package init(dateFormat: String, timeFormat: String) {
    let parts = dateFormat.replacing("%D", with: "%m/%d/%y").replacing("%F", with: "%Y-%m-%d")
    let letters = parts.split(separator: "%").compactMap { $0.first { !"-_0E^O".contains($0) } }
    switch letters.first(where: { "demBbhyYGC".contains($0) }) {
    case "d", "e", nil: order = .dayFirst
    case "m", "B", "b", "h": order = .monthFirst
    default: order = .yearFirst
    }
    hasTwelveHours = ["%r", "%I", "%l"].contains { timeFormat.contains($0) }
  }

  package static let english = DateWords()

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// `9:05`, or `9:05 AM`.
  package func time(_ date: CivilDate) -> String {
    let minute = (date.minute < 10 ? "0" : "") + String(date.minute)
    guard hasTwelveHours else { return "\(date.hour):\(minute)" }
    return "\((date.hour + 11) % 12 + 1):\(minute) \(date.hour < 12 ? "AM" : "PM")"
  }

  /// `Today`, `Yesterday`, `Monday` within the last week, else `3 March 2024`.
  package func day(_ date: CivilDate, today: CivilDate) -> String {
    switch today.dayNumber - date.dayNumber {
    case 0: "Today"
    case 1: "Yesterday"
    case 2...6: weekday(date)
    default: fullDay(date)
    }
  }

  /// `3 March 2024`
  func fullDay(_ date: CivilDate) -> String { full(date, month: Self.months[date.month - 1]) }

  private func full(_ date: CivilDate, month: String) -> String {
    switch order {
    case .dayFirst: "\(date.day) \(month) \(date.year)"
    case .monthFirst: "\(month) \(date.day), \(date.year)"
    case .yearFirst: "\(date.year) \(month) \(date.day)"
    }
  }

  /// For a column of a list: `14:05` today, `Mon` within the last week, `3 Mar` within the last year, else `3 Mar 2024`.
  package func short(_ date: CivilDate, today: CivilDate) -> String {
    switch today.dayNumber - date.dayNumber {
    case 0: time(date)
    case 1...6: String(weekday(date).prefix(3))
    case 7..<300: order == .dayFirst ? "\(date.day) \(month(date))" : "\(month(date)) \(date.day)"
    default: full(date, month: month(date))
    }
  }

  private func month(_ date: CivilDate) -> String { String(Self.months[date.month - 1].prefix(3)) }

  private func weekday(_ date: CivilDate) -> String {
    // 1970-01-01 was a Thursday.
    TimeWords.weekdays[Int(((date.dayNumber + 4) % 7 + 7) % 7)]
  }
}
