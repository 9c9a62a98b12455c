import Screen
import Testing

@testable import TerminalUI

@Suite("Long notices")
struct NoticeRowTests {
  private static let words = (1...40).map { "word\($0)" }.joined(separator: " ")

  private func opened(columns: Int, lines: Int) -> Harness {
    let ui = Harness.opened(columns: columns, lines: lines)
    ui.answerHistory(Harness.rows(1...30))
    return ui
  }

  @Test("a notice takes no more than a third of the screen, and a key shows all of it, again and again")
  func whole() {
    let ui = opened(columns: 40, lines: 12)
    ui.handle(.failed(Self.words))
    let rows = ui.screen
    #expect(rows[7].hasPrefix(" word1 ") && rows[9] == " … F12 shows all of it")
    #expect(rows[1..<7].allSatisfy { !$0.isEmpty }, "the conversation stays")
    for _ in 0..<2 {
      ui.press("F12")
      #expect(ui.shows("The last notice") && ui.shows("word40"))
      ui.press("Esc")
      #expect(!ui.shows("word"))
    }
    ui.type("/last-notice")
    ui.press("Enter")
    #expect(ui.shows("word40"))
  }

  @Test("a notice of several lines covers neither the input nor the newest message, however many rows the input has")
  func input() {
    let ui = opened(columns: 80, lines: 24)
    ui.type("what I write")
    ui.press("Alt-Enter")
    ui.type("goes on")
    ui.handle(.failed(Self.words))
    let rows = ui.screen
    #expect(rows[21].contains("what I write") && rows[22].contains("goes on") && rows[20].contains("word40"))
    #expect(ui.app.frame().cursor?.line == 22)
    #expect(ui.shows("line 30"))
    ui.press("Esc")
    ui.press("Esc")
    ui.handle(.failed(Self.words))
    #expect(ui.screen[23].contains("word40"), "in the list it is at the bottom")
  }

  @Test("on a small screen the hints of a command give way to a notice, until the next key")
  func hints() {
    let ui = opened(columns: 40, lines: 12)
    ui.type("/save")
    #expect(ui.shows("/save [NUMBER] PATH"))
    ui.handle(.failed(Self.words))
    #expect(!ui.shows("/save [NUMBER] PATH"))
    ui.type(" ")
    #expect(ui.shows("/save [NUMBER] PATH"))
  }

  @Test("a notice that fits into a third of the screen is shown whole")
  func fitting() {
    let ui = opened(columns: 80, lines: 24)
    ui.handle(.failed(Self.words))
    #expect(ui.shows("word1 ") && ui.shows("word40") && !ui.shows("shows all"))
  }

  @Test("a screen of a few lines shows the begin of a notice on one")
  func tiny() {
    let ui = opened(columns: 40, lines: 5)
    ui.handle(.failed(Self.words))
    #expect(ui.screen.last?.hasPrefix(" word1 ") == true)
    let fresh = Harness()
    fresh.connect()
    fresh.press("F12")
    #expect(fresh.shows("Nothing was said yet."))
  }
}
