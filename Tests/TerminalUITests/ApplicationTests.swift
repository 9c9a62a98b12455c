import Clocks
import JSON
import Screen
import TerminalUI
import Testing

@Suite("The terminal UI with a daemon of the test's own")
struct ApplicationTests {
  private func opened(unread: Int = 0, read: UInt64 = 0, columns: Int = 80, lines: Int = 24, count: Int = 2) -> Harness
  {
    let ui = Harness(columns: columns, lines: lines)
    ui.connect(conversations: [
      Harness.conversation("bob@example.org", name: "Bob", unread: unread, count: count, read: read)
    ])
    ui.press("Enter")
    return ui
  }

  private static let two = [
    Harness.message(1, "hello", mine: true, minutes: -60, opens: true), Harness.message(2, "how are you?", minutes: -5),
  ]

  @Test("Enter opens the first conversation, letters go to its input, Enter sends")
  func conversation() throws {
    let ui = opened(unread: 1, read: 1)
    #expect(ui.take("history")?["around"]?.integer == 1)
    ui.handle(.disconnected("x"))
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob", unread: 1, count: 2, read: 1)])
    ui.answerHistory(Self.two)
    #expect(ui.shows("Today 9:00"))
    #expect(ui.shows("1 unread"))
    #expect(ui.shows("how are you?"))
    ui.type("fine, thanks")
    #expect(ui.shows("› fine, thanks"))
    ui.press("Enter")
    let send = try #require(ui.take("send"))
    #expect(send["text"]?.string == "fine, thanks")
    #expect(send["to"]?.string == "bob@example.org")
    #expect(ui.shows("not stored"))
    ui.answer(send, final: #""ok":true,"id":3,"state":"queued""#)
    let message = Harness.message(3, "fine, thanks", mine: true, state: "queued")
    ui.line(#"{"event":"message","seq":3,"message":\#(message)}"#)
    #expect(!ui.shows("not stored"))
    ui.line(#"{"event":"state","seq":4,"conversation":"bob@example.org","id":3,"state":"delivered"}"#)
    #expect(ui.screen.contains { $0.contains("fine, thanks") && $0.contains("✓✓") })
  }

  @Test("mine stand at least 8 columns further right than others', from 60 columns on", arguments: [60, 80, 99, 140])
  func sides(columns: Int) throws {
    let ui = opened(columns: columns)
    ui.answerHistory(Self.two)
    // Beside the list there are fewer columns, but the terminal has enough of them.
    let screen = ui.screen.map { $0.drop { _ in false } }
    let mine = try #require(screen.first { $0.contains("hello") }?.firstRange(of: "hello"))
    let theirs = try #require(screen.first { $0.contains("how are") }?.firstRange(of: "how are"))
    let mineLine = try #require(screen.first { $0.contains("hello") })
    let theirLine = try #require(screen.first { $0.contains("how are") })
    let distance =
      mineLine.distance(from: mineLine.startIndex, to: mine.lowerBound)
      - theirLine.distance(from: theirLine.startIndex, to: theirs.lowerBound)
    #expect(distance >= 8)
  }

  // MARK: Scrolling

  private static func rows(_ ids: ClosedRange<UInt64>) -> [String] {
    ids.map { Harness.message($0, "line \($0)", minutes: Int($0), opens: $0 == 1) }
  }

  @Test("older rows are asked for while scrolling, and those far away are let go")
  func paging() throws {
    let ui = opened(count: 1000)
    ui.answerHistory(Self.rows(901...1000), count: 1000, firstRow: 900, before: true)
    for _ in 0..<60 {
      ui.press("PageUp")
      while let request = ui.take("history") {
        let before = UInt64(try #require(request["before"]?.integer))
        let first = before > 72 ? before - 72 : 1
        ui.answer(
          request, Self.rows(first...(before - 1)).map { #""message":\#($0)"# },
          final: #""ok":true,"count":1000,"first_row":\#(first - 1),"more_before":\#(first > 1),"more_after":true"#)
      }
    }
    #expect(ui.shows("line 1"))
    let held = ui.app.model.windows[ConversationKey(jid: "bob@example.org")]?.rows.count ?? 0
    #expect(held < 400, "only what is near the screen is held")
  }

  @Test("what comes while somebody reads further up moves nothing, and is counted")
  func anchor() throws {
    let ui = opened(count: 100)
    ui.answerHistory(Self.rows(1...100))
    ui.press("PageUp", "PageUp")
    let before = ui.screen.dropLast(2)
    let message = Harness.message(101, "news", minutes: 101)
    ui.line(#"{"event":"message","seq":101,"message":\#(message)}"#)
    let after = ui.screen.dropLast(2)
    #expect(after.dropLast().elementsEqual(before.dropLast()))
    #expect(ui.shows("1 new below"))
    ui.press("Alt-End")
    #expect(ui.shows("news"))
    #expect(!ui.shows("new below"))
  }

  @Test("who stands at the end goes along")
  func follow() {
    let ui = opened(count: 100)
    ui.answerHistory(Self.rows(1...100))
    for id in UInt64(101)...130 {
      ui.line(#"{"event":"message","seq":\#(id),"message":\#(Harness.message(id, "line \(id)", minutes: Int(id)))}"#)
    }
    #expect(ui.shows("line 130"))
    #expect(ui.take("history") == nil)
  }

  @Test("a late message is put in its place by asking again, without a jump")
  func late() throws {
    let ui = opened(count: 100)
    ui.answerHistory(Self.rows(1...100))
    ui.press("PageUp")
    let before = ui.screen
    ui.line(#"{"event":"message","seq":200,"message":\#(Harness.message(200, "late", minutes: 3))}"#)
    #expect(ui.screen.dropLast(2).elementsEqual(before.dropLast(2)) || ui.shows("new below"))
    let request = try #require(ui.take("history"))
    #expect(request["around"] != nil)
  }

  @Test("each message is laid out once while scrolling up and down")
  func layoutOnce() {
    let ui = opened(count: 100)
    ui.answerHistory(Self.rows(1...100))
    _ = ui.screen
    for _ in 0..<10 { ui.press("PageUp") }
    let laidOut = ui.app.layoutCount
    #expect(laidOut <= 110)
    for _ in 0..<10 { ui.press("PageDown") }
    _ = ui.screen
    #expect(ui.app.layoutCount == laidOut)
  }

  // MARK: Reading

  @Test("a message is read only while somebody is there and it is on the screen")
  func reading() throws {
    let ui = opened(unread: 1, read: 1)
    ui.forgetRequests()
    ui.handle(.input(.focus(false)))
    ui.answer(ui.take("history"))
    ui.handle(.disconnected("x"))
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob", unread: 1, count: 2, read: 1)])
    ui.answerHistory(Self.two)
    #expect(ui.take("read") == nil, "nobody is there")
    ui.handle(.input(.focus(true)))
    let read = try #require(ui.take("read"))
    #expect(read["id"]?.integer == 2)
    #expect(ui.take("focus")?["jid"]?.string == "bob@example.org")
    ui.handle(.input(.focus(false)))
    #expect(ui.take("focus")?["jid"] == nil)
  }

  @Test("of a burst, the daemon is told once a second what was read")
  func burst() {
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.handle(.input(.focus(true)))
    for id in UInt64(3)...12 {
      ui.line(#"{"event":"message","seq":\#(id),"message":\#(Harness.message(id, "n", minutes: Int(id)))}"#)
    }
    #expect(ui.take("read")?["id"]?.integer == 3)
    #expect(ui.take("read") == nil)
    ui.wait(.milliseconds(1100))
    #expect(ui.take("read")?["id"]?.integer == 12)
  }

  @Test("without focus reports somebody is there for a minute after a key press")
  func patience() {
    let ui = opened()
    ui.answerHistory(Self.two)
    #expect(ui.take("focus")?["jid"]?.string == "bob@example.org")
    ui.wait(.seconds(61))
    #expect(ui.take("focus")?["jid"] == nil)
    ui.press("Left")
    #expect(ui.take("focus")?["jid"]?.string == "bob@example.org")
  }

  // MARK: Writing

  @Test("a paste is never a key, from wherever it comes")
  func paste() {
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.press("Esc")
    ui.handle(.input(.paste(Array("first\rsecond\u{1B}[A\r\n/quit\r".utf8))))
    #expect(ui.take("send") == nil)
    #expect(ui.actions.isEmpty)
    #expect(ui.shows("second"))
    #expect(ui.shows("4 lines pasted"))
  }

  @Test("a slash word that is no command is never sent; // and /me are texts")
  func slash() {
    let ui = opened()
    ui.answerHistory(Self.two)
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
    let ui = opened()
    ui.answerHistory(Self.two)
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
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.type("/forget-history")
    ui.press("Enter")
    #expect(ui.take("forget-history") == nil)
    #expect(ui.shows("/forget-history bob@example.org"))
    ui.press("Enter")
    #expect(ui.take("forget-history")?["jid"]?.string == "bob@example.org")
  }

  @Test("leaving shares the draft at once, and asks where something would be lost")
  func leaving() {
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.type("half")
    ui.press("Ctrl-Q")
    #expect(ui.take("draft")?["text"]?.string == "half")
    #expect(ui.actions.last == .quit)
    let cut = opened()
    cut.answerHistory(Self.two)
    cut.type("precious")
    cut.press("Enter")
    cut.handle(.disconnected("gone"))
    cut.press("Ctrl-Q")
    #expect(!cut.actions.contains(.quit))
    #expect(cut.shows("lose what the daemon has not stored"))
    cut.press("Enter")
    #expect(cut.actions.contains(.quit))
  }

  @Test("a process that has to end shares the draft first, and asks nothing")
  func ending() {
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.type("half")
    ui.handle(.ending)
    #expect(ui.take("draft")?["text"]?.string == "half")
    #expect(ui.app.desk.popups.isEmpty)
  }

  @Test("a daemon that takes requests and answers none is named after some seconds, until it answers")
  func hanging() {
    let ui = opened()
    #expect(ui.shows("Loading the messages"))
    ui.wait(.seconds(4))
    #expect(!ui.shows("does not answer"))
    ui.wait(.seconds(2))
    #expect(ui.shows("The daemon does not answer"))
    #expect(ui.app.deadline.map { $0 > ui.now.instant } ?? true, "it wakes nobody until then")
    ui.answerHistory(Self.two)
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
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.answer(ui.take("focus"))
    ui.type("/add eve@example.org")
    ui.press("Enter")
    ui.wait(.seconds(20))
    #expect(!ui.shows("does not answer"))
  }

  @Test("a draft that is typed without a daemon wakes nobody, and the next connection is told")
  func draftWithoutDaemon() {
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.handle(.disconnected("gone"))
    ui.type("offline")
    ui.wait(.seconds(100))
    #expect(ui.app.deadline == nil)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    #expect(ui.take("draft")?["text"]?.string == "offline")
  }

  @Test("what could not be stored comes back with the reason")
  func refused() {
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.type("precious")
    ui.press("Enter")
    ui.answer(ui.take("send"), final: #""ok":false,"error":"no-space","reason":"the disk is full""#)
    #expect(ui.shows("› precious"))
    #expect(ui.shows("Not sent: the disk is full"))
  }

  @Test("a send that was cut off goes again under the same key")
  func cut() throws {
    let ui = opened()
    ui.answerHistory(Self.two)
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
    let ui = opened(count: 1000)
    ui.answerHistory(Self.rows(401...500), count: 1000, firstRow: 400, before: true, after: true)
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
    let ui = opened(unread: 300, read: 100, count: 400)
    ui.answerHistory(Self.rows(60...140), count: 400, firstRow: 59, before: true, after: true)
    #expect(ui.shows("300 unread messages"))
  }

  @Test("the draft is shared after a pause, and what came from elsewhere is shown")
  func draft() {
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.type("half a")
    #expect(ui.take("draft") == nil)
    ui.wait(.milliseconds(1100))
    #expect(ui.take("draft")?["text"]?.string == "half a")
    ui.wait(.seconds(5))
    ui.line(#"{"event":"draft","seq":20,"conversation":"bob@example.org","text":"half a sentence"}"#)
    #expect(ui.shows("› half a sentence"))
  }

  @Test("what is being typed here is never replaced by what is typed elsewhere, nor by late news of one's own")
  func draftsCollide() {
    let ui = opened()
    ui.answerHistory(Self.two)
    func news(_ text: String) {
      ui.line(#"{"event":"draft","seq":20,"conversation":"bob@example.org","text":"\#(text)"}"#)
    }
    ui.type("half a")
    ui.wait(.milliseconds(1100))
    news("other words")
    #expect(ui.shows("› half a"))
    news("half a")
    ui.type(" sentence")
    ui.wait(.milliseconds(1100))
    news("half a")
    #expect(ui.shows("› half a sentence"))
    ui.press("Enter")
    news("half a sentence")
    #expect(!ui.shows("› half a sentence"), "it was sent")
    ui.wait(.seconds(6))
    news("from elsewhere")
    #expect(ui.shows("› from elsewhere"))
  }

  @Test("the contact is told that somebody types, not with each letter, and not of commands")
  func typing() {
    let ui = opened()
    ui.answerHistory(Self.two)
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
    let ui = opened()
    ui.answerHistory(Self.two)
    ui.line(#"{"event":"typing","conversation":"bob@example.org","from":"bob@example.org/x","state":"composing"}"#)
    #expect(ui.shows("Bob is typing"))
    let message = Harness.message(3, "here", from: "bob@example.org/x")
    ui.line(#"{"event":"message","seq":3,"message":\#(message)}"#)
    #expect(!ui.shows("is typing"))
  }

  // MARK: Notices

  @Test("a notice rings for messages with notice only, and gathers those that follow at once")
  func notices() {
    let ui = Harness()
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.line(#"{"event":"message","seq":3,"message":\#(Harness.message(3, "quiet"))}"#)
    #expect(!ui.actions.contains(.bell))
    for id in UInt64(4)...9 {
      ui.line(#"{"event":"message","seq":\#(id),"notice":true,"message":\#(Harness.message(id, "loud"))}"#)
    }
    #expect(ui.actions.filter { $0 == .bell }.count == 1)
    ui.wait(.seconds(6))
    #expect(ui.actions.filter { $0 == .bell }.count == 2)
  }
}
