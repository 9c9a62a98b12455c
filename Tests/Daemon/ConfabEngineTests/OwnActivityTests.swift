import Clocks
import JSON
import TestSupport
import Testing

@testable import ConfabEngine

/// What I do on another device says what I have read; what is taken back is not unread.
@Suite("Reading elsewhere, and what is no longer unread")
struct OwnActivityTests {
  static let bob = ChangeTests.bob

  private static func mine(_ inside: String, id: String = "p1", more: String = "") -> String {
    VisibleMessageTests.carbon(
      "sent",
      "<message from='alice@example.org/phone' to='\(bob)/desk' type='chat' id='\(id)'>\(inside)\(more)</message>")
  }

  private func unread(_ harness: Harness) -> Int64? {
    harness.ask(harness.connect(77), "unread in=\(Self.bob)").last?["unread"]?.integer
  }

  @Test("My message from another device marks as read what stands before it, and nothing behind it")
  func message() throws {
    let harness = try Harness()
    let watcher = harness.connect()
    _ = harness.ask(watcher, "watch kinds=read")
    ChangeTests.receive(harness, ChangeTests.message("one", id: "m1"), ChangeTests.message("two", id: "m2"))
    #expect(unread(harness) == 2)
    ChangeTests.receive(harness, Self.mine("<body>yes</body>"), ChangeTests.message("three", id: "m3"))
    #expect(harness.takeLines(watcher).count { $0["event"]?.string == "read" } == 1)
    for harness in try ChangeTests.asWritten(harness) { #expect(unread(harness) == 1) }
  }

  @Test("Messages and my answer within one batch of the log are read, too")
  func batch() throws {
    let harness = try Harness()
    harness.say(
      ChangeTests.message("one", id: "m1"), Self.mine("<body>yes</body>"), ChangeTests.message("two", id: "m2"))
    harness.pass(.seconds(1))
    #expect(unread(harness) == 1)
  }

  @Test("The chat state active of another device marks as read all that was there, and no other state does")
  func active() throws {
    let harness = try Harness()
    ChangeTests.receive(harness, ChangeTests.message("one", id: "m1"))
    func state(_ name: String) -> String { Self.mine("<\(name) xmlns='http://jabber.org/protocol/chatstates'/>") }
    ChangeTests.receive(harness, state("inactive"), state("gone"), state("paused"))
    #expect(unread(harness) == 1)
    ChangeTests.receive(harness, state("active"))
    for harness in try ChangeTests.asWritten(harness) { #expect(unread(harness) == 0) }
    // Bob's own state says nothing of me.
    ChangeTests.receive(
      harness, ChangeTests.message("two", id: "m2"),
      "<message from='\(Self.bob)/phone' type='chat'><active xmlns='http://jabber.org/protocol/chatstates'/></message>")
    #expect(unread(harness) == 1)
  }

  @Test("A message of mine from before I moved the read position back leaves it there; a new one moves it")
  func movedBack() throws {
    let harness = try Harness()
    let client = harness.connect()
    ChangeTests.receive(harness, ChangeTests.message("one", id: "m1"), ChangeTests.message("two", id: "m2"))
    let id = ChangeTests.history(harness).first?["id"]?.integer ?? 0
    #expect(harness.ask(client, "read \(Self.bob)").last?["unread"]?.integer == 0)
    #expect(harness.ask(client, "unread-from \(Self.bob) \(id)").last?["unread"]?.integer == 2)
    let delay = "<delay xmlns='urn:xmpp:delay' from='alice@example.org' stamp='2025-01-01T00:00:00Z'/>"
    ChangeTests.receive(harness, Self.mine("<body>old</body>", more: delay))
    #expect(unread(harness) == 2)
    ChangeTests.receive(harness, Self.mine("<body>new</body>", id: "p2"))
    #expect(unread(harness) == 0)
  }

  @Test("A retracted message does not count as unread, whichever way the retraction came")
  func retracted() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, ChangeTests.message("one", id: "m1"), ChangeTests.message("two", id: "m2"),
      ChangeTests.message("three", id: "m3"), ChangeTests.retract("m1"))
    #expect(unread(harness) == 2)
    ChangeTests.receive(
      harness,
      VisibleMessageTests.carbon(
        "received", ChangeTests.retract("m2", stanza: "r2").replacing("/confab", with: "/phone")))
    for harness in try ChangeTests.asWritten(harness) {
      #expect(unread(harness) == 1)
      let listed = harness.ask(harness.connect(3), "conversations").first?["conversation"]
      #expect(listed?["unread"]?.integer == 1)
    }
    ChangeTests.receive(harness, ChangeTests.react("m1", ["👍"]))
    #expect(harness.ask(harness.connect(4), "read \(Self.bob)").last?["unread"]?.integer == 0)
    let first = ChangeTests.history(harness).first?["id"]?.integer ?? 0
    #expect(harness.ask(harness.connect(5), "unread-from \(Self.bob) \(first)").last?["unread"]?.integer == 1)
  }

  @Test("A URI is an address wherever one is taken")
  func uris() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "send xmpp:bob@example.org?message hello").last?["ok"]?.bool == true)
    #expect(harness.ask(client, "history xmpp:b%6Fb@example.org").first?["message"]?["text"]?.string == "hello")
    #expect(harness.ask(client, "unread in=xmpp:bob@example.org").last?["ok"]?.bool == true)
    #expect(harness.ask(client, "send xmpp:bob%2@example.org hello").last?["error"]?.string == "bad-argument")
  }
}
