package import Clocks

/// How dates and times are written: the names come from the user's locale (`nl_langinfo`).
package struct DateWords: Hashable, Sendable {
  /// Seven, Sunday first.
  package var weekdays: [String]
  /// Twelve.
  package var months: [String]
  /// `2:05 PM` instead of `14:05`.
  package var hasTwelveHours: Bool

  package init(weekdays: [String], months: [String], hasTwelveHours: Bool = false) {
    self.weekdays = weekdays
    self.months = months
    self.hasTwelveHours = hasTwelveHours
  }

  package static let english = DateWords(
    weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
    months: [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ])

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
    default: "\(date.day) \(months[date.month - 1]) \(date.year)"
    }
  }

  /// For a column of a list: `14:05` today, `Mon` within the last week, `3 Mar` within the last year, else `3 Mar 2024`.
  package func short(_ date: CivilDate, today: CivilDate) -> String {
    switch today.dayNumber - date.dayNumber {
    case 0: time(date)
    case 1...6: String(weekday(date).prefix(3))
    case 7..<300: "\(date.day) \(months[date.month - 1].prefix(3))"
    default: "\(date.day) \(months[date.month - 1].prefix(3)) \(date.year)"
    }
  }

  private func weekday(_ date: CivilDate) -> String {
    // 1970-01-01 was a Thursday.
    weekdays[Int(((date.dayNumber + 4) % 7 + 7) % 7)]
  }
}

extension CivilDate {
  /// Days since 1970-01-01.
  var dayNumber: Int64 { Self.days(year: year, month: month, day: day) }
}
