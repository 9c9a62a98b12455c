import Clocks
import MessageLog
import Records
import State
import TestSupport
import Testing

@testable import ConfabEngine

@Suite("Changes of messages that were forgotten")
struct ForgottenChangeTests {
  /// How many stanzas that were not understood are in the log.
  static func stanzaCount(_ harness: Harness) throws -> Int {
    var count = 0
    var recovery = try Recovery(of: harness.storage, log: nil, mode: .readOnly)
    _ = try recovery.run { frame in
      if case .payload? = Record(reading: frame) { count += 1 }
    }
    return count
  }

  @Test("what changed nothing, or was not understood, does not come back either", arguments: [true, false])
  func changes(stampsLive: Bool) throws {
    let harness = try Harness(server: ArchiveTests.server(ScriptedArchive(), stampsLive: stampsLive))
    harness.pass(.seconds(1))
    let stanzas = [
      ChangeTests.message("word", id: "m1"), ChangeTests.retract("m1"), ChangeTests.correct("m1", "corrected"),
      ChangeTests.react("m1", ["👍"]),
      "<message type='chat' from='bob@example.org/x' id='p1'><x xmlns='urn:example:unknown'>secret</x></message>",
    ]
    for (number, stanza) in stanzas.enumerated() {
      let stanzaID = "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a\(number)'/>"
      ChangeTests.receive(harness, stampsLive ? stanza.replacing("</message>", with: stanzaID + "</message>") : stanza)
    }
    let (before, stamp) = (try Self.stanzaCount(harness), harness.now.wall.rfc3339)
    _ = harness.ask(harness.connect(900), "forget-history bob@example.org")
    harness.pass(.hours(1))
    let late = harness.now.wall.rfc3339
    harness.pass(.hours(1))
    var server = ArchiveTests.server(ScriptedArchive(), stampsLive: stampsLive)
    for (number, stanza) in stanzas.enumerated() {
      let xml = stanza.replacing("<message ", with: "<message xmlns='jabber:client' ")
      server.archive?.items.append(.init(id: "a\(number)", stamp: stamp, xml: xml))
    }
    server.archive?.add("unseen", at: stamp, id: "b1")
    let reaction = ChangeTests.react("m0", ["🎉"], stanza: "e2")
    server.archive?.items.append(
      .init(id: "b2", stamp: late, xml: reaction.replacing("<message ", with: "<message xmlns='jabber:client' ")))
    let later = try Harness(on: harness.storage, server: server, now: harness.now)
    later.pass(.seconds(2))
    #expect(ChangeTests.texts(later) == ["unseen"])
    #expect(try Self.stanzaCount(later) == before + 1, "a reaction of later, to what is not here")
  }
}
