import ConfabClient
import JSON
import Testing

@testable import TerminalUI

@Suite("While messages come")
struct FloodTests {
  private static let bob = ConversationKey(jid: "bob@example.org")

  /// A hundred messages, read to the end.
  private func opened() -> Harness {
    let ui = Harness.opened(count: 100)
    ui.answerHistory(Harness.rows(1...100))
    return ui
  }

  private func come(_ ids: ClosedRange<UInt64>, _ ui: Harness) {
    ui.lines(
      ids.map { id in
        #"{"event":"message","seq":\#(id),"message":\#(Harness.message(id, "line \(id)", minutes: Int(id)))}"#
      })
  }

  @Test("only those on the screen are laid out")
  func layouts() {
    let ui = opened()
    let laidOut = ui.app.layoutCount
    come(101...200, ui)
    #expect(ui.shows("line 200"))
    #expect(ui.app.layoutCount - laidOut < 24)
  }

  @Test("a selection holds the pane and stays what an action concerns, and the end is followed again behind it")
  func selection() {
    let ui = opened()
    ui.press("Alt-Up")
    for start in stride(from: UInt64(101), to: 500, by: 40) { come(start...start + 39, ui) }
    #expect(ui.shows("line 100") && ui.shows("400 new below"))
    #expect(ui.app.messages?.intent(.react) == .popup(.react(Self.bob, 100)))
    ui.press("Esc", "Alt-End")
    ui.answerHistory(Harness.rows(430...500), count: 500, firstRow: 429, before: true)
    come(501...501, ui)
    #expect(ui.shows("line 501"))
  }

  @Test("a selection that scrolling leaves is let go of; what is no longer held is refused")
  func lostSelection() throws {
    let ui = opened()
    ui.press("Alt-Up", "PageUp", "PageUp")
    #expect(ui.app.screen.focused?.selected == nil)
    var window = RowWindow()
    window.ask(.newest)
    window.receive(try #require(MessageRow(try JSONParser.parse(Array(Harness.message(7, "a").utf8), maximumDepth: 9))))
    window.finish(count: 1, firstRow: 0, moreBefore: false, moreAfter: false)
    var view = ConversationView(Self.bob)
    view.choose(6)
    let actions = MessageActions(view: view, window: window, name: "Bob", fetches: FileFetches())
    #expect(actions.intent(.react) == .say("The selected message is not on the screen any more."))
    #expect(actions.intent(.wordLeft) == nil)
  }

  @Test("who reads further up gets the unread line above the first of them, and a count of those still below")
  func below() {
    let ui = opened()
    ui.press("PageUp", "PageUp")
    come(101...160, ui)
    #expect(ui.shows("60 new below"))
    for _ in 0..<3 { ui.press("PageDown") }
    #expect(ui.shows("60 unread messages") && ui.shows("line 101"))
    #expect(!ui.shows("60 new below") && ui.shows("new below"))
    ui.press("Alt-End")
    come(161...161, ui)
    #expect(!ui.shows("new below") && ui.app.screen.focused?.unreadCount == 60)
  }

  @Test("with nothing read the unread line is above the first message of theirs, however many of mine are between")
  func nothingRead() {
    let ui = Harness.opened(unread: 68, count: 136)
    let rows = (UInt64(1)...72).map { Harness.message($0, "line \($0)", mine: $0 % 2 == 1, minutes: Int($0)) }
    #expect(ui.requests.contains { $0["verb"]?.string == "history" && $0["row"]?.integer == 0 })
    ui.answerHistory(rows, count: 136, after: true)
    #expect(ui.app.screen.focused?.unreadFrom == 2 && ui.shows("68 unread messages"))
  }

  @Test("from the first message, and from several hits, one key leads back to where one was")
  func back() {
    let ui = opened()
    ui.press("PageUp", "PageUp")
    let before = ui.screen
    #expect(!ui.shows("Ctrl-O"))
    ui.press("Alt-Home")
    ui.answerHistory(Harness.rows(1...40), count: 100, after: true)
    #expect(ui.shows("line 1") && ui.shows("Ctrl-O"))
    ui.press("Ctrl-O")
    ui.answerHistory(Harness.rows(1...100))
    #expect(ui.screen == before)
    ui.press("Alt-End", "Alt-J")
    ui.type("2026-11-20 10:05")
    ui.press("Enter")
    ui.answer(
      ui.take("history"), [#""message":\#(Harness.message(5, "line 5", minutes: 5))"#],
      final: #""ok":true,"count":100,"first_row":4,"more_before":true,"more_after":true"#)
    ui.answerHistory(Harness.rows(1...40), count: 100, after: true)
    #expect(ui.app.screen.focused?.selected == 6, "the first message after the date")
    ui.press("Ctrl-O")
    ui.answerHistory(Harness.rows(60...100), count: 100, firstRow: 59, before: true)
    #expect(ui.shows("line 100") && ui.app.screen.focused?.anchor.follows == true)
  }

  @Test("End in an empty input leads to the newest message")
  func end() {
    let ui = opened()
    ui.press("PageUp", "PageUp")
    #expect(!ui.shows("line 100"))
    ui.press("End")
    #expect(ui.shows("line 100") && ui.app.screen.focused?.anchor.follows == true)
    ui.press("PageUp", "PageUp")
    ui.type("x")
    ui.press("End")
    #expect(!ui.shows("line 100"))
  }

  @Test("a date behind the newest message is said to be one")
  func later() {
    let ui = opened()
    come(101...101, ui)
    ui.press("Alt-J")
    ui.type("2026-11-20 23:00")
    ui.press("Enter")
    ui.answer(
      ui.take("history"), [#""message":\#(Harness.message(101, "line 101", minutes: 101))"#],
      final: #""ok":true,"count":101,"first_row":100,"more_before":true"#)
    #expect(ui.shows("Nothing was said since then"))
  }
}
