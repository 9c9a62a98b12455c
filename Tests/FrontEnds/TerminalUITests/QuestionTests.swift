import JSON
import Testing

@testable import TerminalUI

@Suite("Questions before something that cannot be taken back")
struct QuestionTests {
  private func asked() -> Harness {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("/remove bob@example.org")
    ui.press("Enter")
    ui.forgetRequests()
    return ui
  }

  @Test("the Enter that ended the command, pressed twice, is no yes")
  func enterTwice() {
    let ui = asked()
    #expect(ui.shows("y yes · n no"))
    ui.press("Enter")
    #expect(ui.app.screen.popups.isEmpty && ui.requests.isEmpty)
  }

  @Test("y is a yes, as is Enter on it; n is a no, and other letters are nothing")
  func answers() {
    var ui = asked()
    ui.type("x")
    ui.type("y")
    #expect(ui.take("remove")?["jid"]?.string == "bob@example.org" && ui.app.screen.popups.isEmpty)
    ui = asked()
    ui.press("Down", "Enter")
    #expect(ui.take("remove") != nil)
    ui = asked()
    ui.type("n")
    #expect(ui.app.screen.popups.isEmpty && ui.take("remove") == nil)
  }

  @Test("a key that asks, pressed twice, only asks", arguments: ["Alt-X", "Ctrl-Q"])
  func keyTwice(key: String) {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.press("Alt-Up", "Alt-Up")
    if key == "Ctrl-Q" {
      ui.handle(.disconnected("cut"))
      ui.type("half a text")
    }
    ui.press(key)
    let question = ui.app.screen.popups.last?.kind
    #expect(question != nil)
    ui.press(key)
    #expect(ui.app.screen.popups.last?.kind == question && ui.take("retract") == nil && !ui.actions.contains(.quit))
    ui.press("Enter")
    #expect(ui.app.screen.popups.isEmpty && ui.take("retract") == nil && !ui.actions.contains(.quit))
  }
}
