import Testing

@testable import TerminalUI

/// A configuration that was changed and not saved.
@Suite("Unsaved forms")
struct RoomFormTests {
  private func changed() -> Harness {
    let ui = RoomScene.opened(more: #","affiliation":"owner","role":"moderator""#)
    ui.type("/configure")
    ui.press("Enter")
    let fields = ["only", "open"].map {
      #""field":{"name":"\#($0)","type":"boolean","label":"\#($0)","value":false}"#
    }
    ui.answer(ui.take("configure"), fields)
    return ui
  }

  @Test("Esc asks before it drops changes, and without any it does not", arguments: ["Esc", "F2", "Ctrl-S"])
  func asking(key: String) {
    let ui = changed()
    ui.press("Enter", key)
    #expect(ui.shows("Drop 1 change that you have not saved?"))
    ui.press("Enter")
    #expect(ui.shows("Save 1 change"), "the first choice goes back")
    ui.press(key)
    ui.type("y")
    #expect(ui.app.screen.popups.isEmpty && ui.take("configure") == nil)
    let fresh = changed()
    fresh.press("Esc")
    #expect(fresh.app.screen.popups.isEmpty)
  }

  @Test("changes that are saved, or made undone, are not asked about")
  func saved() {
    let ui = changed()
    ui.press("Enter", "Enter", "Esc")
    #expect(ui.app.screen.popups.isEmpty)
    let other = changed()
    other.press("Enter", "Up", "Enter")
    #expect(other.take("configure") != nil && other.app.screen.popups.isEmpty)
  }

  @Test("Home and End go to the first and the last row of a menu; in a text they move its cursor")
  func ends() {
    let ui = changed()
    ui.press("End")
    #expect(ui.app.screen.popups.last?.chosen?.title == "  open")
    ui.press("Home")
    #expect(ui.app.screen.popups.last?.chosen?.title == "  only")
    ui.type("pen")
    ui.press("Home")
    ui.type("o")
    #expect(ui.app.screen.popups.last?.query == "open")
  }

  @Test("help on a command shows it as it is typed here")
  func help() {
    let ui = RoomScene.opened(columns: 120)
    for word in ["kick", "/kick"] {
      ui.type("/help \(word)")
      ui.press("Enter")
      #expect(ui.app.screen.popups.last?.chosen?.title == "/kick NICK [TEXT]")
      ui.press("Esc")
    }
    ui.type("/help affiliation")
    ui.press("Enter")
    #expect(ui.app.lastNotice.contains("confab help affiliation") && ui.take("help") == nil)
  }
}
