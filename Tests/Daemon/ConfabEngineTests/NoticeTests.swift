import Clocks
import JSON
import ConfabConfiguration
import Testing

@testable import ConfabAccounts

/// `focus`, and the `notice` of a `message` event.
@Suite("Notices")
struct NoticeTests {
  private static func hello(_ name: String, _ id: String) -> String {
    "<message from='\(name)@example.org/x' type='chat' id='\(name)-\(id)'><body>\(id)</body></message>"
  }

  /// The notices among the `message` events that came: nil for an event without one.
  private static func notices(_ lines: [JSONValue]) -> [Bool?] {
    lines.filter { $0["event"]?.string == "message" }.map { $0["notice"]?.bool }
  }

  private static func receive(_ harness: Harness, _ name: String, _ id: String) {
    harness.receive(hello(name, id))
    harness.pass(.seconds(1))
  }

  @Test("A message is a notice for every live watcher, tagged or not, and not for one that is told it again")
  func live() throws {
    let harness = try Harness()
    let (plain, tagged, late) = (harness.connect(1), harness.connect(2), harness.connect(3))
    let start = harness.ask(plain, "watch").first?["seq"]?.integer ?? -1
    _ = harness.ask(tagged, "watch tag=t in=bob@example.org")
    Self.receive(harness, "bob", "one")
    #expect(Self.notices(harness.takeLines(plain)) == [true])
    let line = harness.takeText(tagged)
    #expect(line.hasSuffix(#"},"notice":true,"tag":"t"}"# + "\n"), "\(line)")
    // The first is still in memory; the second comes live, behind it.
    #expect(Self.notices(harness.ask(late, "watch since=\(start) tag=l")) == [nil])
    Self.receive(harness, "bob", "two")
    #expect(Self.notices(harness.takeLines(late)) == [true])
    let named = harness.connect(4)
    #expect(Self.notices(harness.ask(named, "watch as=bot since=0")) == [nil, nil])
  }

  @Test("What comes while a slow reader catches up is live, and told behind caught-up", arguments: [8, 200])
  func behind(missed: Int) throws {
    let harness = try Harness()
    let text = String(repeating: "q", count: 5000)
    for number in 0..<missed { Self.receive(harness, "bob", "\(number) \(text)") }
    let client = harness.connect()
    harness.stalled.insert(client)
    harness.send(client, "watch since=0 kinds=message\n")
    Self.receive(harness, "carol", "live")
    for _ in 0..<100 { harness.handle(.client(client, .drained)) }
    let events = harness.takeLines(client).dropFirst()
    #expect(events.prefix(missed).allSatisfy { $0["message"] != nil && $0["notice"] == nil })
    #expect(events.dropFirst(missed).map { $0["event"]?.string } == ["caught-up", "message"])
    #expect(events.last?["notice"]?.bool == true)
  }

  @Test("Mine, and what another device sent, is no notice")
  func mine() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=message")
    #expect(Self.notices(harness.ask(client, "send bob@example.org hello")) == [nil])
    harness.receive(
      "<message from='alice@example.org'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
        + "<message xmlns='jabber:client' from='alice@example.org/there' to='bob@example.org' type='chat' id='c'>"
        + "<body>from there</body></message></forwarded></sent></message>")
    harness.pass(.seconds(1))
    #expect(Self.notices(harness.takeLines(client)) == [nil])
  }

  @Test("A conversation in the focus of any client gives no notice, until the last one looks elsewhere or is gone")
  func focused() throws {
    let harness = try Harness()
    let (watcher, one, two) = (harness.connect(1), harness.connect(2), harness.connect(3))
    _ = harness.ask(watcher, "watch kinds=message")
    func notice(_ name: String = "bob") -> Bool {
      Self.receive(harness, name, "\(harness.handled)")
      return Self.notices(harness.takeLines(watcher)) == [true]
    }
    #expect(harness.ask(one, "focus bob@example.org").last?["ok"]?.bool == true)
    #expect(harness.ask(two, #"{"verb":"focus","jid":"Bob@example.org"}"#).last?["ok"]?.bool == true)
    #expect(!notice())
    #expect(notice("eve"))
    _ = harness.ask(one, "focus eve@example.org")
    #expect(!notice("eve"))
    #expect(!notice())
    _ = harness.ask(two, "focus")
    #expect(notice())
    _ = harness.ask(two, "focus bob@example.org")
    harness.handle(.client(two, .closed))
    #expect(notice())
    harness.handle(.client(one, .writeFailed))
    #expect(notice("eve"))
  }

  @Test("focus needs the account if there are several, and the conversation of one is not that of the other")
  func accounts() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    let client = harness.connect()
    #expect(harness.ask(client, "focus bob@example.org").last?["error"]?.string == "account-needed")
    #expect(harness.ask(client, "focus account=nobody bob@example.org").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "focus account=home bob@@").last?["argument"]?.string == "jid")
    _ = harness.ask(client, "watch kinds=message")
    _ = harness.ask(client, "focus account=work bob@example.org")
    harness.receive(Self.hello("bob", "1"))
    harness.receive(Self.hello("bob", "2"), port: 5224)
    harness.pass(.seconds(1))
    let lines = harness.takeLines(client).filter { $0["event"] != nil }
    let notices = lines.map { [$0["message"]?["account"]?.string, $0["notice"]?.bool.map { "\($0)" }] }
    #expect(Set(notices) == [["home", "true"], ["work", nil]])
    #expect(harness.ask(client, "focus").last?["ok"]?.bool == true)
  }

  @Test("What the archive has at the first look is no notice; what it has of the time away is")
  func archived() throws {
    let harness = try Harness(accounts: [], server: ArchiveTests.server(ArchiveTests.archive(120)))
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=message")
    var account = Harness.alice
    account.archiveFirstSync = .all
    harness.reload { $0.accounts = [account] }
    harness.pass(.seconds(10))
    let first = Self.notices(harness.takeLines(client))
    #expect(first.count == 120 && first.allSatisfy { $0 == nil })
    harness.cut()
    harness.server.archive?.add("away", at: ArchiveTests.stamp(minute: 200))
    harness.pass(.seconds(20))
    #expect(Self.notices(harness.takeLines(client)) == [true])
  }

  @Test("What comes late is a notice, though it stands above what was read")
  func old() throws {
    let harness = try Harness()
    let client = harness.connect()
    Self.receive(harness, "bob", "one")
    _ = harness.ask(client, "read bob@example.org")
    _ = harness.ask(client, "watch kinds=message")
    harness.receive(
      "<message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
        + "<delay xmlns='urn:xmpp:delay' stamp='2020-01-01T00:00:00Z'/>"
        + "<message xmlns='jabber:client' from='bob@example.org/x' to='alice@example.org' type='chat' id='late'>"
        + "<body>late</body></message></forwarded></received></message>")
    harness.pass(.seconds(1))
    #expect(Self.notices(harness.takeLines(client)) == [true])
  }
}
