package import ConfabConfiguration
import Screen

/// Reads `tui.conf`: sections `[ui]`, `[keys]`, `[colours]`. A wrong line is named, and the rest holds.
package enum UISettingsReader {
  package static func read(_ bytes: [UInt8], file: String) -> (UISettings, [ConfigurationError]) {
    let text = IniFile(bytes, file: file)
    var settings = UISettings()
    var errors = text.errors
    for header in text.headers where !sections.contains(header.name) {
      errors.append(
        ConfigurationError(file: file, line: header.line, expected: expectedSection, found: "[\(header.name)]"))
    }
    for entry in text.entries {
      if entry.section.isEmpty, !text.headers.contains(where: { $0.line < entry.line }) {
        errors.append(sectionless(entry, file))
      } else if let expected = take(entry, &settings) {
        errors.append(
          ConfigurationError(
            file: file, line: entry.line, section: entry.section, key: entry.key, expected: expected,
            found: "\"\(entry.value)\""))
      }
    }
    return (settings, errors.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
  }

  private static let sections = ["ui", "keys", "colours"]
  private static let expectedSection = "a section [ui], [keys] or [colours]"

  /// A key above all sections: the line that is missing.
  private static func sectionless(_ entry: IniFile.Entry, _ file: String) -> ConfigurationError {
    let isSetting = UISettingTable.rows.contains { $0.name == entry.key }
    let fitting = [
      isSetting ? "[ui]" : nil, UserAction(rawValue: entry.key) == nil ? nil : "[keys]",
      ColourPart(rawValue: entry.key) == nil ? nil : "[colours]",
    ].compactMap(\.self)
    let header = fitting.count == 1 ? fitting[0] : "[ui], [keys] or [colours]"
    return ConfigurationError(file: file, line: entry.line, key: entry.key, expected: "a line \(header) above it")
  }

  /// Takes an entry; returns the expected value if the entry is wrong, otherwise nil.
  private static func take(_ entry: IniFile.Entry, _ settings: inout UISettings) -> String? {
    switch entry.section {
    case "ui":
      guard let row = UISettingTable.rows.first(where: { $0.name == entry.key }) else {
        return "a setting that exists (see tui.conf(5))"
      }
      return row.store(entry.value, &settings) ? nil : row.values
    case "keys":
      guard let action = UserAction(rawValue: entry.key) else { return "an action that exists (see confab help keys)" }
      let keys = entry.value.split(separator: ",").map { KeySequence(String($0.drop { $0 == " " })) }
      guard !keys.contains(nil) else { return "keys such as Ctrl-E, Alt-A, F4 or C-x e" }
      settings.keys[action] = keys.compactMap(\.self)
      return nil
    case "colours":
      guard let part = ColourPart(rawValue: entry.key) else { return "a part that exists (see tui.conf(5))" }
      guard let colour = OwnColour(written: entry.value) else {
        return "a colour such as #a0c0ff, 12 or standard, or two with 'on' between them"
      }
      settings.ownColours[part] = colour
      return nil
    default: return expectedSection
    }
  }
}

extension OwnColour {
  /// `#a0c0ff`, or `#a0c0ff on #102030`.
  init?(written text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 1 || words.count == 3 && words[1] == "on" else { return nil }
    guard let foreground = Colour(written: words[0]) else { return nil }
    let background = words.count == 3 ? Colour(written: words[2]) : nil
    guard words.count == 1 || background != nil else { return nil }
    self.init(foreground: foreground, background: background)
  }
}

extension Colour {
  /// `#a0c0ff`, a number of the terminal's palette, or `standard`.
  package init?(written text: String) {
    if text == "standard" { self = .standard; return }
    if let number = UInt8(text) { self = .indexed(number); return }
    let digits = text.dropFirst()
    guard text.first == "#", digits.count == 6, let value = UInt32(digits, radix: 16) else { return nil }
    self = .rgb(
      UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
  }
}
