import Clocks
import State
import JSON
import ConfabConfiguration
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// What left on a stream that is over: the archive tells whether it arrived.
@Suite("doubts that the archive settles")
struct DoubtTests {
  /// Messages that left, unacknowledged, on a stream that was cut; their stanza ids.
  private func sent(_ count: Int, _ harness: Harness) -> [String] {
    let client = harness.connect()
    for number in 1...count { harness.send(client, "send bob@example.org out \(number)\n") }
    harness.pass(.seconds(1))
    let stanzas = harness.toServer.components("<message ").dropFirst()
    return stanzas.compactMap { ScriptedStream.value(of: "id", in: " " + $0) }
  }

  private func messages(_ harness: Harness) -> [JSONValue] {
    harness.ask(harness.connect(77), "history bob@example.org").compactMap { $0["message"] }
  }

  private func archive(_ ids: [String], _ harness: Harness) {
    for (index, id) in ids.enumerated() {
      harness.server.archive?.add(
        "out \(index + 1)", at: harness.now.wall.rfc3339, from: "alice@example.org/confab", to: "bob@example.org",
        stanzaID: id)
    }
  }

  @Test("what it has was sent, the rest goes again, in order, under the same ids, and nothing is in doubt")
  func settled() throws {
    let harness = try ArchiveTests.harness(ArchiveTests.archive(3))
    harness.pass(.seconds(1))
    let ids = sent(4, harness)
    #expect(ids.count == 4)
    archive(Array(ids.prefix(2)), harness)
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(10))
    let stanzas = harness.toServer.components("<message ").dropFirst()
    #expect(stanzas.compactMap { ScriptedStream.value(of: "id", in: " " + $0) } == Array(ids.suffix(2)))
    #expect(messages(harness).suffix(4).map { $0["state"]?.string } == ["sent", "sent", "queued", "queued"])
    #expect(messages(harness).allSatisfy { $0["in_doubt"] == nil })
    try expectAnnouncedFirst(harness)
  }

  @Test("also where it was never fetched so far, and all of it is fetched then")
  func neverFetched() throws {
    var archive = ArchiveTests.archive(3)
    archive.patience = 0
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(40))
    let ids = sent(4, harness)
    self.archive(Array(ids.prefix(2)), harness)
    harness.server.archive?.patience = .max
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(10))
    let stanzas = harness.toServer.components("<message ").dropFirst()
    #expect(stanzas.compactMap { ScriptedStream.value(of: "id", in: " " + $0) } == Array(ids.suffix(2)))
    #expect(messages(harness).map { $0["text"]?.string } == ["0", "1", "2", "out 1", "out 2", "out 3", "out 4"])
    #expect(messages(harness).suffix(4).map { $0["state"]?.string } == ["sent", "sent", "queued", "queued"])
    #expect(messages(harness).allSatisfy { $0["in_doubt"] == nil })
    try expectAnnouncedFirst(harness)
  }

  /// Initial presence precedes the archive query, or else Prosody withholds offline messages.
  private func expectAnnouncedFirst(_ harness: Harness) throws {
    let order = harness.toServer
    let asked = try #require(order.firstRange(of: "<query xmlns='urn:xmpp:mam:2'"))
    let announced = try #require(order.firstRange(of: "<presence"))
    #expect(announced.lowerBound < asked.lowerBound)
  }

  @Test(
    "nothing leaves before it is known where the archive stands, whose own time counts, not ours",
    arguments: [ArchiveSpan.all, .since(.seconds(3600)), .none])
  func wrongClock(span: ArchiveSpan) throws {
    var archive = ScriptedArchive()
    archive.patience = 0
    let harness = try ArchiveTests.harness(archive, span: span)
    let yesterday = harness.now.wall.advanced(by: .seconds(-86_400)).rfc3339
    harness.server.archive?.add("old", at: yesterday)
    harness.pass(.seconds(1))
    #expect(sent(2, harness) == [])
    harness.server.archive?.patience = .max
    for stanza in harness.server.archive?.owed(to: "alice@example.org") ?? [] { harness.say(stanza) }
    harness.pass(.seconds(1))
    let ids = harness.toServer.components("<message ").dropFirst().compactMap {
      ScriptedStream.value(of: "id", in: " " + $0)
    }
    #expect(ids.count == 2)
    harness.server.archive?.add(
      "out 1", at: yesterday, from: "alice@example.org/confab", to: "bob@example.org", stanzaID: ids.first)
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(10))
    let again = harness.toServer.components("<message ").dropFirst()
    #expect(again.compactMap { ScriptedStream.value(of: "id", in: " " + $0) } == Array(ids.suffix(1)))
    #expect(messages(harness).allSatisfy { $0["in_doubt"] == nil })
  }

  @Test(
    "where it forgets between two pages what it has just shown, it is asked from the beginning, but not without end",
    arguments: [1, 1_000])
  func forgotten(times: Int) throws {
    let harness = try ArchiveTests.harness(ArchiveTests.archive(3))
    harness.pass(.seconds(1))
    archive(sent(40, harness), harness)
    harness.server.archive?.pageSize = 2
    harness.server.archive?.forgets = times
    let before = try #require(harness.server.archive?.asked.count)
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(10))
    let doubts = messages(harness).filter { $0["in_doubt"] != nil || $0["state"]?.string == "queued" }
    #expect(doubts.isEmpty == (times == 1))
    #expect(harness.toServer.contains("<presence"))
    let asked = try #require(harness.server.archive?.asked.count) - before
    #expect(times == 1 ? asked > 20 : asked <= 2 * (1 + ArchiveRun.mostBeginnings))
  }

  @Test("on a slow link its answer is waited for, until something that was asked behind it is answered")
  func slowLink() throws {
    let harness = try ArchiveTests.harness(ArchiveTests.archive(3))
    harness.pass(.seconds(1))
    let ids = sent(2, harness)
    archive(Array(ids.prefix(1)), harness)
    harness.server.archive?.patience = 0
    harness.server.acknowledges = false
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(25))
    harness.say("<presence from='bob@example.org/x'/>")
    harness.pass(.seconds(20))
    #expect(harness.isOnline && !harness.toServer.contains("<message "))
    for stanza in harness.server.archive?.owed(to: "alice@example.org") ?? [] { harness.say(stanza) }
    harness.pass(.seconds(1))
    let stanzas = harness.toServer.components("<message ").dropFirst()
    #expect(stanzas.compactMap { ScriptedStream.value(of: "id", in: " " + $0) } == [ids[1]])
    #expect(messages(harness).allSatisfy { $0["in_doubt"] == nil })
  }

  @Test("one that keeps silent on a link that works is not waited for")
  func silent() throws {
    let harness = try ArchiveTests.harness(ArchiveTests.archive(3))
    harness.pass(.seconds(1))
    let ids = sent(2, harness)
    harness.server.archive?.patience = 0
    harness.server.acknowledges = true
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(75))
    let stanzas = harness.toServer.components("<message ").dropFirst()
    #expect(stanzas.compactMap { ScriptedStream.value(of: "id", in: " " + $0) } == ids)
    #expect(messages(harness).suffix(2).allSatisfy { $0["in_doubt"]?.bool == true })
  }

  @Test("where it cannot tell, they are in doubt, and we are announced all the same")
  func refused() throws {
    let harness = try ArchiveTests.harness(ArchiveTests.archive(3))
    harness.pass(.seconds(1))
    let ids = sent(2, harness)
    harness.server.archive?.says =
      "<iq type='error' id='$id'><error type='wait'>"
      + "<resource-constraint xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(10))
    let stanzas = harness.toServer.components("<message ").dropFirst()
    #expect(stanzas.compactMap { ScriptedStream.value(of: "id", in: " " + $0) } == ids)
    #expect(messages(harness).suffix(2).allSatisfy { $0["in_doubt"]?.bool == true })
    #expect(harness.toServer.contains("<presence"))
  }

  @Test(
    "a stream that was lost while the archive was still asked goes on, and asks again where no answer comes",
    arguments: [false, true])
  func twoLosses(killed: Bool) throws {
    var harness = try ArchiveTests.harness(ArchiveTests.archive(3))
    harness.server.resumption = "max='600'"
    harness.cut()
    harness.pass(.seconds(10))
    let ids = sent(2, harness)
    archive([ids[0]], harness)
    harness.server.archive?.patience = 0
    harness.server.refusal = ""
    harness.cut()
    harness.pass(.seconds(10))
    harness.server.refusal = nil
    harness.server.acknowledges = true
    harness.server.archive?.patience = .max
    harness.clearTrace()
    if killed {
      harness = try Harness(
        on: harness.storage, accounts: [harness.configuration.accounts[0]], server: harness.server, now: harness.now,
        seed: 2)
    } else {
      harness.cut()
      harness.pass(.seconds(10))
      #expect(!harness.toServer.contains("urn:xmpp:mam:2"))
    }
    harness.pass(.seconds(30))
    #expect(harness.toServer.contains("<resume "))
    let stanzas = harness.toServer.components("<message ").dropFirst()
    #expect(stanzas.compactMap { ScriptedStream.value(of: "id", in: " " + $0) } == [ids[1]])
    #expect(messages(harness).suffix(2).map { $0["state"]?.string } == ["sent", "sent"])
    #expect(messages(harness).allSatisfy { $0["in_doubt"] == nil })
  }

  @Test("however slow the disk is, the archive is asked about them first")
  func slowDisk() throws {
    let harness = try ArchiveTests.harness(ArchiveTests.archive(3))
    harness.server.resumption = "max='600'"
    harness.cut()
    harness.pass(.seconds(10))
    _ = sent(2, harness)
    harness.server.archive?.patience = 0
    harness.server.refusal = ""
    let asked = try #require(harness.server.archive?.asked.count)
    harness.syncsAtOnce = false
    harness.cut()
    for _ in 0..<100 where harness.engine.accounts.all.first?.isOnline != true {
      harness.sync()
      harness.pass(.milliseconds(100))
    }
    #expect(harness.isOnline && harness.server.archive?.asked.count == asked)
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.milliseconds(100))
    #expect(harness.server.archive?.asked.count == asked + 1)
    #expect(harness.server.archive?.asked.last?.contains("<after>a3</after>") == true)
  }

  @Test("one that was in doubt and is found has arrived")
  func foundLater() throws {
    let harness = try ArchiveTests.harness(ArchiveTests.archive(3))
    harness.pass(.seconds(1))
    let ids = sent(1, harness)
    harness.server.archive?.patience = 0
    harness.cut()
    harness.pass(.seconds(60))
    harness.server.archive?.patience = .max
    archive(ids, harness)
    harness.cut()
    harness.pass(.seconds(20))
    #expect(messages(harness).last?["state"]?.string == "sent")
  }

  /// The states of two messages sent before a cut, neither of which the archive shows.
  private func unseen(_ archive: ScriptedArchive, roster: String = "", manner: InDoubtPolicy = .resend) throws
    -> (again: Int, inDoubt: Int)
  {
    var account = Harness.alice
    account.archiveFirstSync = .all
    account.inDoubt = manner
    var server = ArchiveTests.server(archive)
    server.roster = "<query xmlns='jabber:iq:roster'>\(roster)</query>"
    let harness = try Harness(accounts: [account], server: server)
    harness.pass(.seconds(1))
    #expect(sent(2, harness).count == 2)
    harness.server.acknowledges = true
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(90))
    #expect(harness.isOnline && harness.toServer.contains("<presence"))
    return (
      harness.toServer.components("<message ").count - 1,
      messages(harness).filter { $0["in_doubt"]?.bool == true }.count
    )
  }

  private static let bob = "<item jid='bob@example.org' subscription='from'/>"

  @Test(
    "an archive that keeps no messages to this recipient, or does not say, proves nothing lost",
    arguments: [InDoubtPolicy.resend, .hold])
  func silenceOfOneThatKeepsNothing(manner: InDoubtPolicy) throws {
    for (keeps, roster) in [("never", Self.bob), ("roster", ""), (nil, Self.bob)] {
      var archive = ArchiveTests.archive(3)
      archive.keeps = keeps
      let result = try unseen(archive, roster: roster, manner: manner)
      #expect(result.inDoubt == 2 && result.again == (manner == .hold ? 0 : 2), "\(keeps ?? "none")")
    }
    var archive = ArchiveTests.archive(3)
    archive.never = ["bob@example.org"]
    #expect(try unseen(archive, roster: Self.bob, manner: manner).inDoubt == 2)
    (archive.never, archive.hidesPreferences) = ([], true)
    #expect(try unseen(archive, roster: Self.bob, manner: manner).inDoubt == 2)
  }

  @Test("an archive whose preferences keep messages to this recipient proves a missing one lost")
  func silenceOfOneThatKeepsAll() throws {
    for (keeps, roster) in [("always", ""), ("roster", Self.bob)] {
      var archive = ArchiveTests.archive(3)
      archive.keeps = keeps
      let result = try unseen(archive, roster: roster, manner: .hold)
      #expect(result.again == 2 && result.inDoubt == 0, "\(keeps)")
    }
  }

  @Test("an archive that shows one message to this recipient proves missing ones lost, without preferences")
  func shown() throws {
    var archive = ArchiveTests.archive(3)
    archive.keeps = nil
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(1))
    let ids = sent(3, harness)
    harness.send(harness.connect(), "send carol@example.org unseen\n")
    harness.pass(.seconds(1))
    self.archive([ids[0]], harness)
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(10))
    #expect(messages(harness).allSatisfy { $0["in_doubt"] == nil })
    let carol = harness.ask(harness.connect(78), "history carol@example.org").compactMap { $0["message"] }
    #expect(carol.map { $0["in_doubt"]?.bool } == [true])
  }

  @Test("an archive that breaks off proves nothing about messages that it has not shown")
  func brokenOff() throws {
    let harness = try ArchiveTests.harness(ArchiveTests.archive(3))
    harness.pass(.seconds(1))
    archive(Array(sent(30, harness).prefix(20)), harness)
    harness.server.archive?.pageSize = 5
    harness.server.archive?.patience = 2
    harness.server.acknowledges = true
    harness.cut()
    harness.pass(.seconds(120))
    let states = messages(harness).suffix(30).map { $0["in_doubt"]?.bool == true }
    #expect(states.filter(\.self).count >= 20)
    #expect(Array(states.suffix(10)) == Array(repeating: true, count: 10))
  }
}
