import Screen
import Settings
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
    #expect(errors.count == 6)
    for (line, error) in zip([2, 3, 4, 7, 8, 10], errors) { #expect(error.hasPrefix("tui.conf:\(line): "), "\(error)") }
  }

  @Test("every default of the table is the default of the settings")
  func defaults() {
    for row in UISettingTable.rows where !row.defaultText.isEmpty {
      #expect(read("[ui]\n\(row.name) = \(row.defaultText)\n").1 == [], "\(row.name)")
      #expect(read("[ui]\n\(row.name) = \(row.defaultText)\n").0 == UISettings(), "\(row.name)")
    }
  }
}
