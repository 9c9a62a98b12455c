import Clocks
import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("What a retracted message said is let go")
struct RetractedTextTests {
  private static let text = "secret https://secret.example/"

  private func opened(mine: Bool = false) -> Harness {
    let ui = Harness.opened()
    ui.answerHistory([Harness.message(1, "hello", opens: true), Harness.message(2, Self.text, mine: mine)])
    ui.forgetRequests()
    return ui
  }

  private func retract(_ ui: Harness, mine: Bool = false) {
    ui.line(
      #"{"event":"retract","seq":20,"conversation":"bob@example.org","id":2,"message":\#(Self.retracted(mine: mine))}"#)
  }

  private static func retracted(mine: Bool) -> String {
    Harness.message(2, "", mine: mine)
      .replacing(#""opens_section""#, with: #""retracted":{"by":"x@example.org"},"opens_section""#)
  }

  @Test("the question whether to retract it closes")
  func question() {
    let ui = opened(mine: true)
    ui.press("Alt-Up", "Alt-X")
    #expect(ui.shows("Retract “secret"))
    retract(ui, mine: true)
    #expect(!ui.shows("secret") && ui.app.screen.popups.isEmpty)
  }

  @Test("pop-ups with its links, its versions and its reactions close", arguments: ["Alt-L", "Alt-+", "Alt-Shift-F"])
  func popUps(key: String) {
    let ui = opened()
    ui.press("Alt-Up", key)
    #expect(!ui.app.screen.popups.isEmpty)
    retract(ui)
    #expect(!ui.shows("secret") && ui.app.screen.popups.isEmpty)
  }

  @Test("what it said before it was edited is shown no more")
  func versions() {
    let ui = Harness.opened()
    ui.answerHistory([
      Harness.message(2, "new", opens: true)
        .replacing(#""opens_section""#, with: #""edited":"2026-11-20T09:00:00.000Z","opens_section""#)
    ])
    ui.press("Alt-Shift-V")
    ui.answer(ui.take("versions"), [#""version":{"text":"secret","time":"2026-11-20T09:00:00.000Z"}"#])
    #expect(ui.shows("secret"))
    retract(ui)
    #expect(!ui.shows("secret"))
  }

  @Test("a search that is open does not show it any more, and shows an edited one as it is")
  func search() {
    let ui = opened()
    find(ui)
    #expect(ui.shows("secret https") && ui.shows("another secret"))
    retract(ui)
    #expect(!ui.shows("secret https") && ui.shows("another secret"))
    let row = Harness.message(3, "nothing")
    ui.line(#"{"event":"edit","seq":21,"conversation":"bob@example.org","id":3,"message":\#(row)}"#)
    #expect(!ui.shows("another secret") && ui.shows("nothing"))
  }

  private func find(_ ui: Harness) {
    ui.press("F3")
    ui.type("secret")
    ui.press("Enter")
    ui.answer(
      ui.take("search"),
      [#""message":\#(Harness.message(2, Self.text))"#, #""message":\#(Harness.message(3, "another secret"))"#])
  }

  @Test("a search is asked again after a cut: messages may have been retracted meanwhile")
  func searchAfterCut() {
    let ui = opened()
    find(ui)
    ui.handle(.disconnected("gone"))
    ui.connect()
    ui.answerHistory([Self.retracted(mine: false)])
    ui.answer(ui.take("search"), [#""message":\#(Harness.message(3, "another secret"))"#])
    #expect(!ui.shows("secret https") && ui.shows("another secret"))
  }

  @Test("a number of the copy view does not lead to its link any more")
  func copyView() {
    let ui = opened()
    ui.press("Alt-Y")
    #expect(ui.shows("https://secret.example/ [1]"))
    retract(ui)
    ui.type("1")
    #expect(!ui.shows("secret") && ui.shows("No link has the number 1."))
  }

  @Test("it is let go as well if it was retracted while the daemon was gone")
  func afterCut() {
    let ui = opened(mine: true)
    ui.press("Alt-Up", "Alt-X")
    ui.handle(.disconnected("gone"))
    ui.connect()
    ui.answerHistory([Self.retracted(mine: true)])
    #expect(!ui.shows("secret") && ui.app.screen.popups.isEmpty)
  }

  @Test("a notice that waits to go out with others goes out without it")
  func notice() {
    let ui = Harness()
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    for (id, text) in [(1, "hello"), (2, Self.text)] {
      ui.line(#"{"event":"message","seq":\#(id),"notice":true,"message":\#(Harness.message(UInt64(id), text))}"#)
    }
    retract(ui)
    ui.wait(.seconds(6))
    #expect(ui.actions.filter { $0 == .bell }.count == 1)
  }
}
