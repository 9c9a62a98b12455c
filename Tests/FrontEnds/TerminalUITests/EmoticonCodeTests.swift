import JSON
import Testing

@testable import TerminalUI

@Suite("Codes of emoticons in the input")
struct EmoticonCodeTests {
  private func opened() -> Harness {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.forgetRequests()
    return ui
  }

  private func input(_ ui: Harness) -> String {
    ui.app.screen.focused.map { ui.app.composer[$0.key].editor.input.text } ?? ""
  }

  @Test("texts are sent with their codes expanded, and as they stand to a daemon that refuses that")
  func expansion() {
    let ui = opened()
    ui.type(":tada:")
    ui.press("Enter")
    let first = ui.take("send")
    #expect(first?["emoticons"]?.string == "expand" && first?["text"]?.string == ":tada:")
    ui.type("more")
    ui.press("Enter")
    let second = ui.take("send")
    let refusal =
      #""ok":false,"error":"bad-argument","reason":"send has no member 'emoticons'","argument":"emoticons""#
    ui.answer(first, final: refusal)
    ui.answer(second, final: refusal)
    let again = ui.takeAll("send")
    #expect(again.map { $0["text"]?.string } == [":tada:", "more"] && again.allSatisfy { $0["emoticons"] == nil })
    #expect(again.first?["key"] == first?["key"])
    #expect(ui.app.model.outgoing.all.count == 2 && input(ui) == "")
  }

  @Test("Backspace and Delete take a code as a whole, once the daemon knows it, and a cluster always")
  func deleting() {
    let ui = opened()
    ui.type("so :tada:")
    let request = ui.take("emoticons")
    #expect(request?["match"]?.string == ":tada:")
    ui.answer(request, [Harness.emoticon(":tada:", "🎉", "party popper")])
    ui.press("Backspace")
    #expect(input(ui) == "so ")
    ui.type(":tada:")
    ui.press("Left", "Left", "Left", "Left", "Left", "Left", "Delete")
    #expect(input(ui) == "so ")
    ui.type("👩‍👩‍👧🇩🇪")
    ui.press("Backspace", "Backspace")
    #expect(input(ui) == "so ")
  }

  @Test("what only looks like a code is deleted letter by letter")
  func noCode() {
    let ui = opened()
    ui.type("[sic]")
    ui.answer(ui.take("emoticons"), [])
    ui.press("Backspace")
    #expect(input(ui) == "[sic")
    ui.press("Ctrl-U")
    ui.type("a: b:")
    #expect(ui.take("emoticons") == nil, "a code has no white space")
    ui.press("Backspace")
    #expect(input(ui) == "a: b")
  }
}
