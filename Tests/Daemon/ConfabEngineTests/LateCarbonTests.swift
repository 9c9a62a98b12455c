import Clocks
import JSON
import Testing

@testable import ConfabEngine

/// Carbons that waited for us at the server, which stamped them itself (XEP-0203): Prosody and ejabberd do when a stream
/// is resumed.
@Suite("carbons that waited")
struct LateCarbonTests {
  private func harness() throws -> Harness {
    var server = ScriptedStream()
    server.resumption = "max='600'"
    server.acknowledges = true
    let harness = try Harness(server: server)
    harness.pass(.minutes(5))
    return harness
  }

  private func resume(_ harness: Harness) {
    harness.cut()
    harness.pass(.seconds(10))
    #expect(harness.toServer.contains("<resume "))
  }

  private func delay(_ stamp: String, from: String = "alice@example.org") -> String {
    "<delay xmlns='urn:xmpp:delay' from='\(from)' stamp='\(stamp)'/>"
  }

  private func message(_ text: String, from: String, to: String, _ more: String = "") -> String {
    "<message xmlns='jabber:client' type='chat' from='\(from)' to='\(to)' id='\(text)'><body>\(text)</body>\(more)</message>"
  }

  private func theirs(_ text: String, _ more: String = "") -> String {
    message(text, from: "bob@example.org/x", to: "alice@example.org", more)
  }

  private func mine(_ text: String) -> String { message(text, from: "alice@example.org/phone", to: "bob@example.org") }

  private func carbon(_ direction: String, _ message: String, _ delay: String) -> String {
    "<message from='alice@example.org' to='alice@example.org/confab' type='chat'><\(direction) xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(message)</forwarded></\(direction)>\(delay)</message>"
  }

  private func messages(_ harness: Harness) -> [JSONValue] {
    harness.pass(.seconds(1))
    return harness.ask(harness.connect(77), "history bob@example.org").compactMap { $0["message"] }
  }

  private func texts(_ harness: Harness) -> [String?] { messages(harness).map { $0["text"]?.string } }

  private func unread(_ harness: Harness) -> Int64? {
    harness.ask(harness.connect(4), "unread in=bob@example.org").last?["unread"]?.integer
  }

  /// The whole second before now by so many, as servers stamp it.
  private func stamp(_ seconds: Int64, before harness: Harness) -> String {
    Timestamp(milliseconds: harness.now.wall.milliseconds / 1_000 * 1_000 - seconds * 1_000).rfc3339
  }

  @Test(
    "what I write on another device while the stream is lost stands among what others write then",
    arguments: [false, true])
  func amongOthers(crashed: Bool) throws {
    var harness = try harness()
    if crashed {
      harness = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
      harness.pass(.seconds(10))
      #expect(harness.toServer.contains("<resume "))
    } else {
      resume(harness)
    }
    let stamps = [8, 8, 8, 7, 5, 5].map { stamp($0, before: harness) }
    for (number, stamp) in stamps.enumerated() {
      harness.say(
        number.isMultiple(of: 2)
          ? theirs("\(number)", delay(stamp)) : carbon("sent", mine("\(number)"), delay(stamp)))
    }
    let found = messages(harness)
    #expect(found.map { $0["text"]?.string } == (0..<6).map { "\($0)" })
    #expect(found.map { $0["time"]?.string } == stamps)
    #expect(found.map { $0["mine"]?.bool } == (0..<6).map { !$0.isMultiple(of: 2) })
  }

  @Test("a stamp on a carbon counts only while messages can have waited")
  func live() throws {
    let harness = try harness()
    harness.say(theirs("one"))
    harness.pass(.seconds(1))
    let stamp = stamp(60, before: harness)
    harness.say(carbon("sent", mine("two"), delay(stamp)))
    let now = harness.now.wall.rfc3339
    let last = try #require(messages(harness).last)
    #expect(last["text"]?.string == "two" && last["time"]?.string == now)
    #expect(last["claimed_time"]?.string == stamp && last["delayed"] == nil)
  }

  @Test("a stamp on a carbon from before the end of the earlier session is a claim")
  func beforeTheEarlierSession() throws {
    let harness = try harness()
    harness.say(theirs("live"))
    harness.pass(.seconds(1))
    resume(harness)
    harness.say(carbon("sent", mine("one"), delay("2025-01-02T03:04:05Z")))
    #expect(try #require(messages(harness).last)["claimed_time"]?.string?.hasPrefix("2025-01-02") == true)
  }

  @Test("a stamp on a carbon in somebody else's name, and a sender's own inside, move nothing")
  func forged() throws {
    let harness = try harness()
    resume(harness)
    let stamp = stamp(8, before: harness)
    let inner = theirs("inner", delay(self.stamp(9, before: harness), from: "example.org"))
    harness.say(carbon("received", inner, delay(stamp, from: "eve@example.net")))
    #expect(try #require(messages(harness).last)["delayed"] == nil)
    harness.say(carbon("received", inner.replacing("'inner'", with: "'other'"), delay(stamp)))
    #expect(try #require(messages(harness).first)["time"]?.string == stamp)
  }

  @Test("what another device got and waited here is unread, though it stands among what was read")
  func amongRead() throws {
    let harness = try harness()
    harness.say(theirs("one"))
    harness.pass(.seconds(1))
    resume(harness)
    harness.say(theirs("two", delay(stamp(1, before: harness))))
    harness.pass(.seconds(1))
    _ = harness.ask(harness.connect(5), "read bob@example.org")
    #expect(unread(harness) == 0)
    harness.say(carbon("received", theirs("three"), delay(stamp(9, before: harness))))
    #expect(texts(harness) == ["one", "three", "two"])
    #expect(unread(harness) == 1)
  }
}
