import Glibc

/// How the user's locale (LC_TIME) writes dates and times, as formats of strftime(3). newlocale(3), nl_langinfo(3)
package struct LocaleFormats: Equatable, Sendable {
  package let date: String
  package let time: String

  package init(date: String, time: String) {
    (self.date, self.time) = (date, time)
  }

  /// Reads them; nil if the locale is not installed.
  ///
  /// - Parameter name: of a locale; empty: what `LC_ALL`, `LC_TIME` and `LANG` say.
  package static func of(_ name: String = "") -> LocaleFormats? {
    guard let locale = unsafe newlocale(LC_TIME_MASK, name, nil) else { return nil }
    defer { unsafe freelocale(locale) }
    guard let date = unsafe nl_langinfo_l(nl_item(D_FMT), locale),
      let time = unsafe nl_langinfo_l(nl_item(T_FMT), locale)
    else { return nil }
    return unsafe LocaleFormats(date: String(cString: date), time: String(cString: time))
  }
}
