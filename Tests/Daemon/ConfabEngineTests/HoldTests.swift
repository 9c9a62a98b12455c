import Clocks
import State
import JSON
import ConfabConfiguration
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// `hold=`, `cancel` and `release`, and `in-doubt = hold`.
@Suite("messages that are kept back")
struct HoldTests {
  private func texts(_ harness: Harness) -> [String] {
    harness.toServer.components("<body>").dropFirst().compactMap { $0.components("<").first }
  }

  private func messages(_ harness: Harness) -> [JSONValue] {
    harness.ask(harness.connect(77), "history bob@example.org").compactMap { $0["message"] }
  }

  private func states(_ harness: Harness) -> [String?] { messages(harness).map { $0["state"]?.string } }

  private func send(_ text: String, _ harness: Harness, _ client: ClientID) throws -> Int64 {
    try #require(harness.ask(client, "send " + text).last?["id"]?.integer)
  }

  private func restarted(_ harness: Harness) throws -> Harness {
    try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
  }

  // MARK: - hold=

  @Test("it goes out when its time is over, behind what went out meanwhile, once")
  func held() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let until = harness.now.wall.advanced(by: .seconds(5)).rfc3339
    let id = try send("hold=5s bob@example.org one", harness, client)
    _ = try send("bob@example.org two", harness, client)
    #expect(messages(harness).map { $0["held"]?.bool } == [true, nil])
    #expect(messages(harness).map { $0["held_until"]?.string } == [until, nil])
    harness.pass(.milliseconds(4_700))
    #expect(texts(harness) == ["two"])
    harness.pass(.milliseconds(300))
    #expect(texts(harness) == ["two", "one"])
    #expect(states(harness) == ["sent", "sent"])
    #expect(messages(harness).map { $0["held"]?.bool } == [nil, nil])
    #expect(messages(harness).allSatisfy { $0["held_until"] == nil })
    _ = try send("bob@example.org three", harness, client)
    #expect(texts(harness) == ["two", "one", "three"])
    #expect(harness.ask(client, "wait for=sent \(id)").last?["ok"]?.bool == true)
    #expect(harness.engine.state.accounts[1]?.outbox.count == 0)
  }

  @Test(
    "what is sent while the record that lets it go is being written does not overtake it", arguments: [true, false])
  func notOvertaken(byItself: Bool) throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let id = try send("hold=5s bob@example.org one", harness, client)
    harness.syncsAtOnce = false
    if byItself { harness.pass(.seconds(5)) } else { harness.send(client, "release \(id)\n") }
    #expect(harness.hasBatch)
    harness.send(client, "send bob@example.org two\n")
    for _ in 0..<6 {
      harness.sync()
      harness.pass(.milliseconds(20))
    }
    #expect(texts(harness) == ["one", "two"])
  }

  @Test("its time goes on while no daemon runs and while nobody is online, and its order holds over a restart")
  func overRestart() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    _ = try send("hold=1h bob@example.org long", harness, client)
    _ = try send("hold=5s bob@example.org short", harness, client)
    _ = try send("bob@example.org now", harness, client)
    harness.pass(.seconds(6))
    _ = try send("bob@example.org last", harness, client)
    let next = try restarted(harness)
    _ = next.ask(next.connect(), "connect")
    next.pass(.seconds(5))
    #expect(texts(next) == ["now", "short", "last"])
    var now = next.now
    now.wall = now.wall.advanced(by: .hours(1))
    let last = try Harness(on: next.storage, server: next.server, now: now, seed: 3)
    last.pass(.seconds(5))
    #expect(texts(last) == ["long"])
    #expect(states(last) == ["sent", "sent", "sent", "sent"])
  }

  @Test("over a cut those that were kept back before go again in the order in which they went")
  func cut() throws {
    for isKilled in [false, true] {
      var server = ReceiptTests.server(resumption: "max='600'")
      server.acknowledges = false
      var harness = try ReceiptTests.online(server)
      let client = harness.connect()
      _ = try send("hold=1s bob@example.org one", harness, client)
      _ = try send("bob@example.org two", harness, client)
      harness.pass(.seconds(2))
      _ = try send("bob@example.org three", harness, client)
      #expect(texts(harness) == ["two", "one", "three"])
      harness.server.lost = 2
      harness.clearTrace()
      if isKilled { harness = try restarted(harness) } else { harness.cut() }
      harness.pass(.seconds(20))
      #expect(texts(harness) == ["one", "three"])
      harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
      harness.pass(.seconds(1))
      #expect(states(harness) == ["sent", "sent", "sent"])
    }
  }

  @Test("a checkpoint has it")
  func checkpoint() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let id = try send("hold=1h expires=2h bob@example.org one", harness, client)
    let body = harness.engine.state.checkpointBody
    let state = try State.restored(from: body, sequence: 1_000, gap: .hours(24))
    #expect(state.accounts[1]?.outbox.held == harness.engine.state.accounts[1]?.outbox.held)
    #expect(state.accounts[1]?.outbox.held.keys.map(Int64.init) == [id])
  }

  // MARK: - cancel

  @Test("what has not gone out is taken back by the answer's sync, and never goes out")
  func cancelled() throws {
    let harness = try ReceiptTests.online()
    let (client, watcher) = (harness.connect(), harness.connect(2))
    _ = harness.ask(watcher, "watch kinds=state")
    let id = try send("hold=5s bob@example.org no", harness, client)
    harness.send(client, "wait for=sent timeout=1h \(id)\n")
    harness.syncsAtOnce = false
    harness.send(client, "cancel \(id)\ncancel \(id)\n")
    #expect(harness.takeLines(client).isEmpty)
    // Its time comes before the sync.
    harness.pass(.seconds(6))
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(6))
    let lines = harness.takeLines(client)
    #expect(lines.count { $0["error"]?.string == "failed" && $0["state"]?.string == "cancelled" } == 1)
    #expect(lines.count { $0["ok"]?.bool == true && $0["state"]?.string == "cancelled" } == 2)
    #expect(harness.takeLines(watcher).map { $0["state"]?.string } == ["cancelled"])
    #expect(harness.ask(client, "cancel \(id)").last?["state"]?.string == "cancelled")
    #expect(harness.ask(client, "release \(id)").last?["error"]?.string == "not-found")
    let next = try restarted(harness)
    next.pass(.minutes(1))
    #expect(texts(harness) + texts(next) == [])
    #expect(states(next) == ["cancelled"])
  }

  @Test("so is what waits for the next login, and what stands behind it goes")
  func cancelledOffline() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    let ids = try ["one", "two", "three"].map { try send("bob@example.org \($0)", harness, client) }
    #expect(harness.ask(client, "cancel \(ids[1])").last?["ok"]?.bool == true)
    _ = harness.ask(client, "connect")
    harness.pass(.seconds(5))
    #expect(texts(harness) == ["one", "three"])
    #expect(states(harness) == ["sent", "cancelled", "sent"])
  }

  @Test("between the request and its sync nothing takes it along: neither a login nor its release")
  func race() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    let id = try send("bob@example.org no", harness, client)
    harness.syncsAtOnce = false
    harness.send(client, "connect\ncancel \(id)\n")
    for _ in 0..<20 {
      harness.sync()
      harness.pass(.milliseconds(100))
    }
    harness.syncsAtOnce = true
    harness.pass(.seconds(5))
    #expect(texts(harness) == [])
    #expect(states(harness) == ["cancelled"])
  }

  @Test("what has left, or may have, is not to be found; nor is what is nobody's or failed; somebody's is an error")
  func tooLate() throws {
    var server = ReceiptTests.server()
    server.acknowledges = false
    let harness = try ReceiptTests.online(server)
    let client = harness.connect()
    harness.receive("<message from='bob@example.org/x' id='1'><body>x</body></message>")
    harness.pass(.seconds(1))
    let theirs = try #require(messages(harness).first?["id"]?.integer)
    let id = try send("bob@example.org yes", harness, client)
    func code(_ request: String) -> String? { harness.ask(client, request).last?["error"]?.string }
    let answer = try #require(harness.ask(client, "cancel \(id)").last)
    #expect(answer["error"]?.string == "not-found")
    #expect(answer["state"]?.string == "queued")
    #expect(answer["id"]?.integer == id)
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.seconds(1))
    #expect(harness.ask(client, "cancel \(id)").last?["state"]?.string == "sent")
    #expect(code("cancel \(theirs)") == "bad-argument")
    #expect(code("cancel 999999") == "not-found")
    #expect(code("release 999999") == "not-found")
    #expect(code("release \(id)") == "not-found")
    #expect(code("cancel") == "bad-argument")
    _ = harness.ask(client, "disconnect")
    let expired = try send("expires=1s bob@example.org x", harness, client)
    harness.pass(.seconds(2))
    #expect(harness.ask(client, "cancel \(expired)").last?["state"]?.string == "failed")
  }

  @Test("at no sync does a kill let out what was taken back, or lose what was not", arguments: 0..<6)
  func killed(syncs: Int) throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "send hold=1s bob@example.org no\nsend hold=1s bob@example.org yes\n")
    var ids: [Int64] = []
    var isCancelled = false
    for _ in 0..<syncs {
      harness.sync()
      let lines = harness.takeLines(client)
      ids += lines.filter { $0["state"]?.string == "queued" }.compactMap { $0["id"]?.integer }
      if lines.contains(where: { $0["state"]?.string == "cancelled" }) { isCancelled = true }
      if let id = ids.first, !isCancelled { harness.send(client, "cancel \(id)\n") }
      harness.pass(.milliseconds(700))
    }
    let next = try restarted(harness)
    next.pass(.seconds(30))
    let left = texts(harness) + texts(next)
    if isCancelled { #expect(!left.contains("no")) }
    if !ids.isEmpty { #expect(left.contains("yes")) }
  }

  @Test("release lets it go before its time")
  func released() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let id = try send("hold=1h bob@example.org now", harness, client)
    #expect(harness.ask(client, "release \(id)").last?["ok"]?.bool == true)
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["now"])
    harness.pass(.hours(2))
    #expect(texts(harness) == ["now"])
    #expect(harness.ask(client, "cancel \(id)").last?["state"]?.string == "sent")
  }

  // MARK: - in-doubt = hold

  @Test("what may have arrived is kept back where the account says so, until somebody decides, over restarts")
  func inDoubt() throws {
    func start(on harness: Harness? = nil) throws -> Harness {
      var account = Harness.alice
      account.inDoubt = .hold
      var server = ReceiptTests.server()
      server.acknowledges = harness != nil
      let next =
        try harness.map { try Harness(on: $0.storage, accounts: [account], server: server, now: $0.now, seed: 2) }
        ?? Harness(accounts: [account], server: server)
      next.pass(.seconds(2))
      next.clearTrace()
      return next
    }
    let first = try start()
    let client = first.connect()
    let ids = try ["one", "two"].map { try send("bob@example.org \($0)", first, client) }
    let stanzas = first.toServer.components("<message").dropFirst().map { ScriptedStream.value(of: "id", in: $0) }
    for _ in 0..<2 {
      let next = try start(on: first)
      #expect(messages(next).prefix(2).map { $0["in_doubt"]?.bool } == [true, true])
      #expect(messages(next).prefix(2).map { $0["held"]?.bool } == [true, true])
      next.pass(.minutes(10))
      _ = next.ask(next.connect(), "send bob@example.org three")
      #expect(texts(next) == ["three"])
    }
    let last = try start(on: first)
    let other = last.connect()
    #expect(last.ask(other, "release \(ids[0])").last?["ok"]?.bool == true)
    #expect(last.ask(other, "cancel \(ids[1])").last?["ok"]?.bool == true)
    last.pass(.minutes(10))
    #expect(texts(last) == ["one"])
    #expect(last.toServer.contains("id='\(stanzas[0] ?? "?")'"))
    #expect(last.toServer.contains("urn:xmpp:delay"))
    #expect(states(last).prefix(2) == ["sent", "cancelled"])
    #expect(messages(last).prefix(2).map { $0["in_doubt"]?.bool } == [true, true])
  }

  @Test(
    "a change of a message that was sent is not kept back; one of a message in doubt goes behind that",
    arguments: [false, true])
  func changesInDoubt(byReceipt: Bool) throws {
    func start(on harness: Harness) throws -> Harness {
      var account = Harness.alice
      account.inDoubt = .hold
      let next = try Harness(
        on: harness.storage, accounts: [account], server: ReceiptTests.server(), now: harness.now, seed: 2)
      next.pass(.seconds(2))
      return next
    }
    let first = try ReceiptTests.online { $0.inDoubt = .hold }
    let client = first.connect()
    let sent = try send("bob@example.org one", first, client)
    first.pass(.seconds(1))
    first.server.acknowledges = false
    _ = try send("replace=\(sent) bob@example.org ONE", first, client)
    let doubtful = try send("bob@example.org two", first, client)
    _ = try send("replace=\(doubtful) bob@example.org TWO", first, client)
    #expect(texts(first) == ["one", "ONE", "two", "TWO"])
    let next = try start(on: first)
    #expect(texts(next) == ["ONE"])
    next.server.acknowledges = !byReceipt
    let other = next.connect()
    #expect(next.ask(other, "release \(doubtful)").last?["ok"]?.bool == true)
    _ = try send("replace=\(doubtful) bob@example.org later", next, other)
    if byReceipt {
      let two = next.toServer.components("<message").first { $0.contains("<body>two<") }
      let id = two.flatMap { ScriptedStream.value(of: "id", in: $0) } ?? ""
      next.receive("<message from='bob@example.org/phone'><received xmlns='urn:xmpp:receipts' id='\(id)'/></message>")
    }
    next.pass(.seconds(2))
    #expect(texts(next) == ["ONE", "two", "TWO", "later"], "a later change stays the last one")
    #expect(next.engine.state.accounts[1]?.outbox.held.isEmpty == true)
    #expect(messages(next).map { $0["text"]?.string } == ["ONE", "later"])
  }
}
