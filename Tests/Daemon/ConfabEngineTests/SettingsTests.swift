import Clocks
import JSON
import MessageLog
import State
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// `notify`, `pin` and `archive`: what is set of a conversation.
@Suite("Settings of a conversation")
struct SettingsTests {
  private static let never = "notify bob@example.org never"

  private static func online() throws -> (harness: Harness, client: ClientID) {
    let harness = try ReceiptTests.online()
    receive(harness, "one")
    return (harness, harness.connect())
  }

  private static func receive(_ harness: Harness, _ id: String) {
    harness.receive("<message from='bob@example.org/x' type='chat' id='\(id)'><body>\(id)</body></message>")
    harness.pass(.seconds(1))
  }

  private static func restarted(_ harness: Harness) throws -> Harness {
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(1))
    return next
  }

  /// Bob's conversation in the list: level, its end, pinned, archived.
  private static func shown(_ harness: Harness) -> [String?] {
    words(harness.ask(harness.connect(99), "conversations").first?["conversation"])
  }

  private static func words(_ conversation: JSONValue?) -> [String?] {
    [conversation?["notify"]?.string, conversation?["notify_until"]?.string]
      + ["pinned", "archived"].map { conversation?[$0]?.bool.map { "\($0)" } }
  }

  private static func events(_ lines: [JSONValue]) -> [[String?]] {
    lines.filter { $0["event"]?.string == "conversation" }.map { words($0["conversation"]) }
  }

  @Test(
    "Each is answered and told after its sync, and kept across a kill, with a checkpoint and without",
    arguments: [
      (never, ["never", nil, "false", "false"]),
      ("notify bob@example.org mentions", ["mentions", nil, "false", "false"]),
      (#"{"verb":"notify","jid":"bob@example.org","level":"never"}"#, ["never", nil, "false", "false"]),
      ("pin bob@example.org yes", ["always", nil, "true", "false"]),
      (#"{"verb":"pin","jid":"bob@example.org","value":"yes"}"#, ["always", nil, "true", "false"]),
      ("archive bob@example.org yes", ["always", nil, "false", "true"]),
    ] as [(String, [String?])])
  func durable(request: String, expected: [String?]) throws {
    let (harness, client) = try Self.online()
    #expect(Self.shown(harness) == ["always", nil, "false", "false"])
    let watcher = harness.connect(2)
    let start = harness.ask(watcher, "watch").first?["seq"]?.integer ?? 0
    harness.syncsAtOnce = false
    harness.send(client, request + "\n")
    #expect(harness.takeLines(client).isEmpty && harness.takeLines(watcher).isEmpty)
    harness.sync()
    harness.syncsAtOnce = true
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
    let told = harness.takeLines(watcher)
    #expect(Self.events(told) == [expected])
    #expect(told.first?["seq"]?.integer ?? 0 > start)
    #expect(told.first?["conversation"]?["jid"]?.string == "bob@example.org")
    #expect(told.first?["conversation"]?["last"]?["text"]?.string == "one")
    #expect(Self.shown(harness) == expected)
    let next = try Self.restarted(harness)
    #expect(Self.shown(next) == expected)
    let again = next.connect(3)
    #expect(Self.events(next.ask(again, "watch since=\(start)")) == [expected])
    // An orderly end leaves a checkpoint.
    next.handle(.stop(.terminate))
    next.pass(.seconds(30))
    let last = try Self.restarted(next)
    #expect(last.opened.checkpoint != nil)
    #expect(Self.shown(last) == expected)
  }

  @Test("One does not change the others, and taking all back leaves nothing")
  func together() throws {
    let (harness, client) = try Self.online()
    harness.syncsAtOnce = false
    harness.send(client, "\(Self.never)\npin bob@example.org yes\narchive bob@example.org yes\n")
    for _ in 0..<3 { harness.sync() }
    harness.syncsAtOnce = true
    harness.pass(.seconds(1))
    #expect(Self.shown(harness) == ["never", nil, "true", "true"])
    for request in ["pin bob@example.org no", "archive bob@example.org no", "notify bob@example.org always"] {
      #expect(harness.ask(client, request).last?["ok"]?.bool == true)
    }
    #expect(Self.shown(try Self.restarted(harness)) == ["always", nil, "false", "false"])
    let pinned = "pin eve@example.org"
    #expect(harness.ask(client, "\(pinned) yes").last?["error"]?.string == "not-found")
    #expect(harness.engine.state.accounts[1]?.settings["eve@example.org"] == nil)
  }

  @Test(
    "Bad input is refused, and nothing is stored",
    arguments: [
      ("notify bob@example.org", "bad-argument", "level"), ("notify bob@example.org loud", "bad-argument", "level"),
      ("notify", "bad-argument", "jid"), ("notify bob@@ never", "bad-argument", "jid"),
      ("notify eve@example.org never", "not-found", "jid"), ("pin bob@example.org", "bad-argument", "value"),
      ("pin bob@example.org true", "bad-argument", "value"), ("archive bob@example.org maybe", "bad-argument", "value"),
      ("archive account=nobody bob@example.org yes", "not-found", "account"),
      (#"{"verb":"pin","jid":"bob@example.org","value":true}"#, "bad-argument", "value"),
      ("notify until=2020-01-01T00:00:00Z bob@example.org never", "bad-argument", "until"),
      ("notify until=2h bob@example.org never", "bad-argument", "until"),
      (
        #"{"verb":"notify","jid":"bob@example.org","level":"never","until":"tomorrow"}"#, "bad-argument", "until"
      ),
    ])
  func refused(request: String, code: String, argument: String) throws {
    let (harness, client) = try Self.online()
    let before = harness.engine.storage.queue.last
    let answers = harness.ask(client, request)
    #expect(answers.map { $0["error"]?.string } == [code])
    #expect(answers.last?["argument"]?.string == argument)
    #expect(harness.engine.storage.queue.last == before)
  }

  @Test("A contact without a conversation can be muted; a full JID means its conversation")
  func withoutConversation() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=conversation,message")
    let lines = harness.ask(client, "notify bob@example.org/phone never")
    #expect(Self.events(lines) == [["never", nil, "false", "false"]])
    #expect(lines.contains { $0["conversation"]?["count"]?.integer == 0 })
    Self.receive(harness, "one")
    #expect(harness.takeLines(client).map { $0["notice"]?.bool } == [nil])
  }

  @Test("Several accounts have settings of their own, and the account has to be named")
  func accounts() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    let client = harness.connect()
    for account in ["home", "work"] { _ = harness.ask(client, "send account=\(account) bob@example.org x") }
    #expect(harness.ask(client, "pin bob@example.org yes").last?["error"]?.string == "account-needed")
    #expect(harness.ask(client, "pin account=work bob@example.org yes").last?["ok"]?.bool == true)
    let pinned = harness.ask(client, "conversations").compactMap { $0["conversation"] }.filter {
      $0["pinned"]?.bool == true
    }
    #expect(pinned.map { $0["account"]?.string } == ["work"])
  }

  // MARK: - until=

  @Test("After until= holds again what was before, with an event and without a restart, or over it")
  func until() throws {
    let (harness, client) = try Self.online()
    _ = harness.ask(client, "notify bob@example.org mentions")
    let end = harness.now.wall.advanced(by: .hours(1))
    let muted = "notify until=\(end.rfc3339) bob@example.org never"
    #expect(harness.ask(client, muted).last?["ok"]?.bool == true)
    let during = ["never", end.rfc3339, "false", "false"]
    #expect(Self.shown(harness) == during)
    let next = try Self.restarted(harness)
    #expect(Self.shown(next) == during)
    let watcher = next.connect(2)
    _ = next.ask(watcher, "watch kinds=conversation")
    next.pass(.minutes(58))
    #expect(next.takeLines(watcher).isEmpty)
    next.pass(.minutes(3))
    let after = ["mentions", nil, "false", "false"]
    #expect(Self.events(next.takeLines(watcher)) == [after])
    #expect(Self.shown(next) == after)
    next.pass(.hours(24))
    #expect(next.takeLines(watcher).isEmpty)
    // The end may come while no daemon runs.
    harness.now = next.now
    let late = try Self.restarted(harness)
    #expect(Self.shown(late) == after)
  }

  @Test("A shorter level within a longer one gives way to it, and a lasting one ends all")
  func nested() throws {
    let (harness, client) = try Self.online()
    let (tomorrow, soon) = (harness.now.wall.advanced(by: .hours(24)), harness.now.wall.advanced(by: .hours(1)))
    _ = harness.ask(client, "notify until=\(tomorrow.rfc3339) bob@example.org never")
    _ = harness.ask(client, "notify until=\(soon.rfc3339) bob@example.org mentions")
    #expect(Self.shown(harness).prefix(2) == ["mentions", soon.rfc3339])
    harness.pass(.hours(2))
    #expect(Self.shown(harness).prefix(2) == ["never", tomorrow.rfc3339])
    harness.pass(.hours(24))
    #expect(Self.shown(harness).prefix(2) == ["always", nil])
    let later = harness.now.wall.advanced(by: .hours(1)).rfc3339
    _ = harness.ask(client, "notify until=\(later) bob@example.org never")
    _ = harness.ask(client, "notify bob@example.org mentions")
    #expect(Self.shown(harness).prefix(2) == ["mentions", nil])
    harness.pass(.hours(2))
    #expect(Self.shown(harness).prefix(2) == ["mentions", nil])
  }

  @Test("A level that ends while the disk fails ends all the same, and the event follows")
  func failingDisk() throws {
    let (harness, client) = try Self.online()
    let end = harness.now.wall.advanced(by: .minutes(1))
    _ = harness.ask(client, "notify until=\(end.rfc3339) bob@example.org never")
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=conversation")
    harness.syncsAtOnce = false
    for _ in 0..<30 {
      harness.pass(.seconds(5))
      harness.sync(failing: StorageError(.failed, "fdatasync: Input/output error", errno: 5))
    }
    #expect(Self.shown(harness).prefix(2) == ["always", nil])
    #expect(harness.takeLines(watcher).isEmpty)
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.minutes(1))
    #expect(Self.events(harness.takeLines(watcher)) == [["always", nil, "false", "false"]])
  }

  // MARK: - The archive

  @Test("A message takes its conversation out of the archive, mine, theirs or another device's")
  func unarchived() throws {
    let (harness, client) = try Self.online()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=conversation")
    let carbon =
      "<message from='alice@example.org'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
      + "<message xmlns='jabber:client' from='alice@example.org/there' to='bob@example.org' type='chat' id='c'>"
      + "<body>from there</body></message></forwarded></sent></message>"
    let ways: [() -> Void] = [
      { Self.receive(harness, "two") }, { _ = harness.ask(client, "send bob@example.org three") },
      {
        harness.receive(carbon)
        harness.pass(.seconds(1))
      },
    ]
    for way in ways {
      _ = harness.ask(client, "archive bob@example.org yes")
      #expect(Self.shown(harness).last == "true")
      _ = harness.takeLines(watcher)
      way()
      #expect(Self.shown(harness).last == "false")
      #expect(Self.events(harness.takeLines(watcher)) == [["always", nil, "false", "false"]])
    }
    #expect(Self.shown(try Self.restarted(harness)).last == "false")
  }

  @Test("It stays there while notify is never, and comes out with the next message behind until=")
  func staysArchived() throws {
    let (harness, client) = try Self.online()
    let end = harness.now.wall.advanced(by: .hours(1))
    _ = harness.ask(client, "notify until=\(end.rfc3339) bob@example.org never")
    _ = harness.ask(client, "archive bob@example.org yes")
    Self.receive(harness, "two")
    #expect(Self.shown(harness).last == "true")
    harness.pass(.hours(2))
    #expect(Self.shown(harness).last == "true")
    Self.receive(harness, "three")
    #expect(Self.shown(harness).last == "false")
  }

  @Test("Between a request and its sync a message takes it out all the same")
  func race() throws {
    let (harness, client) = try Self.online()
    harness.syncsAtOnce = false
    harness.send(client, "archive bob@example.org yes\n")
    Self.receive(harness, "two")
    for _ in 0..<4 {
      harness.sync()
      harness.pass(.seconds(2))
    }
    harness.syncsAtOnce = true
    #expect(Self.shown(harness).last == "false")
  }

  @Test("What the first look into the server's archive brings leaves it there; what came since takes it out")
  func history() throws {
    var archive = ArchiveTests.archive(200)
    archive.patience = 2
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(1))
    let client = harness.connect()
    _ = harness.ask(client, "archive bob@example.org yes")
    harness.server.archive?.patience = .max
    harness.cut()
    harness.pass(.seconds(30))
    #expect(harness.ask(client, "history limit=0 bob@example.org").last?["count"]?.integer == 200)
    #expect(Self.shown(harness).last == "true")
    harness.cut()
    harness.server.archive?.add("away", at: ArchiveTests.stamp(minute: 300))
    harness.pass(.seconds(30))
    #expect(Self.shown(harness).last == "false")
  }

  // MARK: - Notices

  @Test("A notice is given as the level wants it", arguments: [("always", true), ("mentions", nil), ("never", nil)])
  func notices(level: String, notice: Bool?) throws {
    let (harness, client) = try Self.online()
    _ = harness.ask(client, "notify bob@example.org \(level)")
    _ = harness.ask(client, "watch kinds=message")
    Self.receive(harness, "two")
    #expect(harness.takeLines(client).map { $0["notice"]?.bool } == [notice])
  }

  @Test("forget-history leaves what is set")
  func forgotten() throws {
    let (harness, client) = try Self.online()
    _ = harness.ask(client, Self.never)
    _ = harness.ask(client, "forget-history bob@example.org")
    Self.receive(harness, "two")
    #expect(Self.shown(try Self.restarted(harness)).first == "never")
  }
}
