import Clocks
import JSON
import ConfabConfiguration
import MessageLog
import TestSupport
import Testing

@testable import ConfabEngine

/// Changes of mine that do not arrive.
@Suite("Refused changes")
struct RefusedChangeTests {
  private static let bob = ChangeTests.bob

  private func stanzaID(_ harness: Harness, _ wanted: String) throws -> String {
    let stanza = try #require(
      harness.toServer.components("<message").last { $0.contains(wanted) && $0.contains("</message>") })
    return ScriptedStream.value(of: "id", in: stanza) ?? ""
  }

  private func refuse(_ harness: Harness, _ wanted: String) throws {
    refuse(harness, stanza: try stanzaID(harness, wanted))
  }

  private func refuse(_ harness: Harness, stanza id: String) {
    ChangeTests.receive(
      harness,
      "<message from='\(Self.bob)' type='error' id='\(id)'><error type='modify'>"
        + "<not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
  }

  @Test("A correction that is refused is taken back, and watchers hear of it")
  func correction() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let id = harness.ask(client, "send \(Self.bob) one").last?["id"]?.integer ?? 0
    _ = harness.ask(client, "send replace=\(id) \(Self.bob) two")
    _ = harness.ask(client, "send replace=\(id) \(Self.bob) three")
    _ = harness.ask(client, "watch kinds=edit")
    // The first of them is not the last any more.
    try refuse(harness, "two")
    #expect(ChangeTests.texts(harness) == ["three"])
    try refuse(harness, "three")
    #expect(ChangeTests.texts(harness) == ["one"])
    #expect(harness.takeLines(client).last?["message"]?["text"]?.string == "one")
    let present = ChangeTests.history(harness).first
    #expect(present?["edited"] == nil && present?["state"]?.string != "failed")
    harness.clearTrace()
    _ = harness.ask(client, "send replace=\(id) \(Self.bob) four")
    #expect(harness.toServer.contains("four") && ChangeTests.texts(harness) == ["four"])
  }

  @Test("A power cut in the middle of a refusal leaves nothing that the same error does not mend")
  func powerCut() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let id = harness.ask(client, "send \(Self.bob) one").last?["id"]?.integer ?? 0
    _ = harness.ask(client, "send replace=\(id) \(Self.bob) two")
    harness.pass(.seconds(1))
    let stanza = try stanzaID(harness, "two")
    let before = harness.storage.snapshot.segments
    refuse(harness, stanza: stanza)
    let after = harness.storage.snapshot.segments
    let last = try #require(after.keys.max())
    let (old, new) = (before[last]?.count ?? 0, try #require(after[last]))
    #expect(new.count > old)
    for end in stride(from: old, through: new.count, by: 8) {
      var segments = after
      segments[last] = Array(new.prefix(end))
      let next = try Harness(on: MemoryStorage(.init(segments: segments)), server: harness.server, now: harness.now)
      next.pass(.seconds(2))
      refuse(next, stanza: stanza)
      #expect(ChangeTests.texts(next) == ["one"], "cut at \(end) of \(old)..<\(new.count)")
    }
  }

  @Test("A retraction that is refused is taken back, and can be tried again")
  func retraction() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let id = harness.ask(client, "send \(Self.bob) helo").last?["id"]?.integer ?? 0
    _ = harness.ask(client, "send replace=\(id) \(Self.bob) hello")
    ChangeTests.receive(
      harness,
      ChangeTests.react(
        ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last { $0.contains("helo") } ?? "")
          ?? "", ["👍"]))
    _ = harness.ask(client, "retract \(id)")
    #expect(ChangeTests.texts(harness) == [""])
    try refuse(harness, "<retract ")
    let restored = ChangeTests.history(harness).first
    #expect(restored?["text"]?.string == "hello" && restored?["retracted"] == nil)
    #expect(restored?["reactions"]?.array?.count == 1 && restored?["edited"] != nil)
    #expect(harness.ask(client, "versions \(id)").compactMap { $0["version"]?["text"]?.string } == ["helo"])
    harness.clearTrace()
    #expect(harness.ask(client, "retract \(id)").last?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<retract "))
  }

  @Test("What changes a message that never left does not leave either", arguments: ["cancel", "expires"])
  func messageThatNeverLeft(how: String) throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    harness.pass(.seconds(5))
    let id =
      harness.ask(client, "send \(how == "expires" ? "expires=1s " : "")\(Self.bob) helo").last?["id"]?.integer ?? 0
    _ = harness.ask(client, "send replace=\(id) \(Self.bob) hello")
    _ = harness.ask(client, "react \(id) 👍")
    if how == "cancel" { _ = harness.ask(client, "cancel \(id)") } else { harness.pass(.seconds(2)) }
    harness.clearTrace()
    _ = harness.ask(client, "connect")
    harness.pass(.seconds(10))
    #expect(!harness.toServer.contains("hello") && !harness.toServer.contains("<reactions"))
    let present = ChangeTests.history(harness).first
    #expect(present?["state"]?.string == (how == "cancel" ? "cancelled" : "failed"))
    #expect(present?["text"]?.string == "helo" && present?["reactions"] == nil)
    _ = harness.ask(client, "send \(Self.bob) next")
    #expect(harness.toServer.contains("next"))
  }

  @Test("An old message can be changed where messages have a greatest age")
  func oldMessage() throws {
    var account = Harness.alice
    account.outboxMaxAge = .hours(1)
    let harness = try Harness(accounts: [account], server: ReceiptTests.server())
    harness.pass(.seconds(1))
    let client = harness.connect()
    let id = harness.ask(client, "send \(Self.bob) helo").last?["id"]?.integer ?? 0
    harness.pass(.hours(3))
    _ = harness.ask(client, "send replace=\(id) \(Self.bob) hello")
    harness.pass(.seconds(2))
    #expect(harness.toServer.contains("<body>hello</body>") && ChangeTests.texts(harness) == ["hello"])
  }
}
