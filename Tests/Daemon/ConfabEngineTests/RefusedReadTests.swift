import Clocks
import JSON
import MessageLog
import TestSupport
import Testing

@testable import ConfabEngine

/// The disk refuses to read what an account has to decide by: the decision is put off, and nothing is taken meanwhile.
@Suite("refused reads")
struct RefusedReadTests {
  private static let error = StorageError(.unreadable, "read 1.log: Input/output error")

  /// Every read of the log fails, or none.
  private func set(_ failure: StorageError?, _ harness: Harness) {
    harness.storage.change { $0.readFailure = failure }
  }

  /// A daemon that has one message of bob's, whose stanza comes again.
  private func known() throws -> (harness: Harness, again: String) {
    let harness = try CopyTests.harness()
    let xml = CopyTests.xml("once", "m1", archiveID: CopyTests.archive(harness, "once", "m1"))
    harness.say(xml)
    // More than a reader keeps stands behind it.
    let text = String(repeating: "x", count: 20_000)
    for number in 0..<100 { harness.say(CopyTests.xml(text, "x\(number)", from: "carol@example.org/x")) }
    harness.pass(.seconds(1))
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(5))
    return (next, xml)
  }

  @Test("a known message that comes again while the log cannot be read is there once")
  func copy() throws {
    let (harness, again) = try known()
    let watcher = harness.connect(5)
    set(Self.error, harness)
    harness.say(again)
    harness.pass(.seconds(1))
    #expect(harness.link == nil)
    #expect(harness.told.contains { $0.hasPrefix("reading the log failed") })
    // Who asks meanwhile is answered.
    #expect(harness.ask(watcher, "status").last?["ok"]?.bool == true)
    set(nil, harness)
    harness.pass(.minutes(1))
    #expect(harness.link != nil)
    harness.say(CopyTests.xml("behind it", "m2", archiveID: CopyTests.archive(harness, "behind it", "m2")))
    harness.pass(.seconds(1))
    #expect(CopyTests.texts(harness) == ["once", "behind it"])
  }

  @Test("a record that is refused for good counts as damaged after four tries, and the account goes on without it")
  func forGood() throws {
    let (harness, again) = try known()
    set(Self.error, harness)
    harness.say(again)
    harness.pass(.minutes(5)) {
      harness.told.count { $0.hasPrefix("reading the log failed") } >= 4 && harness.link != nil
    }
    harness.pass(.seconds(1))
    set(nil, harness)
    #expect(harness.link != nil)
    #expect(harness.told.count { $0.hasPrefix("reading the log failed") } >= 4)
    #expect(CopyTests.texts(harness).allSatisfy { $0 == "once" })
    harness.say(CopyTests.xml("behind it", "m2", archiveID: CopyTests.archive(harness, "behind it", "m2")))
    harness.pass(.seconds(1))
    #expect(CopyTests.texts(harness).last == "behind it")
  }

  @Test("a message that waits to be sent and cannot be read leaves once it can be", arguments: [true, false])
  func outbox(isRestarted: Bool) throws {
    var harness = try CopyTests.harness()
    harness.cut()
    harness.holdsLinks = true
    let sender = harness.connect(5)
    for text in ["one", "two"] {
      #expect(harness.ask(sender, "send bob@example.org \(text)").last?["ok"]?.bool == true)
    }
    harness.pass(.seconds(1))
    if isRestarted { harness = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2) }
    set(Self.error, harness)
    harness.holdsLinks = false
    harness.pass(.seconds(3))
    set(nil, harness)
    harness.pass(.minutes(2))
    let sent = harness.toServer
    #expect(sent.ranges(of: ">one<").count == 1 && sent.ranges(of: ">two<").count == 1)
    #expect(harness.ask(harness.connect(6), "status").contains { $0["account"]?["queued"]?.integer == 0 })
  }

  private static func correction(of id: String, by local: String) -> String {
    "<message type='chat' from='\(local)@example.org/x' to='alice@example.org' id='c1'><body>better</body>"
      + "<replace xmlns='urn:xmpp:message-correct:0' id='\(id)'/></message>"
  }

  @Test("a correction whose message cannot be read is not taken for one of nothing")
  func correction() throws {
    let (harness, _) = try known()
    // Another place of the log is read last.
    harness.say(Self.correction(of: "x99", by: "carol"))
    harness.pass(.seconds(1))
    set(Self.error, harness)
    harness.say(Self.correction(of: "m1", by: "bob"))
    harness.pass(.seconds(1))
    #expect(harness.link == nil)
    set(nil, harness)
    harness.pass(.minutes(1))
    #expect(CopyTests.texts(harness) == ["better"])
  }
}
