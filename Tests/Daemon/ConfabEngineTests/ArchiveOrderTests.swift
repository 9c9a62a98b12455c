import Clocks
import State
import JSON
import Records
import ConfabConfiguration
import Testing
import XMPPExtensions

@testable import ConfabEngine

/// In which order messages stand that are about as old as one another: servers stamp whole seconds.
@Suite("the archive's order")
struct ArchiveOrderTests {
  private func texts(_ harness: Harness) -> [String] {
    harness.ask(harness.connect(UInt64.random(in: 1_000...1_000_000)), "history limit=1000 bob@example.org")
      .compactMap { $0["message"]?["text"]?.string }
  }

  private func reconnect(_ harness: Harness) {
    harness.cut()
    harness.pass(.seconds(10))
  }

  private func live(_ text: String, id: String, archiveID: String) -> String {
    "<message type='chat' from='bob@example.org/x' to='alice@example.org' id='\(id)'><body>\(text)</body>"
      + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='\(archiveID)'/></message>"
  }

  /// Lets time pass up to this part of a second; returns the whole second, as servers stamp it.
  private func advance(_ harness: Harness, to milliseconds: Int64) -> String {
    harness.pass(.milliseconds(1_000 + milliseconds - harness.now.wall.milliseconds % 1_000))
    return second(harness)
  }

  private func second(_ harness: Harness) -> String {
    Timestamp(milliseconds: harness.now.wall.milliseconds / 1_000 * 1_000).rfc3339
  }

  @Test("messages of one second keep the archive's order, over pages, backwards and forwards, and among live ones")
  func withinSecond() throws {
    var archive = ScriptedArchive()
    archive.pageSize = 3
    for number in 0..<20 { archive.add("\(number)", at: "2025-06-01T10:00:00Z") }
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(1))
    #expect(texts(harness) == (0..<20).map { "\($0)" })
    for number in 20..<30 { harness.server.archive?.add("\(number)", at: "2025-06-01T10:00:00Z") }
    reconnect(harness)
    #expect(texts(harness) == (0..<30).map { "\($0)" })
  }

  @Test("what follows a live message within its second follows it here, though its stamp has no milliseconds")
  func behindLive() throws {
    let harness = try ArchiveTests.harness()
    harness.pass(.milliseconds(1_700 - harness.now.wall.milliseconds % 1000))
    let stamp = Timestamp(milliseconds: harness.now.wall.milliseconds / 1000 * 1000).rfc3339
    harness.receive(live("live", id: "l", archiveID: "a1"))
    harness.pass(.seconds(1))
    harness.server.archive?.add("live", at: stamp, stanzaID: "l")
    harness.server.archive?.add("behind it", at: stamp)
    reconnect(harness)
    #expect(texts(harness) == ["live", "behind it"])
  }

  @Test("what follows two of its second stands behind both, whichever of them was later here")
  func behindBoth() throws {
    let harness = try ArchiveTests.harness()
    harness.pass(.milliseconds(1_100 - harness.now.wall.milliseconds % 1000))
    let stamp = Timestamp(milliseconds: harness.now.wall.milliseconds / 1000 * 1000).rfc3339
    for text in ["early", "late"] {
      harness.receive(live(text, id: text, archiveID: text))
      harness.pass(.milliseconds(400))
    }
    for text in ["late", "early"] { harness.server.archive?.add(text, at: stamp, id: text, stanzaID: text) }
    harness.server.archive?.add("behind", at: stamp)
    reconnect(harness)
    #expect(texts(harness) == ["early", "late", "behind"])
  }

  /// A message that the server kept for us.
  private func kept(_ text: String, id: String, at stamp: String) -> String {
    live(text, id: id, archiveID: id).replacing(
      "</message>", with: "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(stamp)'/></message>")
  }

  @Test(
    "what waited is unread, though the server's clock is behind ours and it stands above what was read",
    arguments: [90, 7_200])
  func aboveRead(skew: Int64) throws {
    let harness = try ArchiveTests.harness()
    var stamp: String { harness.now.wall.advanced(by: .seconds(-skew)).rfc3339 }
    harness.receive(live("live", id: "l", archiveID: "l"))
    harness.server.archive?.add("live", at: stamp, id: "l", stanzaID: "l")
    for text in ["one", "two"] {
      harness.pass(.seconds(1))
      _ = harness.ask(harness.connect(5), "read bob@example.org")
      harness.server.archive?.add(text, at: stamp)
      reconnect(harness)
      #expect(harness.ask(harness.connect(4), "unread in=bob@example.org").last?["unread"]?.integer == 1)
    }
    #expect(texts(harness) == (skew == 90 ? ["live", "one", "two"] : ["one", "two", "live"]))
  }

  @Test(
    "what waited stands behind all that is here, after each of two breaks, though the server's clock is behind ours")
  func slowServer() throws {
    let harness = try ArchiveTests.harness()
    var stamp: String { harness.now.wall.advanced(by: .seconds(-60)).rfc3339 }
    for text in ["one", "two"] {
      harness.receive(live(text, id: text, archiveID: text))
      harness.server.archive?.add(text, at: stamp, id: text, stanzaID: text)
      harness.pass(.seconds(1))
    }
    for text in ["three", "four", "five"] {
      harness.server.archive?.add(text, at: stamp)
      reconnect(harness)
    }
    #expect(texts(harness) == ["one", "two", "three", "four", "five"])
  }

  @Test("what waited while our clock was put right stands at its time, and is unread")
  func clockPutRight() throws {
    let harness = try ArchiveTests.harness()
    let right = harness.now.wall
    harness.now.wall = right.advanced(by: .minutes(120))
    harness.receive(live("ahead", id: "l", archiveID: "l"))
    harness.pass(.seconds(1))
    harness.server.archive?.add("ahead", at: right.rfc3339, id: "l", stanzaID: "l")
    _ = harness.ask(harness.connect(5), "read bob@example.org")
    harness.now.wall = right
    for text in ["one", "two"] { harness.server.archive?.add(text, at: right.rfc3339) }
    reconnect(harness)
    #expect(texts(harness) == ["one", "two", "ahead"])
    #expect(harness.ask(harness.connect(4), "unread in=bob@example.org").last?["unread"]?.integer == 2)
  }

  @Test("what the server kept for us stands behind what came live within its second")
  func keptForUs() throws {
    let harness = try ArchiveTests.harness()
    harness.pass(.milliseconds(1_700 - harness.now.wall.milliseconds % 1000))
    let stamp = Timestamp(milliseconds: harness.now.wall.milliseconds / 1000 * 1000).rfc3339
    harness.receive(live("live", id: "l", archiveID: "a1"))
    harness.pass(.seconds(1))
    reconnect(harness)
    for number in 1...2 {
      harness.receive(kept("kept \(number)", id: "k\(number)", at: stamp))
    }
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["live", "kept 1", "kept 2"])
  }

  @Test("and also where the live one was the last of the fetching before")
  func behindAnchor() throws {
    var archive = ScriptedArchive()
    archive.patience = 0
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.milliseconds(1_700 - harness.now.wall.milliseconds % 1000))
    let stamp = Timestamp(milliseconds: harness.now.wall.milliseconds / 1000 * 1000).rfc3339
    harness.receive(live("live", id: "l", archiveID: "a1"))
    harness.pass(.milliseconds(100))
    harness.server.archive?.patience = .max
    harness.server.archive?.add("live", at: stamp, stanzaID: "l")
    reconnect(harness)
    #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "a1")
    harness.server.archive?.add("behind it", at: stamp)
    reconnect(harness)
    #expect(texts(harness) == ["live", "behind it"])
  }

  @Test("what came here only in the next second stands before what follows it in the archive")
  func slowLink() throws {
    let harness = try ArchiveTests.harness()
    let stamp = advance(harness, to: 990)
    harness.pass(.milliseconds(300))
    harness.receive(live("live", id: "l", archiveID: "l"))
    harness.server.archive?.add("live", at: stamp, id: "l", stanzaID: "l")
    harness.server.archive?.add("behind", at: stamp)
    reconnect(harness)
    #expect(texts(harness) == ["live", "behind"])
  }

  @Test("so it is where stamps have milliseconds, and the server's are earlier than ours")
  func precise() throws {
    let harness = try ArchiveTests.harness()
    harness.pass(.seconds(1))
    let stamps = [1, 2].map { harness.now.wall.advanced(by: .milliseconds($0)).rfc3339 }
    harness.pass(.milliseconds(20))
    harness.receive(live("live", id: "l", archiveID: "l"))
    harness.server.archive?.add("live", at: stamps[0], id: "l", stanzaID: "l")
    harness.server.archive?.add("behind", at: stamps[1])
    reconnect(harness)
    #expect(texts(harness) == ["live", "behind"])
  }

  @Test("what I wrote long before it left tells nothing of when the others came")
  func writtenBefore() throws {
    let harness = try ArchiveTests.harness()
    harness.pass(.seconds(1))
    harness.send(harness.connect(), "send bob@example.org mine\n")
    harness.pass(.seconds(1))
    let id = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    let earlier = harness.now.wall.advanced(by: .milliseconds(-10_000)).rfc3339
    harness.pass(.minutes(1))
    let later = second(harness)
    harness.server.archive?.add("before", at: earlier)
    harness.server.archive?.add(
      "mine", at: later, from: "alice@example.org/confab", to: "bob@example.org", stanzaID: id)
    harness.server.archive?.add("behind", at: later)
    reconnect(harness)
    #expect(texts(harness) == ["before", "mine", "behind"])
    let times = harness.ask(harness.connect(), "history bob@example.org").compactMap { $0["message"]?["time"]?.string }
    #expect(times.first == earlier && times.last == later)
  }

  @Test("what the server kept for us stands behind what the archive has shown of its second")
  func keptBehindArchive() throws {
    let harness = try ArchiveTests.harness()
    harness.pass(.seconds(1))
    let stamp = "2025-06-01T10:00:00Z"
    for text in ["one", "two"] { harness.server.archive?.add(text, at: stamp) }
    reconnect(harness)
    harness.receive(kept("kept", id: "k", at: stamp))
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["one", "two", "kept"])
  }

  @Test(
    "what the archive has before and between what the server kept for us stands there, within their second",
    arguments: ["at once", "when all is durable", "after a crash"])
  func archiveBeforeKept(moment: String) throws {
    var harness = try ArchiveTests.harness()
    harness.pass(.seconds(1))
    let stamp = "2025-06-01T10:00:00Z"
    harness.server.archive?.add("first", at: "2025-05-31T10:00:00Z")
    reconnect(harness)
    harness.server.archive?.patience = 0
    reconnect(harness)
    let wanted = ["first", "one", "two", "k1", "between", "the same", "k2", "behind", "further behind"]
    harness.syncsAtOnce = moment != "at once"
    for id in ["k1", "k2"] { harness.receive(kept(id, id: id, at: stamp)) }
    for text in ["one", "two"] { harness.server.archive?.add(text, at: stamp) }
    harness.server.archive?.add("k1", at: stamp, id: "k1", stanzaID: "k1")
    for text in ["between", "the same"] { harness.server.archive?.add(text, at: stamp) }
    harness.server.archive?.add("other", at: stamp, from: "carol@example.org/x")
    harness.server.archive?.add("k2", at: stamp, id: "k2", stanzaID: "k2")
    for text in ["behind", "further behind"] { harness.server.archive?.add(text, at: stamp) }
    if moment == "after a crash" {
      harness.pass(.seconds(1))
      harness.server.archive?.patience = .max
      harness = try Harness(
        on: harness.storage, accounts: [harness.configuration.accounts[0]], server: harness.server, now: harness.now,
        seed: 2)
    } else {
      if moment == "when all is durable" { harness.pass(.seconds(1)) }
      for stanza in harness.server.archive?.owed(to: "alice@example.org") ?? [] { harness.receive(stanza) }
    }
    harness.syncsAtOnce = true
    while harness.hasBatch { harness.sync() }
    harness.pass(.seconds(10))
    #expect(texts(harness) == wanted)
  }

  @Test("what the server kept for us stands behind what came before it, though that came in the next second")
  func keptBehindSlow() throws {
    let harness = try ArchiveTests.harness()
    let stamp = advance(harness, to: 990)
    harness.pass(.milliseconds(300))
    harness.receive(live("live", id: "l", archiveID: "l"))
    reconnect(harness)
    harness.receive(kept("kept", id: "k", at: stamp))
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["live", "kept"])
  }

  @Test("what waited here to be read stands before what follows it in the archive", arguments: [8, 100])
  func readLate(seconds: Int64) throws {
    let harness = try ArchiveTests.harness()
    let stamp = advance(harness, to: 500)
    harness.server.archive?.add("elsewhere", at: stamp, from: "carol@example.org/x")
    for text in ["one", "two"] { harness.server.archive?.add(text, at: stamp, id: text, stanzaID: text) }
    harness.pass(.seconds(2))
    for text in ["three", "four"] { harness.server.archive?.add(text, at: second(harness), id: text, stanzaID: text) }
    let other = second(harness)
    harness.server.archive?.add("later elsewhere", at: other, from: "dan@example.org/x")
    harness.pass(.seconds(seconds - 2))
    for text in ["one", "two"] { harness.receive(live(text, id: text, archiveID: text)) }
    reconnect(harness)
    #expect(texts(harness) == ["one", "two", "three", "four"])
    let dan = harness.ask(harness.connect(), "history dan@example.org").compactMap { $0["message"]?["time"]?.string }
    #expect(dan == [other])
  }

  @Test(
    "what waited stands before what came live later, though the server sends it behind that, if its stamp is exact",
    arguments: [true, false], [true, false])
  func waitedAndSentLater(isExact: Bool, isDurable: Bool) throws {
    let harness = try ArchiveTests.harness()
    harness.pass(.seconds(1))
    reconnect(harness)
    let second = advance(harness, to: 900)
    let stamps = [300, 300, 600].map { isExact ? second.replacing(".000Z", with: ".\($0)Z") : second }
    if !isDurable { harness.syncsAtOnce = false }
    for text in ["live 1", "live 2"] {
      harness.receive(live(text, id: text, archiveID: text))
      if isDurable { harness.pass(.milliseconds(20)) }
    }
    for (number, stamp) in stamps.enumerated() { harness.receive(kept("kept \(number)", id: "k\(number)", at: stamp)) }
    harness.syncsAtOnce = true
    while harness.hasBatch { harness.sync() }
    harness.pass(.seconds(1))
    let (live, kept) = (["live 1", "live 2"], ["kept 0", "kept 1", "kept 2"])
    #expect(texts(harness) == (isExact ? kept + live : live + kept))
  }

  @Test("on a resumed stream the order in which the server sends tells more than exact stamps do")
  func resumed() throws {
    var server = ScriptedStream()
    server.resumption = "max='600'"
    server.acknowledges = true
    let harness = try Harness(server: server)
    _ = advance(harness, to: 300)
    let stamp = harness.now.wall.rfc3339
    harness.pass(.milliseconds(400))
    harness.say(live("live", id: "l", archiveID: "l"))
    reconnect(harness)
    harness.say(kept("again", id: "k", at: stamp))
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["live", "again"])
  }

  @Test("and before what the server hands over late on the next connection")
  func readLateBeforeKept() throws {
    let harness = try ArchiveTests.harness()
    let stamp = advance(harness, to: 500)
    harness.pass(.seconds(20))
    for text in ["one", "two"] { harness.receive(live(text, id: text, archiveID: text)) }
    harness.pass(.seconds(1))
    reconnect(harness)
    for text in ["three", "four"] { harness.receive(kept(text, id: text, at: stamp)) }
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["one", "two", "three", "four"])
    // Of what has waited for another connection to end, nobody knows more than its stamp.
    harness.pass(.seconds(30))
    let earlier = second(harness)
    harness.pass(.seconds(20))
    harness.receive(live("now", id: "now", archiveID: "now"))
    harness.pass(.seconds(1))
    harness.receive(kept("earlier", id: "earlier", at: earlier))
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["one", "two", "three", "four", "earlier", "now"])
  }

  @Test("what the archive has behind mine stands before what the server kept for us in the same second")
  func mineBetween() throws {
    let harness = try ArchiveTests.harness()
    let stamp = advance(harness, to: 200)
    harness.receive(live("one", id: "one", archiveID: "one"))
    harness.pass(.milliseconds(500))
    harness.send(harness.connect(), "send bob@example.org mine\n")
    harness.pass(.milliseconds(100))
    let id = try #require(ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? ""))
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.server.archive?.patience = 0
    reconnect(harness)
    harness.receive(kept("three", id: "three", at: stamp))
    harness.pass(.seconds(1))
    harness.server.archive?.add("one", at: stamp, id: "one", stanzaID: "one")
    harness.server.archive?.add(
      "mine", at: stamp, from: "alice@example.org/confab", to: "bob@example.org", stanzaID: id)
    for text in ["two", "three"] { harness.server.archive?.add(text, at: stamp, id: text, stanzaID: text) }
    harness.server.archive?.patience = .max
    reconnect(harness)
    #expect(texts(harness) == ["one", "mine", "two", "three"])
  }
}
