import Clocks
import JSON
import Screen
import TerminalUI
import Testing

@Suite("Writing in the terminal UI")
struct WritingTests {
  @Test("a paste is never a key, from wherever it comes")
  func paste() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.press("Esc")
    ui.handle(.input(.paste(Array("first\rsecond\u{1B}[A\r\n/quit\r".utf8))))
    #expect(ui.take("send") == nil)
    #expect(ui.actions.isEmpty)
    #expect(ui.shows("second"))
    #expect(ui.shows("3 lines pasted"))
  }

  @Test("a slash word that is no command is never sent; // and /me are texts")
  func slash() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("/nonsense")
    ui.press("Enter")
    #expect(ui.take("send") == nil)
    #expect(ui.shows("There is no command /nonsense"))
    #expect(ui.shows("› /nonsense"), "what was typed stays")
    ui.press("Ctrl-U")
    ui.type("//etc/passwd")
    ui.press("Enter")
    let path = ui.take("send")
    #expect(path?["text"]?.string == "/etc/passwd")
    ui.answer(path, final: #""ok":true,"id":3,"state":"queued""#)
    ui.type("/me waves")
    ui.press("Enter")
    let me = ui.take("send")
    #expect(me?["text"]?.string == "/me waves")
    ui.answer(me, final: #""ok":true,"id":4,"state":"queued""#)
    ui.type("/quit")
    ui.press("Enter")
    #expect(ui.actions.contains(.quit))
  }

  @Test("a verb takes the open conversation where no address is given")
  func verbs() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("/presence away at lunch")
    ui.press("Enter")
    #expect(ui.take("presence")?["text"]?.string == "at lunch")
    ui.type("/unread")
    ui.press("Enter")
    #expect(ui.take("unread") != nil)
    ui.press("Esc")
    ui.type("/read")
    ui.press("Enter")
    #expect(ui.take("read")?["jid"]?.string == "bob@example.org")
  }

  @Test("what cannot be taken back is asked about, with the address")
  func destructive() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("/forget-history")
    ui.press("Enter")
    #expect(ui.take("forget-history") == nil)
    #expect(ui.shows("/forget-history bob@example.org"))
    ui.type("y")
    #expect(ui.take("forget-history")?["jid"]?.string == "bob@example.org")
  }

  @Test("leaving shares the draft at once, and asks where something would be lost")
  func leaving() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half")
    ui.press("Ctrl-Q")
    #expect(ui.take("draft")?["text"]?.string == "half")
    #expect(ui.actions.last == .quit)
    let cut = Harness.opened()
    cut.answerHistory(Harness.two)
    cut.type("precious")
    cut.press("Enter")
    cut.handle(.disconnected("gone"))
    cut.press("Ctrl-Q")
    #expect(!cut.actions.contains(.quit))
    #expect(cut.shows("lose what the daemon has not stored"))
    cut.type("y")
    #expect(cut.actions.contains(.quit))
  }

  @Test("a process that has to end shares the draft first, and asks nothing")
  func ending() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half")
    ui.handle(.ending)
    #expect(ui.take("draft")?["text"]?.string == "half")
    #expect(ui.app.screen.popups.isEmpty)
  }

  @Test("a daemon that takes requests and answers none is named after some seconds, until it answers")
  func hanging() {
    let ui = Harness.opened()
    #expect(ui.shows("Loading the messages"))
    ui.wait(.seconds(4))
    #expect(!ui.shows("does not answer"))
    ui.wait(.seconds(2))
    #expect(ui.shows("The daemon does not answer"))
    #expect(ui.app.deadline.map { $0 > ui.now.instant } ?? true, "it wakes nobody until then")
    ui.answerHistory(Harness.two)
    #expect(!ui.shows("does not answer"))
    #expect(!ui.shows("Loading"))
    ui.forgetRequests()
    let silent = Harness()
    silent.handle(.connected)
    silent.wait(.seconds(6))
    #expect(silent.shows("The daemon does not answer"))
    silent.connect()
    #expect(!silent.shows("does not answer"))
  }

  @Test("an answer that waits for a server is no sign that the daemon hangs")
  func slowAnswer() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.answer(ui.take("focus"))
    ui.type("/add eve@example.org")
    ui.press("Enter")
    ui.wait(.seconds(20))
    #expect(!ui.shows("does not answer"))
  }

  @Test("a draft that is typed without a daemon wakes nobody, and the next connection is told")
  func draftWithoutDaemon() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.handle(.disconnected("gone"))
    ui.type("offline")
    ui.wait(.seconds(100))
    #expect(ui.app.deadline == nil)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    #expect(ui.take("draft")?["text"]?.string == "offline")
  }

  @Test("what could not be stored comes back with the reason")
  func refused() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("precious")
    ui.press("Enter")
    ui.answer(ui.take("send"), final: #""ok":false,"error":"no-space","reason":"the disk is full""#)
    #expect(ui.shows("› precious"))
    #expect(ui.shows("Not sent: the disk is full"))
  }

  @Test("a send that was cut off goes again under the same key")
  func cut() throws {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("once")
    ui.press("Enter")
    let key = try #require(ui.take("send")?["key"]?.string)
    ui.handle(.disconnected("the daemon went away"))
    #expect(ui.shows("No daemon"))
    #expect(ui.shows("how are you?"), "what was there stays")
    ui.connect()
    #expect(ui.take("send")?["key"]?.string == key)
  }

  @Test("what is written in the middle of a long history without a daemon is shown, and is at the end with the daemon")
  func unsentInTheMiddle() {
    let ui = Harness.opened(count: 1000)
    ui.answerHistory(Harness.rows(401...500), count: 1000, firstRow: 400, before: true, after: true)
    ui.press("PageUp")
    ui.handle(.disconnected("gone"))
    ui.type("unsent words")
    ui.press("Enter")
    #expect(
      ui.shows("unsent words  not stored yet")
        || ui.screen.contains { $0.contains("unsent words") && $0.contains("not stored") })
    #expect(ui.shows("newer messages come with the daemon"))
    ui.forgetRequests()
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob", count: 1000)])
    let request = ui.take("history")
    #expect(request != nil && request?["around"] == nil && request?["before"] == nil)
  }

  @Test("without a daemon nobody's presence is shown")
  func presenceWithoutDaemon() {
    let ui = Harness()
    let contact =
      #"{"jid":"bob@example.org","name":"Bob","groups":[],"subscription":"both","presence":[{"resource":"a","show":"available"}]}"#
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")], contacts: [contact])
    #expect(ui.shows("● Bob"))
    ui.press("Enter")
    #expect(ui.shows("available"))
    ui.handle(.disconnected("gone"))
    #expect(!ui.shows("available"))
    ui.press("Esc")
    #expect(!ui.shows("●"))
    ui.press("Enter")
    #expect(ui.shows("The messages come with the daemon"))
    ui.type("unsent")
    ui.press("Enter")
    #expect(ui.screen.contains { $0.hasSuffix("unsent  not stored yet") })
  }

  @Test("the unread line counts what the list counts, however few rows are here")
  func unreadCount() {
    let ui = Harness.opened(unread: 300, read: 100, count: 400)
    ui.answerHistory(Harness.rows(60...140), count: 400, firstRow: 59, before: true, after: true)
    #expect(ui.shows("300 unread messages"))
  }

  @Test("the contact is told that somebody types, not with each letter, and not of commands")
  func typing() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("/help")
    #expect(ui.take("typing") == nil)
    ui.press("Ctrl-U")
    ui.type("abc")
    #expect(ui.take("typing")?["state"]?.string == "composing")
    #expect(ui.take("typing") == nil)
    ui.press("Ctrl-U")
    #expect(ui.take("typing")?["state"]?.string == "active")
  }

  @Test("who types is the last row until the message comes")
  func peerTyping() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.line(#"{"event":"typing","conversation":"bob@example.org","from":"bob@example.org/x","state":"composing"}"#)
    #expect(ui.shows("Bob is typing"))
    let message = Harness.message(3, "here", from: "bob@example.org/x")
    ui.line(#"{"event":"message","seq":3,"message":\#(message)}"#)
    #expect(!ui.shows("is typing"))
  }
}
