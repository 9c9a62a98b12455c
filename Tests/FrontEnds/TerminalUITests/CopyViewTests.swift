import Screen
import TerminalUI
import Testing

@Suite("The copy view")
struct CopyViewTests {
  private func opened(_ texts: String...) -> Harness {
    let ui = Harness()
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    ui.answerHistory(texts.enumerated().map { Harness.message(UInt64($0 + 1), $1, opens: $0 == 0) })
    ui.press("Alt-Y")
    return ui
  }

  @Test("has neither bars nor input, and gives the mouse to the terminal until it is left")
  func plain() {
    let ui = opened("hello")
    #expect(!ui.shows("›"))
    #expect(ui.actions.last == .mouse(false))
    ui.type("q")
    #expect(ui.actions.last == .mouse(true))
    #expect(ui.shows("›"))
  }

  @Test("numbers links, those of the newest message first, and the numbers stay")
  func numbers() {
    let ui = opened("see https://old.example/a.", "two: https://new.example/b, http://new.example/c")
    #expect(ui.shows("see https://old.example/a [3]."))
    #expect(ui.shows("two: https://new.example/b [1], http://new.example/c [2]"))
    let message = Harness.message(3, "https://newest.example", minutes: 1)
    ui.line(#"{"event":"message","seq":3,"message":\#(message)}"#)
    #expect(ui.shows("https://newest.example [4]"))
    #expect(ui.shows("https://old.example/a [3]."))
  }

  @Test("a number and y copies the link, a number and o or Enter opens it, without a shell")
  func choosing() {
    let ui = opened("https://one.example/?a=$(x)&b='", "no link")
    ui.type("1")
    #expect(ui.shows("o opens it, y copies it. https://one.example"))
    ui.type("y")
    #expect(ui.actions.last == .copy("https://one.example/?a=$(x)&b="))
    ui.type("1o")
    #expect(ui.actions.last == .run(["xdg-open", "https://one.example/?a=$(x)&b="]))
    ui.type("1")
    ui.press("Enter")
    #expect(ui.actions.count { $0 == .run(["xdg-open", "https://one.example/?a=$(x)&b="]) } == 2)
    #expect(ui.take("send") == nil)
  }

  @Test("an unknown number does nothing, Esc takes a number back before it leaves")
  func wrong() {
    let ui = opened("https://one.example")
    ui.type("7")
    #expect(ui.shows("No link has the number 7."))
    let count = ui.actions.count
    ui.type("o")
    #expect(ui.actions.count == count)
    ui.type("1")
    ui.press("Esc")
    #expect(!ui.shows("›"))
    ui.press("Esc")
    #expect(ui.shows("›"))
  }

  @Test("is left when the list gets the keys", arguments: ["Shift-Tab", "Tab", "Alt-U"])
  func list(key: String) {
    let ui = opened("hello")
    ui.press(key)
    #expect(ui.app.screen.isInList && ui.app.screen.surface.copyView == nil && ui.actions.contains(.mouse(true)))
    ui.type("j")
    #expect(ui.shows("Open a conversation"), "letters are the list's")
  }

  @Test("is left when the daemon has another log")
  func otherLog() {
    let ui = opened("hello")
    ui.handle(.disconnected("gone"))
    ui.handle(.connected)
    ui.line(#"{"confab":1,"version":"0.1.0","log":"M","last":1,"rights":"full","limits":{"text":60000}}"#)
    #expect(ui.app.screen.surface.copyView == nil && ui.actions.contains(.mouse(true)))
  }

  @Test("scrolls with the keys of a pager")
  func scrolling() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.rows(1...60))
    ui.press("Alt-Y")
    #expect(ui.shows("line 60"))
    ui.type("kkkkk")
    #expect(!ui.shows("line 60"))
    ui.type("jjjjj")
    #expect(ui.shows("line 60"))
  }

  @Test("a program that cannot be started is named")
  func failure() {
    let ui = opened("https://one.example")
    ui.handle(.failed("xdg-open cannot be started: No such file or directory"))
    #expect(ui.shows("xdg-open cannot be started"))
  }
}
