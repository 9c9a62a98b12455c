import Clocks
import State
import JSON
import MessageLog
import Records
import TestSupport
import Testing

@testable import ConfabAccounts

@Suite("forget-history")
struct ForgettingTests {
  private func harness() throws -> (Harness, ClientID) {
    let harness = try Harness()
    let client = harness.connect()
    for number in 0..<4 {
      let from = number % 2 == 0 ? "bob@example.org/x" : "carol@example.org/x"
      harness.receive("<message from='\(from)' id='m\(number)'><body>word \(number)</body></message>")
      harness.pass(.milliseconds(50))
    }
    return (harness, client)
  }

  private func texts(_ lines: [JSONValue]) -> [String] {
    lines.compactMap { ($0["message"] ?? $0["conversation"]?["last"])?["text"]?.string }
  }

  private func history(_ harness: Harness) -> [String] {
    texts(harness.ask(harness.connect(UInt64.random(in: 1_000...1_000_000)), "history limit=1000 bob@example.org"))
  }

  private func forget(_ harness: Harness) {
    let answer = harness.ask(harness.connect(900), "forget-history bob@example.org")
    #expect(answer.last?["ok"]?.bool == true)
  }

  @Test("clears the draft, too, in the log and for watchers")
  func draft() throws {
    let (harness, client) = try harness()
    let watcher = harness.connect(70)
    _ = harness.ask(client, "draft bob@example.org a secret plan")
    _ = harness.ask(watcher, "watch kinds=draft since=now")
    forget(harness)
    #expect(harness.ask(watcher, "ping").compactMap { $0["text"]?.string } == [""])
    for harness in [harness, try Harness(on: harness.storage, now: harness.now)] {
      #expect(harness.ask(harness.connect(71), "draft bob@example.org").last?["text"]?.string == "")
    }
  }

  @Test("watchers that are behind get no draft from before the forgetting, and each draft since")
  func draftBehind() throws {
    let (harness, client) = try harness()
    _ = harness.ask(client, "draft bob@example.org a secret plan")
    _ = harness.ask(client, "draft carol@example.org a word")
    _ = harness.ask(harness.connect(70), "watch as=ui kinds=draft since=0")
    harness.handle(.client(ClientID(70), .closed))
    forget(harness)
    _ = harness.ask(client, "draft bob@example.org a new plan")
    for harness in [harness, try Harness(on: harness.storage, now: harness.now)] {
      for (watcher, place) in [(UInt64(71), "since=0"), (72, "as=ui")] {
        let lines = harness.ask(harness.connect(watcher), "watch kinds=draft \(place)")
        #expect(lines.compactMap { $0["text"]?.string } == ["a word", "", "a new plan"], "\(place)")
      }
    }
  }

  @Test("hides what there is from every answer, and nothing that comes later or is somebody else's")
  func hidden() throws {
    let (harness, client) = try harness()
    let id = try #require(harness.ask(client, "history bob@example.org").first?["message"]?["id"]?.integer)
    forget(harness)
    for round in 0..<2 {
      let harness = round == 0 ? harness : try Harness(on: harness.storage, now: harness.now)
      let client = harness.connect(5)
      #expect(harness.ask(client, "history bob@example.org").last?["count"]?.integer == 0)
      #expect(texts(harness.ask(client, "conversations")) == ["word 3"])
      #expect(texts(harness.ask(client, "search word")) == ["word 3", "word 1"])
      #expect(harness.ask(client, "search before=\(id) word").last?["error"]?.string == "not-found")
      #expect(harness.ask(client, "sections bob@example.org").count == 1)
      #expect(harness.ask(client, "unread").last?["unread"]?.integer == 2)
      #expect(harness.ask(client, "history around=\(id) bob@example.org").last?["error"]?.string == "not-found")
      #expect(texts(harness.ask(client, "watch since=0 kinds=message")) == ["word 1", "word 3"])
    }
    harness.receive("<message from='bob@example.org/x' id='new'><body>a new word</body></message>")
    harness.pass(.milliseconds(50))
    #expect(history(harness) == ["a new word"])
    #expect(texts(harness.ask(client, "search in=bob@example.org word")) == ["a new word"])
  }

  @Test("what waits to be sent is sent, and asking again is no mistake; nobody's history is not found")
  func waiting() throws {
    let (harness, client) = try harness()
    harness.cut()
    #expect(harness.ask(client, "send key=k bob@example.org later").last?["state"]?.string == "queued")
    forget(harness)
    forget(harness)
    #expect(harness.ask(client, "status").first?["account"]?["queued"]?.integer == 1)
    let again = harness.ask(client, "send key=k bob@example.org later").last
    #expect(again?["repeated"]?.bool == true && again?["state"]?.string == "queued")
    harness.clearTrace()
    harness.pass(.minutes(5))
    #expect(harness.toServer.contains("<body>later</body>"))
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.seconds(1))
    #expect(harness.ask(client, "status").first?["account"]?["queued"]?.integer == 0)
    #expect(harness.ask(client, "send key=k bob@example.org later").last?["state"]?.string == "sent")
  }

  @Test(
    "somebody without a conversation can be forgotten, once for what there is of raw stanzas and presences",
    arguments: ["eve@evil.example", "evil.example"])
  func withoutConversation(jid: String) throws {
    var (harness, _) = try harness()
    harness.receive("<message from='eve@evil.example/x' id='p'><x xmlns='urn:example:unknown'>secret</x></message>")
    harness.pass(.seconds(1))
    for round in 0..<2 {
      let before = harness.ask(harness.connect(70), "watch").first?["seq"]?.integer ?? 0
      let (last, forgotten) = forgetting(harness, jid)
      #expect(forgotten == 0 && last == before + 1, "\(round)")
      #expect(forgetting(harness, jid).last == last)
      harness = try Harness(on: harness.storage, now: harness.now)
      harness.pass(.seconds(1))
      let started = forgetting(harness, jid).last
      #expect(forgetting(harness, jid).last == started, "nothing is written")
      harness.receive("<message from='eve@evil.example/x' id='q'><x xmlns='urn:example:unknown'>more</x></message>")
      harness.pass(.seconds(1))
    }
  }

  @Test("a message that is kept back can still be cancelled or released, and waited for", arguments: [false, true])
  func held(isStartedAnew: Bool) throws {
    var (harness, client) = try harness()
    let ids = try (0..<2).map { number in
      try #require(harness.ask(client, "send hold=1h bob@example.org kept \(number)").last?["id"]?.integer)
    }
    forget(harness)
    if isStartedAnew {
      harness = try Harness(on: harness.storage, now: harness.now)
      client = harness.connect(5)
    }
    let waiting = harness.connect(6)
    harness.send(waiting, "wait for=sent timeout=1h \(ids[0])\n")
    #expect(harness.takeLines(waiting).isEmpty)
    let cancelled = harness.ask(client, "cancel \(ids[0])").last
    #expect(cancelled?["ok"]?.bool == true && cancelled?["state"]?.string == "cancelled")
    #expect(harness.takeLines(waiting).map { $0["error"]?.string } == ["failed"])
    #expect(harness.ask(client, "release \(ids[1])").last?["state"]?.string == "queued")
    harness.pass(.minutes(1))
    #expect(harness.toServer.contains("<body>kept 1") && !harness.toServer.contains("<body>kept 0"))
    #expect(harness.ask(client, "status").first?["account"]?["queued"]?.integer == 1)
    #expect(harness.ask(client, "cancel \(ids[0])").last?["error"]?.string == "not-found")
  }

  @Test("a contact of a domain that was forgotten is forgotten with it once the roster does not have him any more")
  func spared() throws {
    var (harness, _) = try harness()
    harness.receive(
      "<iq type='set' id='push'><query xmlns='jabber:iq:roster'>"
        + "<item jid='friend@evil.example' subscription='both'/></query></iq>")
    harness.pass(.seconds(1))
    let first = forgetting(harness, "evil.example").last
    #expect(forgetting(harness, "evil.example").last == first, "nothing is written")
    for isOnline in [false, true] {
      harness.handle(.stop(.terminate))
      harness.pass(.seconds(10))
      // The roster that the server sends at the login is empty.
      harness = try Harness(on: harness.storage, now: harness.now, holdsLinks: !isOnline)
      harness.pass(.seconds(1))
      let before = try #require(harness.ask(harness.connect(70), "watch").first?["seq"]?.integer)
      for _ in 0..<2 { #expect(forgetting(harness, "evil.example").last == before + (isOnline ? 1 : 0)) }
    }
  }

  @Test("a draft that another client sets in the same instant is cleared", arguments: [false, true])
  func draftAtOnce(wasForgotten: Bool) throws {
    let (harness, client) = try harness()
    if wasForgotten { forget(harness) }
    let other = harness.connect(70)
    harness.syncsAtOnce = false
    harness.send(other, "draft bob@example.org a secret plan\n")
    harness.send(client, "forget-history bob@example.org\n")
    harness.syncsAtOnce = true
    harness.sync()
    #expect(harness.takeLines(client).last?["forgotten"]?.integer == 1)
    #expect(harness.ask(harness.connect(71), "draft bob@example.org").last?["text"]?.string == "")
  }

  /// The number of the log's last record, and what a `forget-history` answered.
  private func forgetting(_ harness: Harness, _ jid: String) -> (last: Int64?, forgotten: Int64?) {
    let answer = harness.ask(harness.connect(910), "forget-history \(jid)").last
    harness.handle(.client(ClientID(910), .closed))
    let last = harness.ask(harness.connect(911), "watch").first?["seq"]?.integer
    harness.handle(.client(ClientID(911), .closed))
    return (last, answer?["forgotten"]?.integer)
  }

  @Test("nothing is written where nothing new is to be forgotten, across restarts, too")
  func again() throws {
    var (harness, client) = try harness()
    #expect(forgetting(harness, "bob@example.org").forgotten == 1)
    for round in 0..<2 {
      let watcher = harness.connect(70)
      let last = harness.ask(watcher, "watch").first?["seq"]?.integer
      let again = forgetting(harness, "bob@example.org")
      #expect(again.forgotten == 0 && again.last == last, "\(round)")
      #expect(harness.takeLines(watcher).isEmpty)
      harness = try Harness(on: harness.storage, now: harness.now)
      harness.pass(.seconds(1))
    }
    client = harness.connect(71)
    for news in ["draft bob@example.org a secret", "send bob@example.org a word"] {
      harness.send(client, news + "\nforget-history bob@example.org\n")
      #expect(harness.takeLines(client).last?["forgotten"]?.integer == 1, "\(news)")
      #expect(forgetting(harness, "bob@example.org").forgotten == 0, "\(news)")
    }
  }

  @Test("what came since by a checkpoint, a stanza that is not understood too, is forgotten again")
  func since() throws {
    var (harness, _) = try harness()
    for stanza in ["<body>word</body>", "<x xmlns='urn:example:unknown'/>"] {
      #expect(forgetting(harness, "bob@example.org").forgotten == 1)
      harness.receive("<message from='bob@example.org/x' type='chat' id='\(stanza.count)'>\(stanza)</message>")
      harness.pass(.seconds(1))
      harness.handle(.stop(.terminate))
      harness.pass(.seconds(10))
      harness = try Harness(on: harness.storage, now: harness.now)
      #expect(harness.opened.checkpoint != nil)
    }
    #expect(forgetting(harness, "bob@example.org").forgotten == 1)
    #expect(forgetting(harness, "bob@example.org").forgotten == 0)
  }

  @Test("live watchers hear that all of it is another")
  func watched() throws {
    let (harness, _) = try harness()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch")
    forget(harness)
    let events = harness.takeLines(watcher)
    #expect(events.map { $0["event"]?.string } == ["resection"])
    #expect(events.last?["conversation"]?.string == "bob@example.org")
  }

  @Test("a long conversation, on pages and asleep in a checkpoint, is hidden all the same")
  func long() throws {
    let storage = MemoryStorage()
    let first = try Harness(on: storage, heldLimit: 64)
    for number in 0..<2_000 {
      first.receive("<message from='bob@example.org/x' id='m\(number)'><body>word \(number)</body></message>")
    }
    first.pass(.minutes(5))
    first.handle(.stop(.terminate))
    let second = try Harness(on: storage, heldLimit: 64, now: first.now)
    #expect(second.opened.checkpoint != nil)
    forget(second)
    #expect(history(second).isEmpty)
    second.receive("<message from='bob@example.org/x' id='new'><body>a new word</body></message>")
    second.pass(.minutes(5))
    second.handle(.stop(.terminate))
    let third = try Harness(on: storage, heldLimit: 64, now: second.now)
    #expect(third.opened.checkpoint != nil)
    #expect(history(third) == ["a new word"])
    let client = third.connect(3)
    #expect(texts(third.ask(client, "search word")) == ["a new word"])
  }

  // MARK: - Nobody brings it back

  /// What the archive, a carbon copy, or a server that delivers again, offers of what was here.
  private func offerAgain(_ harness: Harness) {
    let body = "<body>0</body>"
    let message = "from='bob@example.org/x' to='alice@example.org' id='m1' type='chat'"
    let stamp = ArchiveTests.stamp(minute: 0)
    harness.receive(
      "<message \(message)>\(body)<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(stamp)'/></message>")
    harness.receive(
      "<message from='alice@example.org' to='alice@example.org/confab' type='chat'>"
        + "<received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
        + "<message xmlns='jabber:client' \(message)>\(body)</message></forwarded></received></message>")
  }

  @Test("the archive, however far back it begins again, brings back nothing; what nobody has seen comes")
  func archive() throws {
    let harness = try ArchiveTests.harness(ArchiveTests.archive(230))
    harness.pass(.seconds(2))
    #expect(history(harness).count == 230)
    forget(harness)
    for number in 230..<232 { harness.server.archive?.add("\(number)", at: ArchiveTests.stamp(minute: number)) }
    // It does not know the last message any more: it is asked by time.
    harness.server.archive?.items.remove(at: 229)
    harness.cut()
    harness.pass(.seconds(10))
    #expect(history(harness) == ["230", "231"])
    offerAgain(harness)
    harness.pass(.seconds(1))
    #expect(history(harness) == ["230", "231"])
  }

  @Test("what the archive has after our clock was put back is not taken for what was forgotten")
  func clockPutBack() throws {
    let harness = try ArchiveTests.harness()
    func add(_ text: String, at time: Timestamp) {
      harness.server.archive?.add(text, at: time.rfc3339)
      harness.cut()
      harness.pass(.seconds(10))
    }
    add("one", at: harness.now.wall)
    forget(harness)
    let right = harness.now.wall
    harness.now.wall = right.advanced(by: .minutes(-60))
    add("two", at: right)
    #expect(history(harness) == ["two"])
  }

  @Test("a first fetching that is not at its end does not go on with what is older than what was forgotten")
  func filling() throws {
    var archive = ArchiveTests.archive(200)
    archive.patience = 2
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(1))
    #expect(history(harness).count == 100)
    forget(harness)
    harness.server.archive?.patience = .max
    harness.server.archive?.add("200", at: ArchiveTests.stamp(minute: 200))
    harness.cut()
    harness.pass(.seconds(10))
    #expect(history(harness) == ["200"])
  }

  /// What `confab log scrub` does.
  private func erase(_ storage: MemoryStorage) throws {
    let state = State(gap: .hours(24))
    var recovery = try Recovery(of: storage, log: nil, mode: .readOnly)
    let log = try recovery.run { state.apply($0) }
    var erasure = Erasure(state) { _ in nil }
    for segment in log.index.segments {
      let bytes = try SegmentErasure(storage, log.index).content(of: segment, clearsRest: true) {
        erasure.replacement(of: $0)
      }
      storage.change { $0.segments[segment.id] = bytes }
    }
    #expect(erasure.count == 2)
    storage.change { $0.files = [:] }
  }

  @Test("nor does anything of it come back when nothing of it is left in the log", arguments: [true, false])
  func erased(stampsLive: Bool) throws {
    let storage = MemoryStorage()
    let harness = try Harness(on: storage, server: ArchiveTests.server(ScriptedArchive(), stampsLive: stampsLive))
    harness.pass(.seconds(1))
    let stanzaID = "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a1'/>"
    harness.receive(
      "<message type='chat' from='bob@example.org/x' to='alice@example.org' id='m1'><body>0</body>\(stanzaID)</message>"
    )
    let replace = "<replace xmlns='urn:xmpp:message-correct:0' id='m1'/>"
    harness.receive(
      "<message type='chat' from='bob@example.org/x' to='alice@example.org' id='c1'><body>corrected</body>\(replace)"
        + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a4'/></message>")
    let client = harness.connect()
    let sent = harness.ask(client, "send key=k bob@example.org mine").last?["id"]?.integer
    harness.pass(.seconds(1))
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.seconds(1))
    forget(harness)
    #expect(sent != nil)
    let stanza = try #require(harness.toServer.components("id='").dropFirst().first { $0.contains("<body>mine") })
    let stanzaName = String(stanza.prefix { $0 != "'" })
    try erase(storage)
    var server = ArchiveTests.server(ScriptedArchive(), stampsLive: stampsLive)
    let stamp = harness.now.wall.rfc3339
    server.archive?.add("0", at: stamp, id: "a1", stanzaID: "m1")
    server.archive?.add(
      "mine", at: stamp, id: "a2", from: "alice@example.org/confab", to: "bob@example.org", stanzaID: stanzaName)
    server.archive?.add("corrected", at: stamp, id: "a4", stanzaID: "c1", more: replace)
    server.archive?.add("unseen", at: stamp, id: "a3", stanzaID: "m3")
    let later = try Harness(on: storage, server: server, now: harness.now)
    later.pass(.seconds(2))
    #expect(history(later) == ["unseen"])
    offerAgain(later)
    later.pass(.seconds(1))
    #expect(history(later) == ["unseen"])
    let answer = later.ask(later.connect(7), "send key=k bob@example.org mine").last
    #expect(answer?["error"]?.string == "key-mismatch")
    #expect(try #require(answer?["reason"]?.string).contains("erased"))
  }
}
