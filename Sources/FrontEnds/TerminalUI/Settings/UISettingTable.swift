/// One key of the section `[ui]` of `tui.conf`.
package struct UISettingRow: Sendable {
  package let name: String
  /// The values it takes, as they are written in the documents.
  package let values: String
  package let defaultText: String
  /// A sentence.
  package let meaning: String
  /// Sets it; false if the value does not fit.
  let store: @Sendable (String, inout UISettings) -> Bool

  init(
    _ name: String, _ values: String, default defaultText: String, _ meaning: String,
    _ store: @escaping @Sendable (String, inout UISettings) -> Bool
  ) {
    self.name = name
    self.values = values
    self.defaultText = defaultText
    self.meaning = meaning
    self.store = store
  }
}

/// The table of settings, from which the reader and the documents come.
package enum UISettingTable {
  package static let rows: [UISettingRow] = [
    flag("bubbles", \.hasBubbles, default: true, "Bubbles, from 60 columns on; else compact lines."),
    choice(
      "order", \.order, "unread, recency", default: "unread",
      "The order of conversations: those with unread messages first, or by time."),
    choice(
      "rooms", \.rooms, "among, apart", default: "among", "Where rooms stand in the list: among people, or behind them."
    ),
    flag("members", \.hasOccupants, default: true, "Shows the occupants of a room at its right, from 100 columns on."),
    choice("enter", \.enter, "send, newline", default: "send", "What Enter does; Alt-Enter does the other."),
    choice("editing", \.editing, "readline, vi", default: "readline", "The editing keys of the input."),
    choice(
      "keys", \.hands, "usual, bash", default: "usual",
      "With `bash`, Ctrl-R finds what you sent before, and C-x C-r replies."),
    choice("colours", \.colours, "auto, light, dark, none", default: "auto", "The scheme; `auto` asks the terminal."),
    choice(
      "emoji", \.emoji, "yes, simple, names", default: "yes",
      "Emoji as they are, without modifiers, or by name; on the Linux console always by name."),
    choice(
      "pictures", \.pictures, "auto, kitty, iterm2, sixel, blocks, none", default: "auto",
      "How pictures are drawn: by the graphics that the terminal says it has, by these, in half-blocks, not at all."),
    UISettingRow(
      "spelling", "no, or languages such as `en_GB de_DE`", default: "no",
      "Wrong words of the input are underlined, by hunspell and the dictionaries that are installed."
    ) {
      guard let languages = Self.languages($0) else { return false }
      $1.spelling = languages
      return true
    },
    flag("mouse", \.hasMouse, default: true, "The mouse scrolls and clicks; Shift selects text."),
    flag("twelve-hours", \.hasTwelveHours, default: false, "Times as `2:05 PM`."),
    seconds(
      "hold", \.holdSeconds, default: 0, 60,
      "How long a message is kept back, so that it can be taken back; 0: not at all."),
    flag("bell", \.notices.hasBell, default: true, "A bell for a message that is not on the screen."),
    choice(
      "notice", \.notices.sequence, "none, osc9, osc777, osc99", default: "none",
      "The terminal's own notices, by the sequence that it knows."),
    flag("notice-text", \.notices.hasText, default: true, "Whether notices hold the text."),
    seconds("notice-pause", \.notices.pauseSeconds, default: 5, 3600, "Notices within this time are gathered."),
    flag("title", \.notices.hasTitle, default: true, "The window's title counts unread messages."),
    UISettingRow(
      "notice-command", "a program and its arguments, in quotes where they have spaces; `~/` is the home", default: "",
      "Run for a notice, with name and text as further arguments; no shell."
    ) {
      guard $0.isEmpty || !TypedPath.command($0, home: "").isEmpty else { return false }
      $1.notices.command = $0
      return true
    },
  ]

  /// The names are parts of paths.
  private static func languages(_ value: String) -> [String]? {
    if value == "no" { return [] }
    let names = value.split { $0 == " " || $0 == "," }.map(String.init)
    let isName = { (name: String) in name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
    }
    return !names.isEmpty && names.allSatisfy(isName) ? names : nil
  }

  private static func flag(
    _ name: String, _ path: any WritableKeyPath<UISettings, Bool> & Sendable, default isSet: Bool, _ meaning: String
  ) -> UISettingRow {
    UISettingRow(name, "yes, no", default: isSet ? "yes" : "no", meaning) { value, settings in
      guard value == "yes" || value == "no" else { return false }
      settings[keyPath: path] = value == "yes"
      return true
    }
  }

  private static func choice<Choice: RawRepresentable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<UISettings, Choice> & Sendable, _ values: String, default text: String,
    _ meaning: String
  ) -> UISettingRow where Choice.RawValue == String {
    UISettingRow(name, values, default: text, meaning) { value, settings in
      guard let choice = Choice(rawValue: value) else { return false }
      settings[keyPath: path] = choice
      return true
    }
  }

  private static func seconds(
    _ name: String, _ path: any WritableKeyPath<UISettings, Int> & Sendable, default number: Int, _ limit: Int,
    _ meaning: String
  ) -> UISettingRow {
    UISettingRow(name, "0 to \(limit) seconds", default: String(number), meaning) { value, settings in
      let digits = value.hasSuffix("s") ? value.dropLast() : value[...]
      guard let seconds = Int(digits), (0...limit).contains(seconds) else { return false }
      settings[keyPath: path] = seconds
      return true
    }
  }
}
