import JSON
import TerminalUI
import Testing

@Suite("Messages that the daemon has forgotten")
struct ForgettingTests {
  private static let resection = #"{"event":"resection","conversation":"bob@example.org"}"#

  private func listed() -> Harness {
    let ui = Harness(columns: 120)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob", unread: 1, count: 2, read: 1)])
    ui.line(#"{"event":"message","seq":11,"message":\#(Harness.message(11, "the secret"))}"#)
    ui.forgetRequests()
    return ui
  }

  @Test("the list shows no message that is gone, and no unread ones")
  func list() {
    let ui = listed()
    #expect(ui.shows("the secret"))
    ui.line(Self.resection)
    ui.line(Self.resection)
    #expect(ui.takeAll("unread").count == 1)
    let asked = ui.takeAll("history")
    #expect(asked.count == 1 && asked[0]["limit"]?.integer == 1)
    ui.answer(asked[0], final: #""ok":true,"count":0"#)
    #expect(!ui.shows("the secret") && !ui.shows("unread"))
  }

  @Test("of what is left the newest message is shown; sections that moved ask for nothing more")
  func rest() {
    let ui = listed()
    ui.line(#"{"event":"resection","conversation":"bob@example.org","from":1,"to":11}"#)
    #expect(ui.take("history") == nil)
    ui.line(Self.resection)
    ui.answer(ui.take("unread"), final: #""ok":true,"unread":0,"mentions":0"#)
    ui.answer(
      ui.take("history"), [#""message":\#(Harness.message(10, "what is left"))"#], final: #""ok":true,"count":1"#)
    #expect(ui.shows("what is left") && !ui.shows("the secret") && !ui.shows("unread"))
  }

  @Test("a conversation of which the message that was read last is forgotten opens at the newest ones")
  func opening() {
    let ui = listed()
    ui.press("Enter")
    let around = ui.take("history")
    #expect(around?["around"]?.integer == 1)
    ui.answer(around, final: #""ok":false,"error":"not-found","reason":"message 1 is not there","argument":"around""#)
    let newest = ui.take("history")
    #expect(newest?["around"] == nil)
    ui.answer(
      newest, [#""message":\#(Harness.message(12, "hello again"))"#],
      final: #""ok":true,"count":1,"first_row":0,"more_before":false,"more_after":false"#)
    #expect(ui.shows("│hello again") && !ui.shows("No messages yet"))
  }
}
