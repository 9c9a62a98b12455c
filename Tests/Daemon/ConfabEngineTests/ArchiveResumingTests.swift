import Clocks
import State
import JSON
import Records
import ConfabConfiguration
import Testing

@testable import ConfabEngine

/// The archive and the server's features on a stream that goes on: what was asked is not asked again.
@Suite("questions on streams that go on")
struct ArchiveResumingTests {
  private func harness(_ archive: ScriptedArchive) throws -> Harness {
    var account = Harness.alice
    account.archiveFirstSync = .all
    var server = ArchiveTests.server(archive)
    server.resumption = "max='600'"
    server.acknowledges = true
    let harness = try Harness(accounts: [account], server: server)
    harness.pass(.seconds(1))
    return harness
  }

  private func cut(_ harness: Harness, _ interval: Interval = .seconds(5)) {
    harness.clearTrace()
    harness.cut()
    harness.pass(interval)
    #expect(harness.toServer.contains("<resume "))
  }

  private func texts(_ harness: Harness) -> [String] {
    harness.ask(harness.connect(UInt64.random(in: 1_000...1_000_000)), "history limit=1000 bob@example.org")
      .compactMap { $0["message"]?["text"]?.string }
  }

  private var all: [String] { (0..<20).map { "\($0)" } }

  @Test("what is known is not asked for again, however often the link is lost")
  func known() throws {
    let harness = try harness(ArchiveTests.archive(20))
    for _ in 0..<60 {
      cut(harness, .minutes(5))
      #expect(!harness.toServer.contains("<iq"))
    }
    #expect(harness.server.archive?.asked.count == 1)
    #expect(texts(harness) == all)
  }

  @Test("an answer that is owed is waited for, and taken, wherever in it the link was lost", arguments: [0, 7, 20])
  func owed(before: Int) throws {
    var archive = ArchiveTests.archive(20)
    archive.patience = 0
    let harness = try harness(archive)
    let stanzas = try #require(harness.server.archive?.owed(to: "alice@example.org"))
    for stanza in stanzas.prefix(before) { harness.say(stanza) }
    for _ in 0..<3 {
      cut(harness)
      #expect(!harness.toServer.contains("<iq"))
    }
    for stanza in stanzas.dropFirst(before) { harness.say(stanza) }
    harness.pass(.seconds(1))
    #expect(texts(harness) == all)
    #expect(harness.server.archive?.asked.count == 1)
    let progress = harness.ask(harness.connect(), "status").first?["account"]?["archive"]
    #expect(progress?["state"]?.string == "complete" && progress?["taken"]?.integer == 20)
  }

  @Test("a question that the server has not had goes again, under its id")
  func unheard() throws {
    var archive = ArchiveTests.archive(20)
    archive.patience = 0
    let harness = try harness(archive)
    harness.server.archive?.patience = .max
    harness.server.lost = 1
    cut(harness)
    let asked = try #require(harness.server.archive?.asked)
    #expect(asked.count == 2)
    let ids = asked.map { ScriptedStream.value(of: "id", in: $0) }
    #expect(ids.first == ids.last)
    #expect(texts(harness) == all)
  }

  @Test("an answer that never comes is asked for once more")
  func silence() throws {
    var archive = ArchiveTests.archive(20)
    archive.patience = 0
    let harness = try harness(archive)
    for stanza in try #require(harness.server.archive?.owed(to: "alice@example.org")).prefix(7) { harness.say(stanza) }
    harness.server.archive?.patience = .max
    cut(harness, .minutes(1))
    #expect(harness.server.archive?.asked.count == 2)
    #expect(texts(harness) == all)
  }

  @Test("after a crash nobody knows what was asked: it is asked again, and what was owed is passed over")
  func crash() throws {
    var archive = ArchiveTests.archive(20)
    archive.patience = 0
    let harness = try harness(archive)
    let stanzas = try #require(harness.server.archive?.owed(to: "alice@example.org"))
    harness.server.archive?.patience = .max
    let next = try Harness(
      on: harness.storage, accounts: [harness.configuration.accounts[0]], server: harness.server, now: harness.now,
      seed: 2)
    for stanza in stanzas { next.say(stanza) }
    next.pass(.seconds(5))
    #expect(texts(next) == all)
    #expect(!next.told.contains { $0.contains("asked for") })
  }

  /// The link is lost, and once more behind `<resume/>`: nobody reads whether the server went on.
  private func cutAtResuming(_ harness: Harness) {
    harness.clearTrace()
    harness.server.abhorsResuming = true
    harness.cut()
    while !harness.toServer.contains("<resume ") { harness.pass(.milliseconds(100)) }
    harness.server.abhorsResuming = false
    harness.clearTrace()
    harness.pass(.seconds(10))
    #expect(harness.toServer.contains("<resume "))
  }

  @Test("what a server loses that was asked twice to go on is fetched out of its archive")
  func askedTwice() throws {
    let harness = try harness(ArchiveTests.archive(20))
    harness.server.archive?.add("lost", at: harness.now.wall.rfc3339)
    cutAtResuming(harness)
    #expect(texts(harness) == all + ["lost"])
    cut(harness)
    #expect(!harness.toServer.contains("<iq"))
    #expect(harness.server.archive?.asked.count == 2)
  }

  @Test("nor is a page taken for whole of which such a server may have lost the beginning")
  func pageAskedTwice() throws {
    var archive = ArchiveTests.archive(20)
    archive.patience = 0
    let harness = try harness(archive)
    let stanzas = try #require(harness.server.archive?.owed(to: "alice@example.org"))
    for stanza in stanzas.prefix(7) { harness.say(stanza) }
    harness.server.archive?.patience = .max
    cutAtResuming(harness)
    for stanza in stanzas.dropFirst(12) { harness.say(stanza) }
    harness.pass(.minutes(1))
    #expect(texts(harness) == all)
  }

  @Test("an archive that had nothing new enough is not fetched whole the next time")
  func nothingNew() throws {
    var account = Harness.alice
    account.archiveFirstSync = .since(.days(30))
    let harness = try Harness(accounts: [account], server: ArchiveTests.server(ArchiveTests.archive(100)))
    harness.pass(.seconds(1))
    #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "a100")
    for text in ["new", "newer"] {
      harness.server.archive?.add(text, at: harness.now.wall.rfc3339)
      harness.cut()
      harness.pass(.seconds(10))
    }
    #expect(texts(harness) == ["new", "newer"])
    // What is new enough, what is newest at all, and twice what came behind that.
    #expect(harness.server.archive?.asked.count == 4)
  }

  @Test("two that the server handed over twice, and has twice, stay two, also after a crash")
  func twins() throws {
    var account = Harness.alice
    account.archiveFirstSync = .all
    let server = ArchiveTests.server(ScriptedArchive(), stampsLive: false)
    var harness = try Harness(accounts: [account], server: server)
    harness.pass(.seconds(1))
    let stamp = harness.now.wall.rfc3339
    for _ in 0..<2 {
      harness.receive("<message type='chat' from='bob@example.org/x' id='twin'><body>twin</body></message>")
      harness.server.archive?.add("twin", at: stamp, stanzaID: "twin")
    }
    for isCrash in [false, true, false] {
      if isCrash {
        harness = try Harness(
          on: harness.storage, accounts: [account], server: harness.server, now: harness.now, seed: 2)
      } else {
        harness.cut()
      }
      harness.pass(.seconds(10))
      #expect(texts(harness) == ["twin", "twin"])
    }
  }
}
