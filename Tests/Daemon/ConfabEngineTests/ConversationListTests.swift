import Clocks
import JSON
import Testing

@testable import ConfabEngine

@Suite("the list of conversations, and marking all as read")
struct ConversationListTests {
  private static func hello(_ name: String, _ id: String = "1") -> String {
    "<message from='\(name)@example.org/x' type='chat' id='\(name)-\(id)'><body>hello</body></message>"
  }

  private static func names(_ lines: [JSONValue]) -> [String] {
    lines.compactMap { $0["conversation"]?["jid"]?.string.map { String($0.prefix { $0 != "@" }) } }
  }

  /// Conversations with one message each, a second apart, in this order.
  private static func harness(with names: [String]) throws -> Harness {
    let harness = try Harness()
    for name in names {
      harness.receive(hello(name))
      harness.pass(.seconds(1))
    }
    return harness
  }

  @Test("before= continues after a conversation, page after page, and more_before says whether more follow")
  func pages() throws {
    let harness = try Self.harness(with: ["ann", "bob", "cat", "dan", "eve"])
    let client = harness.connect()
    var shown: [[String]] = []
    var request = "conversations limit=2"
    while true {
      let lines = harness.ask(client, request)
      shown.append(Self.names(lines))
      guard lines.last?["more_before"]?.bool == true, let last = shown.last?.last else { break }
      request = "conversations limit=2 before=\(last)@example.org"
    }
    #expect(shown == [["eve", "dan"], ["cat", "bob"], ["ann"]])
    #expect(harness.ask(client, "conversations limit=0").last?["more_before"]?.bool == true)
    let first = harness.ask(client, "conversations before=ann@example.org").last
    #expect(first?["ok"]?.bool == true && first?["more_before"]?.bool == false)
    let unknown = harness.ask(client, "conversations before=nobody@example.org").last
    #expect(unknown?["error"]?.string == "not-found" && unknown?["argument"]?.string == "before")
  }

  @Test("before= of a JID that several accounts have a conversation with needs account=")
  func ambiguous() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    let client = harness.connect()
    for account in ["home", "work"] { _ = harness.ask(client, "send account=\(account) bob@example.org x") }
    #expect(harness.ask(client, "conversations before=bob@example.org").last?["error"]?.string == "account-needed")
    let one = harness.ask(client, "conversations account=home before=bob@example.org")
    #expect(one.count == 1 && one.last?["more_before"]?.bool == false)
  }

  @Test("a conversation with a message dated in the future is ordered by its other messages")
  func future() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.receive(Self.hello("ann", "old"))
    harness.pass(.seconds(1))
    let present = harness.now.wall
    // The clock was wrong for a while.
    harness.now.wall = Timestamp(rfc3339: "9998-01-01T00:00:00Z") ?? present
    harness.receive(Self.hello("ann", "new") + Self.hello("zoe"))
    harness.pass(.seconds(1))
    harness.now.wall = present
    harness.receive(Self.hello("bob"))
    harness.pass(.seconds(1))
    let lines = harness.ask(client, "conversations")
    #expect(Self.names(lines) == ["bob", "ann", "zoe"])
    #expect(lines.dropFirst().first?["conversation"]?["last"]?["time"]?.string?.hasPrefix("9998") == true)
    #expect(Self.names(harness.ask(client, "conversations before=bob@example.org limit=1")) == ["ann"])
    #expect(Self.names(harness.ask(client, "conversations before=ann@example.org")) == ["zoe"])
  }

  @Test("read all=yes reads everything, durably, with one event for each conversation")
  func readAll() throws {
    let harness = try Self.harness(with: ["ann", "bob", "cat"])
    let (client, watcher) = (harness.connect(1), harness.connect(2))
    _ = harness.ask(client, "read cat@example.org")
    _ = harness.ask(watcher, "watch kinds=read")
    harness.syncsAtOnce = false
    harness.send(client, "read all=yes\n")
    #expect(harness.takeLines(client).isEmpty)
    harness.sync()
    #expect(harness.takeLines(client).map { $0["unread"]?.integer } == [0])
    harness.syncsAtOnce = true
    harness.pass(.seconds(1))
    let events = harness.takeLines(watcher).filter { $0["event"]?.string == "read" }
    #expect(events.compactMap { $0["conversation"]?.string }.sorted() == ["ann@example.org", "bob@example.org"])
    #expect(harness.ask(client, "unread").last?["unread"]?.integer == 0)
    // Nothing remains to be stored.
    #expect(harness.ask(client, "read all=yes").last?["ok"]?.bool == true)
    #expect(harness.takeLines(watcher).isEmpty)
    let again = try Harness(on: harness.storage)
    #expect(again.ask(again.connect(), "unread").last?["unread"]?.integer == 0)
  }

  @Test("read all=yes takes no argument, read without either is refused, and account= selects")
  func readAllUsage() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    let client = harness.connect()
    for request in ["read", "read all=no", "read all=yes bob@example.org", #"{"verb":"read","all":"yes","id":5}"#] {
      #expect(harness.ask(client, request).last?["error"]?.string == "bad-argument", "\(request)")
    }
    harness.receive(Self.hello("ann"))
    harness.receive(Self.hello("bob"), port: 5224)
    harness.pass(.seconds(1))
    let unread = { harness.ask(client, "unread").last?["unread"]?.integer }
    let before = unread()
    #expect(harness.ask(client, "read account=home all=yes").last?["unread"]?.integer == 0)
    let after = unread()
    #expect(before.flatMap { before in after.map { before - $0 } } == 1)
    #expect(harness.ask(client, #"{"verb":"read","all":"yes"}"#).last?["unread"]?.integer == 0)
    #expect(unread() == 0)
  }

  @Test("status shows my presence, as it was set last")
  func presence() throws {
    let harness = try Harness()
    let client = harness.connect()
    let shown = { harness.ask(client, "status").first?["account"]?["presence"] }
    #expect(shown()?["show"]?.string == "available" && shown()?["status"]?.string == "")
    _ = harness.ask(client, "presence away back at ten")
    #expect(shown()?["show"]?.string == "away" && shown()?["status"]?.string == "back at ten")
  }

  @Test("account-needed names the configured accounts")
  func accountNeeded() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    let reason = harness.ask(harness.connect(), "history bob@example.org").last?["reason"]?.string
    #expect(reason == "several accounts are configured (home, work): choose one with account=")
  }

  @Test("an empty body is no message, unless there is a subject")
  func emptyBody() throws {
    let harness = try Harness()
    let client = harness.connect()
    let message = { (inside: String) in "<message from='bob@example.org/x' type='chat'>\(inside)</message>" }
    harness.receive(
      message("<body/>") + message("<body></body><subject/>") + message("<body/><subject>Lunch</subject>"))
    harness.pass(.seconds(1))
    let lines = harness.ask(client, "history bob@example.org")
    #expect(lines.compactMap { $0["message"]?["subject"]?.string } == ["Lunch"])
    #expect(lines.count == 2 && harness.ask(client, "unread").last?["unread"]?.integer == 1)
  }
}
