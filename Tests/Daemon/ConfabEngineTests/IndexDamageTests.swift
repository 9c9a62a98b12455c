import Clocks
import JSON
import State
import MessageLog
import TestSupport
import Testing

@testable import ConfabAccounts

/// Pages that are damaged while the daemon runs: the state is made anew from the log, and no answer is made of the damage.
@Suite("a damaged index")
struct IndexDamageTests {
  private static let strangers = 120

  /// A daemon that has much more on pages, and in the log, than it reads in a turn.
  private func told(by server: ScriptedStream = ScriptedStream()) throws -> Harness {
    let harness = try Harness(heldLimit: 300, server: server)
    let client = harness.connect(7)
    harness.send(client, "send key=k1 bob@example.org once\n")
    let text = String(repeating: "x", count: 20_000)
    for number in 0..<Self.strangers {
      let one = "<message from='s\(number)@example.org/x' id='s\(number)'><body>\(text)</body></message>"
      let friend = (0..<10).map { "<message from='c@example.org/x' id='c\(number).\($0)'><body>n</body></message>" }
      harness.receive(([one] + friend).map { harness.server.say($0) }.joined())
      harness.pass(.milliseconds(50))
    }
    _ = harness.takeText(client)
    try set(harness, client)
    harness.pass(.seconds(11))
    _ = harness.takeText(client)
    return harness
  }

  /// What the user sets of conversations.
  private func set(_ harness: Harness, _ client: ClientID) throws {
    let until = harness.now.wall.advanced(by: .hours(1)).rfc3339
    let page = harness.ask(client, "history limit=1 s6@example.org")
    let id = try #require(page.first?["message"]?["id"]?.integer)
    for request in [
      "pin s1@example.org yes", "notify s2@example.org mentions", "notify until=\(until) s2@example.org never",
      "archive s4@example.org yes", "read s6@example.org", "unread-from s6@example.org \(id)",
    ] { #expect(harness.ask(client, request).last?["ok"]?.bool == true, "\(request)") }
  }

  private func damagePages(of harness: Harness) {
    harness.storage.change { content in
      let count = content.files["index"]?.count ?? 0
      for offset in stride(from: 16_384 + 40, to: count, by: 16_384) { content.files["index"]?[offset] ^= 0x80 }
    }
  }

  private static let questions = [
    "history limit=500 c@example.org", "history row=3 limit=2 c@example.org", "sections c@example.org",
    "history limit=1 s3@example.org", "conversations limit=500", "unread", "unread in=s9@example.org",
    "send key=k1 bob@example.org once",
  ]

  /// The answer to a question, without the number of the record as of which it is, and without the state of a message of
  /// mine: whether it arrived is in doubt once a link is lost.
  private func answer(_ question: String, _ harness: Harness) -> String {
    let client = harness.connect(99)
    harness.send(client, question + "\n")
    harness.pass(.milliseconds(200))
    let parts = harness.takeText(client).split(separator: ",")
    let hidden = ["\"seq\":", "\"state\":", "\"in_doubt\":"]
    return parts.filter { part in !hidden.contains { part.hasPrefix($0) } }.joined(separator: ",")
  }

  @Test("a request that meets it waits, and is answered as if there were none", arguments: questions)
  func answers(question: String) throws {
    let (sound, harness) = (try told(), try told())
    damagePages(of: harness)
    #expect(answer(question, harness) == answer(question, sound))
    // What these ask is in memory.
    guard !["unread", "sections c@example.org"].contains(question) else { return }
    #expect(harness.told.count { $0.hasPrefix("the index is damaged: page ") } == 1)
    #expect(harness.told.contains("the log has been read"))
    #expect(harness.connects == 2 && harness.serviceStatus.last == "home is online")
    for question in Self.questions { #expect(answer(question, harness) == answer(question, sound)) }
    #expect(harness.told.count { $0.hasPrefix("the index is damaged: page ") } == 1)
  }

  @Test("no turn of the loop reads more of the log than a range, and clients are served meanwhile")
  func turns() throws {
    let harness = try told()
    damagePages(of: harness)
    let (asking, other) = (harness.connect(), harness.connect(8))
    _ = (harness.takeText(asking), harness.takeText(other))
    let start = harness.storage.reads.bytes
    var (last, most) = (start, 0)
    harness.send(asking, "history limit=1 s3@example.org\n")
    harness.send(other, "ping\nstatus\nunread\n")
    #expect(harness.takeText(asking).isEmpty)
    #expect(harness.takeText(other) == "{\"ok\":true}\n{\"ok\":true,\"reading_log\":0}\n")
    harness.pass(.milliseconds(200)) {
      let read = harness.storage.reads.bytes
      (last, most) = (read, max(most, read - last))
      return false
    }
    #expect(harness.takeText(asking).hasPrefix("{\"message\":"))
    #expect(harness.takeText(other).contains("unread"))
    #expect(harness.storage.reads.bytes - start > 4 * LogReplay.range)
    #expect(most <= LogReplay.range + 128 << 10)
  }

  @Test("a record that becomes durable while damage is met is not lost, and its event comes once")
  func events() throws {
    let harness = try told()
    let (watcher, other) = (harness.connect(), harness.connect(8))
    harness.send(watcher, "watch kinds=draft\n")
    harness.pass(.milliseconds(50))
    _ = (harness.takeText(watcher), harness.takeText(other))
    damagePages(of: harness)
    harness.send(other, "draft s5@example.org words\n")
    harness.pass(.milliseconds(200))
    #expect(harness.takeText(other) == "{\"ok\":true}\n")
    #expect(harness.takeText(watcher).ranges(of: "\"words\"").count == 1)
    #expect(harness.told.contains { $0.hasPrefix("the index is damaged") })
    #expect(answer("draft s5@example.org", harness).contains("words"))
  }

  private static var resuming: ScriptedStream {
    var server = ArchiveTests.server(ScriptedArchive())
    server.resumption = "max='600'"
    return server
  }

  @Test(
    "a message by which it is met is taken once, though its stream begins anew and brings it again",
    arguments: [ScriptedStream(), resuming])
  func stanzas(server: ScriptedStream) throws {
    let harness = try told(by: server)
    damagePages(of: harness)
    let message =
      "<message from='s5@example.org/x' id='again'><body>again</body>"
      + "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='a1'/></message>"
    harness.say(message)
    harness.pass(.milliseconds(200))
    #expect(harness.told.contains { $0.hasPrefix("the index is damaged") })
    #expect(harness.connects == 2)
    if server.resumption == nil {
      let delay = "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(harness.now.wall.rfc3339)'/></message>"
      harness.say(message.replacing("</message>", with: delay))
      harness.pass(.milliseconds(200))
    }
    #expect(answer("history limit=1 s5@example.org", harness).contains("\"count\":2,"))
  }

  @Test("no link is left of an account that was connecting, though the network has changed meanwhile")
  func connecting() throws {
    let harness = try told()
    harness.holdsLinks = true
    harness.cut()
    harness.pass(.minutes(1))
    harness.handle(.networkChanged)
    let connects = harness.connects
    harness.holdsLinks = false
    damagePages(of: harness)
    _ = answer("history limit=1 s5@example.org", harness)
    #expect(harness.told.contains { $0.hasPrefix("the index is damaged") })
    #expect(harness.connects == connects + 1)
  }

  @Test("damage of the pages that are made anew leaves all in memory, until the next start")
  func again() throws {
    let (sound, harness) = (try told(), try told())
    damagePages(of: harness)
    let client = harness.connect()
    _ = harness.takeText(client)
    harness.send(client, "history limit=1 s3@example.org\n")
    harness.pass(.milliseconds(200)) {
      damagePages(of: harness)
      return false
    }
    #expect(harness.takeText(client).hasPrefix("{\"message\":"))
    for question in Self.questions { #expect(answer(question, harness) == answer(question, sound)) }
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(11))
    // Its checkpoint has the keys as one with pages has them.
    let next = try Harness(on: harness.storage, heldLimit: 300, now: harness.now)
    #expect(next.opened.checkpoint != nil)
    for question in Self.questions { #expect(answer(question, next) == answer(question, sound)) }
  }

  /// Makes reads of the log fail from the third one on, each also when it is repeated: so often the log is read anew.
  private func failReads(_ times: Int, of harness: Harness) {
    harness.storage.change { $0.failingReads = $0.reads.calls + 3..<$0.reads.calls + 3 + 2 * times }
  }

  @Test("a rebuild that the disk interrupts begins anew and is not used until it is whole", arguments: [1, 2, 3])
  func interrupted(times: Int) throws {
    let (sound, harness) = (try told(), try told())
    for one in [sound, harness] {
      one.pass(.seconds(1))
      #expect(one.ask(one.connect(8), "send bob@example.org twice").last?["ok"]?.bool == true)
    }
    damagePages(of: harness)
    failReads(times, of: harness)
    let client = harness.connect()
    harness.send(client, "history limit=1 s3@example.org\n")
    harness.pass(.minutes(2)) { !harness.takeText(client).isEmpty }
    #expect(harness.told.count { $0.hasPrefix("reading the log failed") } == times)
    for question in Self.questions + ["history limit=9 bob@example.org"] {
      #expect(answer(question, harness) == answer(question, sound))
    }
    // Once before the link was lost, and once after that, in doubt.
    #expect(harness.toServer.ranges(of: ">twice<").count <= 2)
    #expect(harness.ask(client, "status").contains { $0["account"]?["queued"]?.integer ?? 0 <= 1 })
  }

  @Test("a start that reads the log while it serves begins anew after read errors", arguments: [0, 200])
  func start(applyLimit: Int) throws {
    let sound = try told()
    var content = sound.storage.snapshot
    content.files = [:]
    let storage = MemoryStorage(content)
    let started = try Harness(on: storage, heldLimit: 300, applyLimit: applyLimit, now: sound.now)
    storage.change { $0.failingReads = $0.reads.calls + 2..<$0.reads.calls + 6 }
    started.pass(.minutes(1))
    #expect(started.told.contains { $0.hasPrefix("reading the log failed") })
    #expect(started.told.contains("the log has been read"))
    for question in Self.questions { #expect(answer(question, started) == answer(question, sound)) }
  }

  @Test("one failed read of a page is repeated, and the log is not read anew for it")
  func once() throws {
    let harness = try told()
    harness.storage.change { $0.failingReads = $0.reads.calls + 1..<$0.reads.calls + 2 }
    #expect(answer("history limit=1 s3@example.org", harness).contains("\"message\""))
    #expect(!harness.told.contains { $0.contains("damaged") || $0.contains("failed") })
  }

  @Test("a daemon that ends while it makes the state anew leaves a log of which the next start makes it")
  func stopped() throws {
    let (sound, harness) = (try told(), try told())
    damagePages(of: harness)
    let client = harness.connect()
    harness.send(client, "history limit=1 s3@example.org\n")
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(11))
    #expect(harness.exitStatus == 0)
    let next = try Harness(on: harness.storage, heldLimit: 300, now: harness.now)
    for question in Self.questions { #expect(answer(question, next) == answer(question, sound)) }
  }
}
