import CLinux

/// How the user's locale (LC_TIME) writes dates. newlocale(3), nl_langinfo(3)
package struct LocaleNames: Equatable, Sendable {
  /// Seven, Sunday first.
  package let weekdays: [String]
  /// Twelve.
  package let months: [String]
  /// `2:05 PM` instead of `14:05`.
  package let hasTwelveHours: Bool

  /// Reads them; nil if the locale is not installed.
  package static func ofUser() -> LocaleNames? {
    guard let locale = unsafe clinux_locale_open() else { return nil }
    defer { unsafe clinux_locale_close(locale) }
    return unsafe LocaleNames(
      weekdays: (0..<7).map { unsafe String(cString: clinux_locale_weekday(locale, $0)) },
      months: (0..<12).map { unsafe String(cString: clinux_locale_month(locale, $0)) },
      hasTwelveHours: clinux_locale_has_twelve_hours(locale) == 1)
  }
}
