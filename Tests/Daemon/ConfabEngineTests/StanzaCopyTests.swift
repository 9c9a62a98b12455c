import Clocks
import Testing

@testable import ConfabEngine

/// Stanzas without a text, which only a later version may understand, are stored once by their ids of the archive.
@Suite("Copies of a stanza without a text")
struct StanzaCopyTests {
  private static func xml(
    _ archiveID: String? = nil, word: String = "x", from: String = "bob@example.org/x", more: String = ""
  ) -> String {
    let stanzaID = archiveID.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='\($0)'/>" } ?? ""
    return "<message xmlns='jabber:client' type='chat' from='\(from)' to='alice@example.org' id='p1'>"
      + "<x xmlns='urn:example:unknown'>\(word)</x>\(stanzaID)\(more)</message>"
  }

  /// The archive stores a stanza under an id.
  private static func archive(_ id: String, _ harness: Harness, from: String = "bob@example.org/x") {
    harness.server.archive?.items.append(.init(id: id, stamp: harness.now.wall.rfc3339, xml: xml(from: from)))
  }

  private static func count(_ harness: Harness) throws -> Int { try ForgottenChangeTests.stanzaCount(harness) }

  @Test("One that came live is known when the archive shows it, after a restart too", arguments: [true, false])
  func live(isAnnounced: Bool) throws {
    let harness = try CopyTests.harness(sid: isAnnounced)
    Self.archive("a1", harness)
    harness.say(Self.xml("a1"))
    harness.pass(.seconds(1))
    CopyTests.signInAnew(harness)
    #expect(harness.server.archive?.asked.isEmpty == false)
    #expect(try Self.count(harness) == 1)
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    CopyTests.signInAnew(next)
    #expect(try Self.count(next) == 1)
  }

  @Test("One that comes before disco has answered is known when the archive shows it")
  func beforeDiscovery() throws {
    let harness = try CopyTests.harness { $0.isDiscoveryLate = true }
    Self.archive("a1", harness)
    harness.say(Self.xml("a1"))
    harness.pass(.seconds(1))
    for answer in harness.server.lateDiscoveries { harness.say(answer) }
    harness.pass(.seconds(1))
    #expect(harness.server.archive?.asked.isEmpty == false)
    #expect(try Self.count(harness) == 1)
  }

  @Test("One that comes again live is known, pending or stored", arguments: [true, false], [true, false])
  func again(isStored: Bool, isAnnounced: Bool) throws {
    let harness = try CopyTests.harness(sid: isAnnounced)
    harness.syncsAtOnce = isStored
    let delay = "<delay xmlns='urn:xmpp:delay' from='alice@example.org' stamp='2025-10-09T08:53:20Z'/>"
    harness.say(Self.xml("a1"))
    harness.say(Self.xml("a1", more: delay), Self.xml("a2"))
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(1))
    #expect(try Self.count(harness) == 2)
  }

  @Test("An id that anybody may have written hides neither another's stanza nor another one of its sender's")
  func forged() throws {
    let harness = try CopyTests.harness(sid: false)
    harness.say(Self.xml("a1", from: "eve@example.net/x"), Self.xml("a1", word: "other"))
    harness.pass(.seconds(1))
    Self.archive("a1", harness)
    CopyTests.signInAnew(harness)
    #expect(try Self.count(harness) == 3)
  }
}
