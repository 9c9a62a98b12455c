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
}
