import Clocks
import JSON
import Testing

@testable import TerminalUI

@Suite("Typing")
struct TypingTests {
  private func opened() -> Harness {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.forgetRequests()
    return ui
  }

  private func said(_ ui: Harness) -> [String] { ui.takeAll("typing").compactMap { $0["state"]?.string } }

  @Test("while somebody types it is said again every 10 s; after 10 s without a key it is a pause, said once")
  func pause() {
    let ui = opened()
    ui.type("a")
    #expect(said(ui) == ["composing"])
    ui.wait(.seconds(6))
    ui.type("b")
    #expect(said(ui) == [])
    ui.wait(.seconds(6))
    ui.type("c")
    #expect(said(ui) == ["composing"])
    ui.wait(.seconds(9))
    #expect(said(ui) == [])
    ui.wait(.seconds(1))
    #expect(said(ui) == ["paused"])
    ui.wait(.seconds(60))
    #expect(said(ui) == [])
    ui.type("d")
    #expect(said(ui) == ["composing"])
  }

  @Test("nothing is said of a command, and a text that becomes none is given up")
  func commands() {
    let ui = opened()
    ui.type("/help")
    ui.wait(.seconds(30))
    ui.press("Ctrl-U")
    #expect(said(ui) == [])
    ui.type("x")
    ui.press("Backspace")
    ui.type("/")
    #expect(said(ui) == ["composing", "active"])
    ui.type("me waves")
    #expect(said(ui) == ["composing"], "an action is a text")
  }

  @Test("a sent message ends it; leaving the conversation and the UI is said to whom something was said")
  func leaving() {
    let ui = opened()
    ui.press("Esc")
    #expect(said(ui) == [], "who was told nothing is not told that either")
    ui.press("Enter")
    ui.answerHistory(Harness.two)
    ui.type("hi")
    ui.press("Enter")
    ui.answer(ui.take("send"), final: #""ok":true,"id":3,"state":"queued""#)
    ui.wait(.seconds(60))
    #expect(said(ui) == ["composing"])
    ui.press("Alt-Q")
    #expect(said(ui) == ["inactive"])
    ui.press("Enter")
    ui.answerHistory(Harness.two)
    ui.type("half")
    ui.press("Ctrl-Q")
    #expect(said(ui) == ["composing", "gone"] && ui.actions.last == .quit)
  }

  @Test("without a daemon nothing waits to be said, and the next one hears of what is typed then")
  func cut() {
    let ui = opened()
    ui.type("a")
    ui.handle(.disconnected("gone"))
    ui.wait(.seconds(60))
    ui.type("b")
    #expect(ui.app.deadline.map { $0 > ui.now.instant } ?? true)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    #expect(said(ui) == ["composing"])
    ui.type("c")
    #expect(said(ui) == ["composing"])
  }

  @Test(
    "the bubble goes with each other state, whichever resource the daemon names, and with a message of the contact",
    arguments: [
      #"{"event":"typing","conversation":"bob@example.org","from":"bob@example.org","state":"gone"}"#,
      #"{"event":"typing","conversation":"bob@example.org","from":"bob@example.org/tablet","state":"paused"}"#,
      #"{"event":"message","seq":3,"message":\#(Harness.message(3, "here", from: "bob@example.org/tablet"))}"#,
    ])
  func bubble(end: String) {
    let ui = opened()
    ui.line(#"{"event":"typing","conversation":"bob@example.org","from":"bob@example.org/phone","state":"composing"}"#)
    #expect(ui.shows("Bob is typing"))
    ui.line(#"{"event":"message","seq":2,"message":\#(Harness.message(9, "mine", mine: true))}"#)
    #expect(ui.shows("Bob is typing"))
    ui.line(end)
    #expect(!ui.shows("is typing"))
  }
}
