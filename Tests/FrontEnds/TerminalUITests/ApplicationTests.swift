import Clocks
import ConfabClient
import JSON
import Screen
import TerminalUI
import Testing

@Suite("The terminal UI with a daemon of the test's own")
struct ApplicationTests {
  @Test("Enter opens the first conversation, letters go to its input, Enter sends")
  func conversation() throws {
    let ui = Harness.opened(unread: 1, read: 1)
    #expect(ui.take("history")?["around"]?.integer == 1)
    ui.handle(.disconnected("x"))
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob", unread: 1, count: 2, read: 1)])
    ui.answerHistory(Harness.two)
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
    let ui = Harness.opened(columns: columns)
    ui.answerHistory(Harness.two)
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

  @Test("older rows are asked for while scrolling, and those far away are let go")
  func paging() throws {
    let ui = Harness.opened(count: 1000)
    ui.answerHistory(Harness.rows(901...1000), count: 1000, firstRow: 900, before: true)
    for _ in 0..<120 {
      ui.press("PageUp")
      while let request = ui.take("history") {
        let before = UInt64(try #require(request["before"]?.integer))
        let first = before > 72 ? before - 72 : 1
        ui.answer(
          request, Harness.rows(first...(before - 1)).map { #""message":\#($0)"# },
          final: #""ok":true,"count":1000,"first_row":\#(first - 1),"more_before":\#(first > 1),"more_after":true"#)
      }
    }
    #expect(ui.shows("line 1"))
    let held = ui.app.model.windows[ConversationKey(jid: "bob@example.org")]?.rows.count ?? 0
    #expect(held < 400, "only what is near the screen is held")
  }

  @Test("what comes while somebody reads further up moves nothing, and is counted")
  func anchor() throws {
    let ui = Harness.opened(count: 100)
    ui.answerHistory(Harness.rows(1...100))
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
    let ui = Harness.opened(count: 100)
    ui.answerHistory(Harness.rows(1...100))
    for id in UInt64(101)...130 {
      ui.line(#"{"event":"message","seq":\#(id),"message":\#(Harness.message(id, "line \(id)", minutes: Int(id)))}"#)
    }
    #expect(ui.shows("line 130"))
    #expect(ui.take("history") == nil)
  }

  @Test("a late message is put in its place by asking again, without a jump")
  func late() throws {
    let ui = Harness.opened(count: 100)
    ui.answerHistory(Harness.rows(1...100))
    ui.press("PageUp")
    let before = ui.screen
    ui.line(#"{"event":"message","seq":200,"message":\#(Harness.message(200, "late", minutes: 3))}"#)
    #expect(ui.screen.dropLast(2).elementsEqual(before.dropLast(2)) || ui.shows("new below"))
    let request = try #require(ui.take("history"))
    #expect(request["around"] != nil)
  }

  @Test("each message is laid out once while scrolling up and down")
  func layoutOnce() {
    let ui = Harness.opened(count: 100)
    ui.answerHistory(Harness.rows(1...100))
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
    let ui = Harness.opened(unread: 1, read: 1)
    ui.forgetRequests()
    ui.handle(.input(.focus(false)))
    ui.answer(ui.take("history"))
    ui.handle(.disconnected("x"))
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob", unread: 1, count: 2, read: 1)])
    ui.answerHistory(Harness.two)
    #expect(ui.take("read") == nil, "nobody is there")
    ui.handle(.input(.focus(true)))
    let read = try #require(ui.take("read"))
    #expect(read["id"]?.integer == 2)
    #expect(ui.take("focus")?["jid"]?.string == "bob@example.org")
    ui.handle(.input(.focus(false)))
    #expect(ui.take("focus")?["jid"] == nil)
  }

  @Test("of a message of which only what stands above it is on the screen, nothing was read", arguments: 2...4)
  func notShown(lines: Int) throws {
    let ui = Harness.opened(unread: 1, read: 1, columns: 40, lines: lines)
    ui.answerHistory([Harness.message(1, "hello", minutes: -3000, opens: true), Harness.message(2, "how are you?")])
    #expect(!ui.shows("how") && ui.take("read") == nil)
    for _ in 0..<9 where !ui.shows("how are you?") { ui.press("PageDown") }
    #expect(ui.shows("how are you?"))
    #expect(ui.take("read")?["id"]?.integer == 2)
  }

  @Test("of a burst, the daemon is told once a second what was read")
  func burst() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
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
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    #expect(ui.take("focus")?["jid"]?.string == "bob@example.org")
    ui.wait(.seconds(61))
    #expect(ui.take("focus")?["jid"] == nil)
    ui.press("Left")
    #expect(ui.take("focus")?["jid"]?.string == "bob@example.org")
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

  @Test("that a message was not delivered is said while its conversation is not on the screen")
  func failure() {
    let event = #"{"event":"state","conversation":"bob@example.org","id":3,"state":"failed"}"#
    let ui = Harness.opened()
    ui.answerHistory([Harness.message(3, "hello", mine: true, opens: true)])
    ui.line(event)
    #expect(!ui.shows("Bob: Not delivered."))
    let message = Harness.message(3, "hello", mine: true)
    ui.press("Esc")
    ui.line(#"{"event":"message","seq":3,"message":\#(message)}"#)
    ui.line(event)
    #expect(ui.shows("Bob: Not delivered. Send it again."))
  }
}
