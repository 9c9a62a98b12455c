import Screen
import ConfabConfiguration
import TerminalUI
import Testing

@Suite("tui.conf")
struct SettingsTests {
  private func read(_ text: String) -> (UISettings, [String]) {
    let (settings, errors) = UISettingsReader.read(Array(text.utf8), file: "tui.conf")
    return (settings, errors.map(\.description))
  }

  @Test("settings, keys and colours are read")
  func all() {
    let (settings, errors) = read(
      """
      # a remark
      [ui]
      bubbles = no
      enter = newline
      hold = 5s
      [keys]
      quit = Alt-Q, C-x q
      [colours]
      mine = #102030
      theirs = 12 on #ffffff
      """)
    #expect(errors == [])
    #expect(!settings.hasBubbles)
    #expect(settings.enter == .newline)
    #expect(settings.holdSeconds == 5)
    #expect(settings.keys[.quit]?.map(\.text) == ["Alt-Q", "C-x q"])
    #expect(settings.ownColours[.mine]?.foreground == .rgb(0x10, 0x20, 0x30))
    #expect(settings.ownColours[.theirs]?.foreground == .indexed(12))
    #expect(settings.ownColours[.theirs]?.background == .rgb(255, 255, 255))
  }

  @Test("a wrong line is named, and the rest holds")
  func wrong() {
    let (settings, errors) = read(
      """
      [ui]
      bubbles = perhaps
      nonsense = 1
      no value
      order = recency
      [keys]
      fly = Alt-F
      quit = Hyper-Q
      [what]
      x = y
      """)
    #expect(settings.order == .recency)
    #expect(errors.count == 7)
    for (line, error) in zip([2, 3, 4, 7, 8, 9, 10], errors) {
      #expect(error.hasPrefix("tui.conf:\(line): "), "\(error)")
    }
  }

  @Test("a section without a name, with another name or none is named, also without keys")
  func sections() {
    #expect(
      read("x = 1\n[]\n[Ui]\n").1 == [
        "tui.conf:1: x: expected a line [ui], [keys] or [colours] above it",
        "tui.conf:2: expected a section [ui], [keys] or [colours], found []",
        "tui.conf:3: expected a section [ui], [keys] or [colours], found [Ui]",
      ])
  }

  @Test("a key above all sections is named with the line that is missing")
  func sectionless() {
    #expect(
      read("bubbles = no\nquit = C-x q\nmine = 3\n[ui]\norder = recency\n").1 == [
        "tui.conf:1: bubbles: expected a line [ui] above it", "tui.conf:2: quit: expected a line [keys] above it",
        "tui.conf:3: mine: expected a line [colours] above it",
      ])
  }

  @Test("bytes that are no text are named line by line, and hurt nothing")
  func garbage() {
    let (settings, errors) = UISettingsReader.read(
      [0x7F, 0x45, 0x4C, 0x46, 0, 0x0A, 0xFF, 0xFE, 0x0A], file: "tui.conf")
    #expect(settings == UISettings())
    #expect(errors.map(\.line) == [1, 2])
  }

  @Test("the number of wrong lines is said, and /settings shows all of them whole")
  func shown() {
    let ui = Harness()
    let errors = (1...5).map {
      "/home/alice/.config/confab/tui.conf:\($0): [ui] a: expected a long explanation, found \"x\($0)\""
    }
    ui.handle(.settings(SettingsFile(errors: errors)))
    #expect(ui.shows("5 mistakes in tui.conf"))
    ui.type("/settings")
    ui.press("Enter")
    #expect(ui.actions.contains(.readSettings))
    ui.handle(.settings(SettingsFile(errors: errors)))
    for number in 1...5 { #expect(ui.shows(#"found "x\#(number)""#)) }
    ui.press("Esc")
    ui.handle(.settings(SettingsFile()))
    #expect(ui.shows("The settings were read again"))
    ui.handle(.settings(SettingsFile(missing: "/home/alice/.config/confab/tui.conf")))
    #expect(ui.shows("There is no /home/alice/.config/confab/tui.conf"))
  }

  @Test("every default of the table is the default of the settings")
  func defaults() {
    for row in UISettingTable.rows where !row.defaultText.isEmpty {
      #expect(read("[ui]\n\(row.name) = \(row.defaultText)\n").1 == [], "\(row.name)")
      #expect(read("[ui]\n\(row.name) = \(row.defaultText)\n").0 == UISettings(), "\(row.name)")
    }
  }
}
