import JSON
import Testing

@testable import TerminalUI

@Suite("Links, mentions and topics")
struct LinkTests {
  private func opened(_ text: String) -> Harness {
    let ui = Harness.opened()
    ui.answerHistory([
      Harness.message(1, text).replacing(#""opens_section""#, with: Self.marked + #","opens_section""#)
    ])
    return ui
  }

  private static let marked =
    #""spans":[{"start":0,"end":10,"kind":"link","target":"https://example.org/a?b"},"#
    + #"{"start":11,"end":15,"kind":"mention","target":"zoe@example.org"},"#
    + #"{"start":16,"end":21,"kind":"topic","target":"cake"}]"#

  @Test("links, mentions and topics are listed, to be opened, copied or searched for")
  func targets() {
    let ui = opened("example.org @zoe #cake")
    ui.press("Alt-L", "Enter")
    #expect(ui.actions.contains(.run(["xdg-open", "https://example.org/a?b"])))
    ui.press("Alt-L", "Tab")
    #expect(ui.actions.contains(.copy("https://example.org/a?b")))
    ui.press("Alt-L", "Down", "Down", "Enter")
    #expect(ui.take("search")?["text"]?.string == "cake")
    ui.press("Esc", "Alt-L", "Down", "Enter")
    #expect(ui.take("history")?["jid"]?.string == "zoe@example.org")
  }

  @Test("the copy view numbers what the daemon marked, and opens what it means")
  func copyView() {
    let ui = opened("example.or @zoe #cake http://not.marked/")
    ui.press("Alt-Y")
    #expect(ui.shows("example.or [1] @zoe [2] #cake [3] http://not.marked/"))
    ui.type("1o")
    #expect(ui.actions.contains(.run(["xdg-open", "https://example.org/a?b"])))
    ui.type("3y")
    #expect(ui.actions.contains(.copy("cake")))
  }

  /// Forty messages, some of which have links.
  private func long(_ range: ClosedRange<UInt64> = 1...40, moreBefore: Bool = false) -> Harness {
    let ui = Harness.opened(count: 40)
    ui.answerHistory(
      range.map { Harness.message($0, text($0), minutes: Int($0), opens: $0 == 1) }, before: moreBefore)
    return ui
  }

  private func text(_ id: UInt64) -> String {
    [5: "an old https://old.example/", 38: "http://one.example/ and http://two.example/"][id] ?? "line \(id)"
  }

  @Test("keys go from link to link, up and down the conversation; Enter asks what to do with the one that is selected")
  func byKeys() {
    let ui = long()
    ui.press("Alt-Shift-Up", "Enter")
    #expect(ui.shows("▸ http://two.example/") && ui.shows("Copy it") && ui.shows("Search for it"))
    ui.press("Esc", "Alt-Shift-Up", "Enter")
    #expect(ui.shows("▸ http://one.example/"))
    ui.press("Esc", "C-x Up", "Enter", "Enter")
    #expect(ui.actions.contains(.run(["xdg-open", "https://old.example/"])))
    #expect(ui.shows("an old https://old.example/"), "it is on the screen")
    ui.press("C-x Down", "Alt-Shift-Down", "Enter", "Down", "Enter")
    #expect(ui.actions.last == .copy("http://two.example/"))
    ui.press("Alt-Shift-Down")
    #expect(ui.shows("No link, mention or topic further."))
    ui.press("Esc", "Enter")
    #expect(ui.app.screen.popups.isEmpty, "nothing is selected any more")
  }

  @Test("at the first row that is held it goes there, so that more comes, and the same key looks further")
  func further() {
    let ui = long(20...40, moreBefore: true)
    ui.press("Alt-Shift-Up", "Alt-Shift-Up", "Alt-Shift-Up")
    #expect(ui.shows("No link, mention or topic up to here; the same key looks further.") && ui.shows("line 20"))
    ui.answer(
      ui.take("history"), (UInt64(1)...19).map { #""message":\#(Harness.message($0, text($0), minutes: Int($0)))"# })
    ui.press("Alt-Shift-Up", "Enter")
    #expect(ui.shows("▸ https://old.example/"))
  }

  @Test("a link of a message that was edited is selected no more; text in the input is sent all the same")
  func edited() {
    let ui = long()
    ui.press("Alt-Shift-Up")
    ui.type("hello")
    ui.press("Enter")
    #expect(ui.take("send")?["text"]?.string == "hello")
    ui.press("Alt-Shift-Up")
    let row = Harness.message(38, "no link", minutes: 38)
    ui.line(#"{"event":"edit","seq":50,"conversation":"bob@example.org","id":38,"message":\#(row)}"#)
    ui.press("Enter")
    #expect(ui.app.screen.popups.isEmpty)
  }
}
