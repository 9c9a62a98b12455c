import Clocks
import ConfabAccounts
import JSON
import Testing

@Suite("history, sections and conversations over the socket")
struct HistoryTests {
  /// Twelve messages, an hour apart, but for a day before every fourth; their ids in order.
  private func harness() throws -> (Harness, ClientID, [Int64]) {
    let harness = try Harness()
    let client = harness.connect()
    for number in 0..<12 {
      harness.pass(number % 4 == 0 ? .hours(30) : .hours(1))
      harness.receive("<message from='bob@example.org/x' id='m\(number)'><body>n\(number)</body></message>")
      harness.pass(.milliseconds(50))
    }
    let all = harness.ask(client, "history bob@example.org")
    return (harness, client, all.compactMap { $0["message"]?["id"]?.integer })
  }

  private func texts(_ lines: [JSONValue]) -> [String] { lines.compactMap { $0["message"]?["text"]?.string } }

  private func names(_ range: Range<Int>) -> [String] { range.map { "n\($0)" } }

  @Test("every position, and what the final line says of it")
  func positions() throws {
    let (harness, client, ids) = try harness()
    #expect(ids.count == 12)
    let pages: [(String, Range<Int>, Bool, Bool)] = [
      ("limit=3", 9..<12, true, false), ("limit=3 before=\(ids[5])", 2..<5, true, true),
      ("limit=3 after=\(ids[5])", 6..<9, true, true), ("limit=3 around=\(ids[5])", 4..<7, true, true),
      ("limit=4 around=\(ids[5])", 3..<7, true, true), ("limit=4 around=\(ids[0])", 0..<2, false, true),
      ("limit=4 row=10", 10..<12, true, false), ("limit=2 row=0", 0..<2, false, true),
      ("limit=5 before=\(ids[0])", 0..<0, false, true), ("limit=5 after=\(ids[11])", 12..<12, true, false),
      ("limit=5 row=99", 12..<12, true, false),
    ]
    for (options, rows, before, after) in pages {
      let lines = harness.ask(client, "history \(options) bob@example.org")
      #expect(texts(lines) == names(rows), "\(options)")
      let final = try #require(lines.last)
      #expect(final["ok"]?.bool == true)
      #expect(final["count"]?.integer == 12)
      #expect(final["first_row"]?.integer == Int64(rows.lowerBound), "\(options)")
      #expect(final["more_before"]?.bool == before, "\(options)")
      #expect(final["more_after"]?.bool == after, "\(options)")
      #expect(final["seq"]?.integer != nil)
    }
  }

  @Test("since and until_time filter first; limit=0 is only the final line; bad requests")
  func filters() throws {
    let (harness, client, ids) = try harness()
    let times = harness.ask(client, "history bob@example.org").compactMap { $0["message"]?["time"]?.string }
    let filter = "since=\(times[4]) until_time=\(times[8])"
    let lines = harness.ask(client, "history \(filter) limit=2 bob@example.org")
    #expect(texts(lines) == ["n6", "n7"])
    #expect(lines.last?["more_before"]?.bool == true)
    #expect(lines.last?["more_after"]?.bool == false)
    #expect(texts(harness.ask(client, "history \(filter) after=\(ids[0]) limit=2 bob@example.org")) == ["n4", "n5"])
    let none = harness.ask(client, "history limit=0 bob@example.org")
    #expect(none.count == 1)
    #expect(none.last?["count"]?.integer == 12)
    _ = harness.ask(client, "send carol@example.org hi")
    for (options, code) in [
      ("limit=1001", "bad-argument"), ("limit=-1", "bad-argument"), ("before=1 after=2", "bad-argument"),
      ("row=1 around=2", "bad-argument"), ("row=1 \(filter)", "bad-argument"), ("before=999999", "not-found"),
      ("around=1", "not-found"), ("since=yesterday", "bad-argument"),
    ] {
      let failure = harness.ask(client, "history \(options) bob@example.org").last
      #expect(failure?["error"]?.string == code, "\(options)")
      #expect(failure?["argument"]?.string != nil, "\(options)")
    }
    #expect(harness.ask(client, "history before=\(ids[1]) carol@example.org").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "history nobody@example.org").last?["count"]?.integer == 0)
  }

  @Test("gap= decides opens_section and section, on the page and off it")
  func gap() throws {
    let (harness, client, ids) = try harness()
    let day = harness.ask(client, "history limit=3 bob@example.org").compactMap { $0["message"] }
    #expect(day.map { $0["opens_section"]?.bool } == [false, false, false])
    #expect(day.map { $0["section"]?.integer } == [ids[8], ids[8], ids[8]])
    let minutes = harness.ask(client, "history gap=30m limit=3 bob@example.org").compactMap { $0["message"] }
    #expect(minutes.map { $0["opens_section"]?.bool } == [true, true, true])
    #expect(
      harness.ask(client, "sections bob@example.org").compactMap { $0["section"]?["count"]?.integer } == [4, 4, 4])
    let sections = harness.ask(client, "sections gap=30m limit=2 before=\(ids[3]) bob@example.org")
    #expect(sections.compactMap { $0["section"]?["id"]?.integer } == [ids[1], ids[2]])
    let first = try #require(harness.ask(client, "sections limit=1 bob@example.org").first?["section"])
    #expect(first["first"]?.integer == ids[8])
    #expect(first["last"]?.integer == ids[11])
    #expect(
      first["title"]?.string
        == first["start"]?.string.map { $0.prefix(16) }.map { String($0) }?.replacing("T", with: " "))
    #expect(harness.ask(client, "sections before=999999 bob@example.org").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "sections nobody@example.org").map { $0["ok"]?.bool } == [true])
  }

  @Test("seq is what the answer shows: a watch from there tells the rest, once")
  func goesOn() throws {
    let (harness, client, _) = try harness()
    let seq = try #require(harness.ask(client, "history limit=1 bob@example.org").last?["seq"]?.integer)
    harness.receive("<message from='bob@example.org/x' id='later'><body>later</body></message>")
    harness.pass(.milliseconds(50))
    #expect(texts(harness.ask(client, "watch since=\(seq) kinds=message")) == ["later"])
  }

  @Test("conversations: newest first, by group, with the last message, the draft and the read position")
  func conversations() throws {
    let (harness, client, ids) = try harness()
    harness.receive(
      "<iq type='set' id='p1'><query xmlns='jabber:iq:roster'><item jid='bob@example.org' name='Bob' "
        + "subscription='both'><group>Friends</group></item></query></iq>")
    harness.pass(.seconds(1))
    _ = harness.ask(client, "send carol@example.org hi")
    _ = harness.ask(client, "read bob@example.org \(ids[9])")
    _ = harness.ask(client, "draft bob@example.org soon")
    let all = harness.ask(client, "conversations").compactMap { $0["conversation"] }
    #expect(all.map { $0["jid"]?.string } == ["carol@example.org", "bob@example.org"])
    #expect(all.first?["draft"]?.string == "" && all.first?["read"]?.integer == 0)
    let bob = try #require(all.last)
    #expect(bob["name"]?.string == "Bob")
    #expect(bob["kind"]?.string == "chat")
    #expect(bob["unread"]?.integer == 2)
    #expect(bob["mentions"]?.integer == 0)
    #expect(bob["count"]?.integer == 12)
    #expect(bob["draft"]?.string == "soon")
    #expect(bob["read"]?.integer == ids[9])
    #expect(bob["last"]?["text"]?.string == "n11")
    #expect(bob["last"]?["nick"]?.string == "Bob")
    #expect(bob["last"]?["section"]?.integer == ids[8])
    let friends = harness.ask(client, "conversations group=Friends").compactMap { $0["conversation"]?["jid"]?.string }
    #expect(friends == ["bob@example.org"])
    #expect(harness.ask(client, "conversations limit=1").count == 2)
    #expect(harness.ask(client, "conversations limit=0").count == 1)
    let group = harness.ask(client, "groups").first?["group"]
    #expect(group?["name"]?.string == "Friends")
    #expect(group?["contacts"]?.integer == 1)
    #expect(group?["unread"]?.integer == 2)
  }

  @Test("read only moves forward, whoever asks and however fast")
  func read() throws {
    let (harness, client, ids) = try harness()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=read")
    harness.syncsAtOnce = false
    harness.send(client, "read bob@example.org \(ids[7])\nread bob@example.org \(ids[2])\nread bob@example.org\n")
    for _ in 0..<3 { harness.sync() }
    let lines = harness.takeLines(client)
    #expect(lines.map { $0["unread"]?.integer } == [4, 4, 0] || lines.map { $0["unread"]?.integer } == [0, 0, 0])
    #expect(harness.takeLines(watcher).map { $0["id"]?.integer } == [ids[7], ids[11]])
    harness.syncsAtOnce = true
    #expect(harness.ask(client, "read nobody@example.org").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "read bob@example.org 1").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "unread in=bob@example.org").last?["unread"]?.integer == 0)
    #expect(harness.ask(client, "unread").last?["mentions"]?.integer == 0)
  }
}
