import Clocks
import Timelines
import State
import JSON
import Records
import ConfabConfiguration
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// XEP-0313 in the whole engine: what came while nobody was here.
@Suite("the archive")
struct ArchiveTests {
  /// A server with an archive, and who fetches from it.
  static func harness(
    _ archive: ScriptedArchive = ScriptedArchive(), stampsLive: Bool = true, span: ArchiveSpan = .all,
    carbons: Bool = true
  ) throws -> Harness {
    var account = Harness.alice
    account.archiveFirstSync = span
    return try Harness(accounts: [account], server: server(archive, stampsLive: stampsLive, carbons: carbons))
  }

  static func server(_ archive: ScriptedArchive, stampsLive: Bool = true, carbons: Bool = true) -> ScriptedStream {
    var server = ScriptedStream()
    server.features = ["urn:xmpp:mam:2"] + (stampsLive ? ["urn:xmpp:sid:0"] : [])
    if carbons { server.serverFeatures = ["urn:xmpp:carbons:2"] }
    server.archive = archive
    return server
  }

  /// An archive of so many messages, a minute apart.
  static func archive(_ count: Int, pageSize: Int = 50) -> ScriptedArchive {
    var archive = ScriptedArchive()
    archive.pageSize = pageSize
    for number in 0..<count { archive.add("\(number)", at: stamp(minute: number)) }
    return archive
  }

  static func stamp(minute: Int) -> String {
    Timestamp(milliseconds: 1_750_000_000_000 + Int64(minute) * 60_000).rfc3339.replacing(".000Z", with: "Z")
  }

  private func texts(_ harness: Harness, _ jid: String = "bob@example.org") -> [String] {
    harness.ask(harness.connect(UInt64.random(in: 1_000...1_000_000)), "history limit=1000 \(jid)")
      .compactMap { $0["message"]?["text"]?.string }
  }

  private func status(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(998), "status").first?["account"]
  }

  private func reconnect(_ harness: Harness) {
    harness.cut()
    harness.pass(.seconds(10))
  }

  private func live(_ text: String, id: String, archiveID: String? = nil, from: String = "bob@example.org/x") -> String
  {
    let stanzaID = archiveID.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='\($0)'/>" } ?? ""
    return
      "<message type='chat' from='\(from)' to='alice@example.org' id='\(id)'><body>\(text)</body>\(stanzaID)</message>"
  }

  // MARK: - The first time

  @Test("the first time the newest come first, then what is before them, and all stand in their order")
  func firstTime() throws {
    let harness = try Self.harness(Self.archive(230))
    harness.pass(.seconds(2))
    #expect(texts(harness) == (0..<230).map { "\($0)" })
    #expect(harness.server.archive?.asked.count == 5)
    #expect(harness.server.archive?.asked.first?.contains("<before/>") == true)
    #expect(status(harness)?["archive"]?["state"]?.string == "complete")
    #expect(status(harness)?["archive"]?["taken"]?.integer == 230)
    #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "a230")
    #expect(harness.engine.state.accounts[1]?.server.archive?.floor == nil)
  }

  @Test("no further back than the configuration says, and nothing where it says none")
  func bounded() throws {
    let harness = try Self.harness(Self.archive(100), span: .since(.days(30)))
    let start = harness.now.wall.advanced(by: .milliseconds(-Interval.days(30).milliseconds)).rfc3339
    #expect(harness.server.archive?.asked.first?.contains("<value>\(start)</value>") == true)
    let none = try Self.harness(Self.archive(100), span: .none)
    none.pass(.seconds(2))
    #expect(texts(none).isEmpty)
    #expect(none.server.archive?.asked.count == 1)
    none.server.archive?.add("later", at: Self.stamp(minute: 101))
    reconnect(none)
    #expect(texts(none) == ["later"])
  }

  @Test("the first fetching goes on where it was cut off, after what came since")
  func filling() throws {
    var archive = Self.archive(200)
    archive.patience = 2
    let harness = try Self.harness(archive)
    harness.pass(.seconds(1))
    #expect(texts(harness).count == 100)
    #expect(status(harness)?["archive"]?["state"]?.string == "filling")
    #expect(status(harness)?["reason"]?.string?.contains("fetching older messages") == true)
    harness.server.archive?.patience = .max
    harness.server.archive?.add("200", at: Self.stamp(minute: 200))
    reconnect(harness)
    #expect(texts(harness) == (0...200).map { "\($0)" })
    let asked = try #require(harness.server.archive?.asked.dropFirst(3))
    #expect(asked.first?.contains("<after>a200</after>") == true)
    #expect(asked.dropFirst().first?.contains("<before>a101</before>") == true)
  }

  @Test("it is complete when all that came out of it can be read, not before")
  func complete() throws {
    var archive = Self.archive(70)
    archive.patience = 1
    let harness = try Self.harness(archive)
    harness.pass(.seconds(1))
    #expect(texts(harness).count == 50)
    harness.syncsAtOnce = false
    harness.server.archive?.patience = .max
    reconnect(harness)
    for _ in 0..<100 where texts(harness).count < 70 {
      #expect(status(harness)?["archive"]?["state"]?.string != "complete")
      if harness.hasBatch { harness.sync() } else { harness.pass(.milliseconds(100)) }
    }
    #expect(texts(harness).count == 70)
    #expect(status(harness)?["archive"]?["state"]?.string == "complete")
  }

  @Test("a server without an archive is asked for nothing, and status says so")
  func without() throws {
    let harness = try Harness()
    harness.pass(.seconds(1))
    #expect(!harness.toServer.contains("urn:xmpp:mam:2"))
    #expect(status(harness)?["archive"]?["state"]?.string == "none")
  }

  // MARK: - Catching up

  @Test("later on only what came meanwhile is fetched, page by page")
  func catchUp() throws {
    let harness = try Self.harness(Self.archive(10))
    harness.pass(.seconds(1))
    for number in 10..<130 { harness.server.archive?.add("\(number)", at: Self.stamp(minute: number)) }
    harness.clearTrace()
    reconnect(harness)
    #expect(texts(harness) == (0..<130).map { "\($0)" })
    let asked = harness.server.archive?.asked.dropFirst() ?? []
    #expect(asked.map { ScriptedArchive.content("after", $0) } == ["a10", "a60", "a110"])
  }

  @Test("a cut in the middle loses nothing: it goes on from what is durable")
  func cutWithin() throws {
    let harness = try Self.harness(Self.archive(1))
    harness.pass(.seconds(1))
    for number in 1..<120 { harness.server.archive?.add("\(number)", at: Self.stamp(minute: number)) }
    harness.server.archive?.patience = 1
    reconnect(harness)
    #expect(texts(harness).count == 51)
    harness.server.archive?.patience = .max
    reconnect(harness)
    #expect(texts(harness) == (0..<120).map { "\($0)" })
    #expect(harness.server.archive?.asked.contains { $0.contains("<after>a51</after>") } == true)
  }

  @Test("a page that is not durable when the process dies is fetched again, and nothing is double")
  func crash() throws {
    let harness = try Self.harness(Self.archive(1))
    harness.pass(.seconds(1))
    for number in 1..<120 { harness.server.archive?.add("\(number)", at: Self.stamp(minute: number)) }
    harness.syncsAtOnce = false
    harness.cut()
    for _ in 0..<40 {
      harness.pass(.milliseconds(200))
      if harness.hasBatch, (harness.server.archive?.asked.count ?? 0) < 2 { harness.sync() }
    }
    let archive = try #require(harness.server.archive)
    let later = try Harness(
      on: harness.storage, accounts: [harness.configuration.accounts[0]], server: Self.server(archive))
    later.pass(.seconds(2))
    #expect(texts(later) == (0..<120).map { "\($0)" })
  }

  @Test("where the archive has forgotten how far we were, it goes by time, and nothing is double")
  func expired() throws {
    let harness = try Self.harness(Self.archive(10))
    harness.pass(.seconds(1))
    for number in 10..<20 { harness.server.archive?.add("\(number)", at: Self.stamp(minute: number)) }
    harness.server.archive?.items.remove(at: 9)
    reconnect(harness)
    #expect(texts(harness) == (0..<20).map { "\($0)" })
    let start = Timestamp(milliseconds: 1_750_000_000_000 + 7 * 60_000).rfc3339
    #expect(harness.server.archive?.asked.last?.contains("<value>\(start)</value>") == true)
  }

  @Test("live messages go on meanwhile, and the anchor stays with the archive's pages")
  func liveMeanwhile() throws {
    var archive = Self.archive(60)
    archive.patience = 1
    let harness = try Self.harness(archive)
    harness.receive(live("now", id: "n1", archiveID: "later"))
    harness.pass(.seconds(1))
    #expect(texts(harness).last == "now")
    #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "a60")
  }

  // MARK: - One message is one message

  @Test(
    "a live message and its copy in the archive are one, by the archive's id or by sender, id and text",
    arguments: [true, false])
  func copies(stampsLive: Bool) throws {
    let harness = try Self.harness(stampsLive: stampsLive)
    harness.pass(.seconds(1))
    let now = harness.now.wall.rfc3339
    harness.receive(live("hello", id: "x1", archiveID: "a1"))
    harness.pass(.seconds(1))
    harness.server.archive?.add("hello", at: now, stanzaID: "x1")
    harness.server.archive?.add("hello", at: now, stanzaID: "x2")
    harness.server.archive?.add("other", at: now, stanzaID: "x1")
    reconnect(harness)
    #expect(texts(harness).sorted() == ["hello", "hello", "other"])
    reconnect(harness)
    #expect(texts(harness).count == 3)
  }

  @Test("the same id and text twice in the archive are two messages, also where one of them came live")
  func sameTwice() throws {
    let harness = try Self.harness(stampsLive: false)
    harness.pass(.seconds(1))
    let now = harness.now.wall.rfc3339
    harness.receive(live("ok", id: "1"))
    harness.pass(.seconds(1))
    for _ in 0..<3 { harness.server.archive?.add("ok", at: now, stanzaID: "1") }
    reconnect(harness)
    #expect(texts(harness).count == 3)
  }

  @Test("a copy that comes before its original is durable is a copy all the same")
  func notDurable() throws {
    var archive = ScriptedArchive()
    archive.add("first", at: Self.stamp(minute: 0))
    let harness = try Self.harness(archive)
    harness.pass(.seconds(1))
    harness.syncsAtOnce = false
    reconnect(harness)
    harness.server.archive?.patience = 0
    let token = harness.server.archive?.asked.last.flatMap { ScriptedStream.value(of: "queryid", in: $0) } ?? ""
    harness.receive(live("new", id: "n", archiveID: "a2"))
    #expect(!token.isEmpty)
    harness.syncsAtOnce = true
    while harness.hasBatch { harness.sync() }
    // The disk took its time, and is given as much.
    harness.pass(.seconds(30))
    #expect(texts(harness) == ["first", "new"])
  }

  @Test("an id in the archive's name that a sender made up proves nothing where the archive does not announce its ids")
  func forgedIDs() throws {
    let harness = try Self.harness(stampsLive: false)
    harness.pass(.seconds(1))
    harness.receive(live("mine now", id: "e", archiveID: "a1", from: "eve@example.net/x"))
    harness.pass(.seconds(1))
    harness.server.archive?.add("for you", at: harness.now.wall.rfc3339)
    reconnect(harness)
    #expect(texts(harness) == ["for you"])
    #expect(texts(harness, "eve@example.net") == ["mine now"])
  }

  @Test("what I sent from here is known, what I sent from elsewhere appears as mine")
  func mine() throws {
    let harness = try Self.harness()
    harness.pass(.seconds(1))
    harness.send(harness.connect(), "send bob@example.org from here\n")
    harness.pass(.seconds(1))
    let sent = try #require(harness.toServer.components("<message").last)
    let id = try #require(ScriptedStream.value(of: "id", in: sent))
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    let now = harness.now.wall.rfc3339
    harness.server.archive?.add(
      "from here", at: now, from: "alice@example.org/confab", to: "bob@example.org", stanzaID: id)
    harness.server.archive?.add("elsewhere", at: now, from: "alice@example.org/phone", to: "bob@example.org/x")
    reconnect(harness)
    let messages = harness.ask(harness.connect(5), "history bob@example.org").compactMap { $0["message"] }
    #expect(messages.map { $0["text"]?.string } == ["from here", "elsewhere"])
    #expect(messages.allSatisfy { $0["mine"]?.bool == true && $0["state"]?.string == "sent" })
  }

  @Test("one that came long ago is found, whatever has come since")
  func beyondTheIndex() throws {
    let harness = try Self.harness(stampsLive: true)
    harness.pass(.seconds(1))
    harness.server.archive?.patience = 0
    let first = harness.now.wall
    harness.receive(live("the first", id: "f", archiveID: "old", from: "carol@example.org/x"))
    harness.pass(.minutes(10))
    for number in 0..<10_050 { harness.receive(live("\(number)", id: "l\(number)", archiveID: "l\(number)")) }
    harness.pass(.seconds(5))
    #expect(harness.engine.state.accounts[1]?.messageIDs.newest(.archiveID, MessageIDHash.of("old")) != nil)
    harness.server.archive?.patience = .max
    let stamp = first.advanced(by: .seconds(1)).rfc3339
    harness.server.archive?.add("the first", at: stamp, id: "old", from: "carol@example.org/x", stanzaID: "f")
    harness.server.archive?.add("another", at: stamp, id: "new", from: "carol@example.org/x", stanzaID: "g")
    reconnect(harness)
    #expect(texts(harness, "carol@example.org") == ["the first", "another"])
  }

  @Test("what comes live moves the anchor now and then, as soon as nothing of mine waits")
  func probes() throws {
    let harness = try Self.harness()
    harness.pass(.seconds(1))
    let now = harness.now.wall.rfc3339
    for number in 0..<ArchiveAnchor.interval {
      harness.server.archive?.add("\(number)", at: now, stanzaID: "l\(number)")
      harness.receive(live("\(number)", id: "l\(number)", archiveID: "a\(number + 1)"))
    }
    harness.pass(.seconds(1))
    #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "a\(ArchiveAnchor.interval)")
    #expect(harness.server.archive?.asked.last?.contains("<max>1</max>") == true)
    reconnect(harness)
    #expect(
      harness.engine.state.accounts[1]?.conversations["bob@example.org"]?.timeline.count == ArchiveAnchor.interval)
    #expect(status(harness)?["archive"]?["taken"]?.integer == 0)
  }

  @Test(
    "a stamp from the future is now, and one that is none is now", arguments: ["2999-01-01T00:00:00Z", "never", ""])
  func absurdStamps(stamp: String) throws {
    var archive = ScriptedArchive()
    archive.add("x", at: stamp)
    let harness = try Self.harness(archive)
    let now = harness.now.wall.rfc3339
    harness.pass(.seconds(1))
    let message = harness.ask(harness.connect(), "history bob@example.org").first?["message"]
    #expect(message?["time"]?.string == now)
  }
}
