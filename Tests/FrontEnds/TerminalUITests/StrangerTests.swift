import ConfabClient
import JSON
import Testing

@testable import TerminalUI

@Suite("People whom I do not know")
struct StrangerTests {
  private static func stranger(_ jid: String, unread: Int = 1) -> String {
    Harness.conversation(jid, name: jid, unread: unread).replacing(#""draft""#, with: #""known":false,"draft""#)
  }

  private static func event(_ jid: String, mine: Bool = false) -> String {
    let message = Harness.message(9, "x", mine: mine, from: jid).replacing("bob@example.org", with: jid)
    return #"{"event":"message","seq":9,"message":\#(message)}"#
  }

  private func connected(_ strangers: [String], more: Bool = false) -> Harness {
    let ui = Harness()
    ui.connect(
      conversations: [Harness.conversation("bob@example.org", name: "Bob", unread: 2)], strangers: strangers,
      moreStrangers: more)
    return ui
  }

  @Test("people I know are asked for first, and strangers behind them, no more than it takes to count a few")
  func questions() {
    let ui = Harness()
    ui.handle(.connected)
    ui.line(#"{"confab":1,"version":"0.1.0","log":"L","last":10,"rights":"full","limits":{"line":65536,"text":60000}}"#)
    let asked = ui.takeAll("conversations")
    #expect(asked.map { $0["known"]?.string } == ["yes", "no"])
    #expect(asked.map { $0["limit"]?.integer } == [200, 100])
  }

  @Test("people whom I know are asked for to the last one; behind those that are shown, nothing moves")
  func laterPages() {
    let rows = [Harness.conversation("bob@example.org", name: "Bob")]
    let ui = Harness()
    ui.connect(conversations: rows, strangers: [Self.stranger("eve@evil.example")], more: true)
    ui.press("Up")
    let page = ui.take("conversations")
    #expect(page?["before"]?.string == "bob@example.org" && page?["known"]?.string == "yes")
    let dave = Harness.conversation("dave@example.org", name: "Dave")
    ui.answer(page, [#""conversation":\#(dave)"#], final: #""ok":true,"more_before":true"#)
    let next = ui.take("conversations")
    #expect(next?["before"]?.string == "dave@example.org")
    let carl = Harness.conversation("carl@example.org", name: "Carl", unread: 1)
    ui.answer(next, [#""conversation":\#(carl)"#], final: #""ok":true,"more_before":false"#)
    #expect(ui.take("conversations") == nil)
    #expect(ui.shows("Bob") && ui.shows("Dave") && ui.shows("1 above"), "what is unread goes above")
    ui.press("Home")
    #expect(ui.app.screen.list.order.prefix(3).map(\.key?.jid) == ["carl", "bob", "dave"].map { "\($0)@example.org" })
  }

  @Test("a page that cannot be had, or brings nothing new, is the last one, and nothing is said")
  func lastPage() {
    let bob = Harness.conversation("bob@example.org", name: "Bob")
    for (rows, final) in [
      ([], #""ok":false,"error":"account-needed","reason":"say which account""#),
      ([#""conversation":\#(bob)"#], #""ok":true,"more_before":true"#),
    ] {
      let ui = Harness()
      ui.connect(conversations: [bob], more: true)
      ui.answer(ui.take("conversations"), rows, final: final)
      #expect(ui.take("conversations") == nil && !ui.shows("say which account") && ui.shows("Bob"))
    }
  }

  @Test("the daemon is asked to go on behind an address that one account has")
  func pagesOfAccounts() {
    let rows = [("home", "carl"), ("home", "bob"), ("work", "bob")].map { account, name in
      Harness.conversation("\(name)@example.org", name: name)
        .replacing(#"{"jid""#, with: #"{"account":"\#(account)","jid""#)
    }
    let ui = Harness()
    ui.connect(conversations: rows, more: true)
    #expect(ui.take("conversations")?["before"]?.string == "carl@example.org")
  }

  @Test("strangers are one row until it is opened; their pages come then, from the last one on")
  func group() {
    let ui = connected([Self.stranger("eve@evil.example", unread: 3), Self.stranger("mal@evil.example")], more: true)
    #expect(ui.shows("+ People you do not know") && ui.shows("2+ conversations, 4+ unread") && !ui.shows("eve@"))
    #expect(ui.takeAll("conversations").isEmpty)
    ui.press("Down", "Enter")
    #expect(ui.shows("- People you do not know") && ui.shows("eve@evil.example") && ui.shows("mal@evil.example"))
    let page = ui.take("conversations")
    #expect(page?["known"]?.string == "no" && page?["before"]?.string == "mal@evil.example")
    ui.answer(
      page, [#""conversation":\#(Self.stranger("oscar@evil.example"))"#], final: #""ok":true,"more_before":false"#)
    #expect(ui.shows("3 conversations, 5 unread") && ui.shows("oscar@evil.example") && ui.shows("Bob"))
    ui.press("Enter")
    #expect(!ui.shows("eve@") && ui.shows("▸+ People you do not know"))
    ui.press("Home", "C-x g")
    #expect(ui.shows("eve@"), "the key opens it from anywhere in the list")
  }

  @Test("a message of a new stranger is counted, and nothing is shown of it")
  func arrival() {
    let ui = connected([Self.stranger("eve@evil.example")])
    ui.line(Self.event("new@evil.example"))
    #expect(ui.shows("2 conversations, 2 unread") && !ui.shows("new@evil.example"))
    #expect(ui.shows("2 unread  2 from strangers"), "they are not among what is unread")
    #expect(ui.takeAll("conversations").isEmpty)
  }

  @Test("to whom I write, or who is put into the roster, I know")
  func acquaintance() {
    let ui = connected([Self.stranger("eve@evil.example"), Self.stranger("mal@evil.example")])
    ui.line(Self.event("eve@evil.example", mine: true))
    ui.press("Home")
    #expect(ui.shows("eve@evil.example") && ui.shows("1 conversation, 1 unread"))
    ui.line(#"{"event":"roster","contact":{"jid":"mal@evil.example","subscription":"none","request":true}}"#)
    #expect(ui.shows("1 conversation, 1 unread"), "who asks for presence is a stranger")
    ui.line(#"{"event":"roster","contact":{"jid":"mal@evil.example","name":"Mal","subscription":"to"}}"#)
    ui.press("Home")
    #expect(ui.shows(" Mal") && !ui.shows("People you do not know"))
  }

  @Test("who writes and is not in the list is asked for among people I know, if there are more of them")
  func doubt() {
    let ui = Harness()
    ui.handle(.connected)
    ui.line(#"{"confab":1,"version":"0.1.0","log":"L","last":10,"rights":"full","limits":{"line":65536,"text":60000}}"#)
    for request in ui.takeAll("conversations") {
      let hasMore = request["known"]?.string == "yes"
      ui.answer(
        request, hasMore ? [#""conversation":\#(Harness.conversation("bob@example.org", name: "Bob"))"#] : [],
        final: #""ok":true,"more_before":\#(hasMore)"#)
    }
    ui.line(Self.event("old@example.org"))
    ui.line(Self.event("older@example.org"))
    #expect(ui.shows("2 conversations"))
    let asked = ui.takeAll("conversations").filter { $0["before"] == nil }
    #expect(asked.count == 1 && asked.first?["known"]?.string == "yes")
    ui.answer(
      asked.first, [#""conversation":\#(Harness.conversation("old@example.org", name: "Old", unread: 1))"#],
      final: #""ok":true,"more_before":true"#)
    ui.press("Home")
    #expect(ui.shows(" Old") && ui.shows("1 conversation, 1 unread"))
  }

  @Test("while the keys are the list's, new strangers stand at the end")
  func frozen() {
    let ui = connected([Self.stranger("eve@evil.example")])
    ui.press("Down", "Enter", "Down")
    let line = ui.screen.firstIndex { $0.contains("▸") && $0.contains("eve@") }
    ui.line(Self.event("new@evil.example"))
    #expect(ui.screen.firstIndex { $0.contains("▸") && $0.contains("eve@") } == line)
    #expect(ui.app.screen.list.order.last?.key?.jid == "new@evil.example")
  }

  @Test("the next unread message is that of somebody I know, then that of a stranger")
  func nextUnread() {
    let ui = connected([Self.stranger("eve@evil.example")])
    ui.line(Self.event("eve@evil.example"))
    ui.press("Alt-A")
    #expect(ui.app.screen.focused?.key.jid == "bob@example.org")
    ui.press("Alt-A")
    #expect(ui.app.screen.focused?.key.jid == "eve@evil.example")
  }

  @Test("actions on the heading concern nobody")
  func heading() {
    let ui = connected([Self.stranger("eve@evil.example")])
    ui.press("Down")
    ui.forgetRequests()
    ui.press("F7", "F9", "Alt-R", "F8")
    #expect(ui.requests.isEmpty)
  }

  @Test("behind a name that may mislead stands the address", arguments: ["claimed", "alike"])
  func doubt(_ doubt: String) {
    let ui = Harness.opened()
    let message = Harness.message(1, "it is me", opens: true, from: "eve@evil.example/x", nick: "alice")
    ui.answerHistory([message.replacing(#""nick""#, with: #""nick_is":"\#(doubt)","nick""#)])
    #expect(ui.shows("alice") && ui.shows("<eve@evil.example>"))
  }

  @Test("who has no name is shown by the whole address, not by a part that is like a name")
  func nameless() {
    let ui = Harness.opened()
    let message = Harness.message(1, "hello", opens: true, from: "alice@evil.example/x")
    ui.answerHistory([message.replacing(#","nick":"Bob""#, with: "")])
    #expect(ui.shows("alice@evil.example"))
  }

  @Test("a name that a stranger chose is none for the list")
  func claimedName() {
    let ui = connected([])
    ui.line(Self.event("eve@evil.example").replacing(#""nick""#, with: #""nick_is":"claimed","nick""#))
    ui.press("Down", "Enter")
    #expect(ui.app.model.conversations[ConversationKey(jid: "eve@evil.example")]?.name.isEmpty == true)
  }

  @Test("requests for presence that were left out are said")
  func leftOut() {
    let ui = Harness()
    ui.handle(.connected)
    ui.line(#"{"confab":1,"version":"0.1.0","log":"L","last":10,"rights":"full","limits":{"line":65536,"text":60000}}"#)
    ui.answer(ui.take("status"), [#""account":{"name":"home","jid":"alice@example.org","state":"online"}"#])
    ui.answer(
      ui.take("roster"), [#""contact":{"jid":"eve@evil.example","subscription":"none","request":true}"#],
      final: #""ok":true,"requests_left_out":12"#)
    #expect(ui.shows("13 contact requests"))
    ui.press("F5")
    #expect(ui.shows("12 more left out"))
  }
}
