import Clocks
import JSON
import Search
import ConfabConfiguration
import TestSupport
import Testing

@testable import ConfabAccounts

@Suite("users beside each other")
struct FairTurnsTests {
  private let owner: UInt32 = 1000
  private let other: UInt32 = 33

  private func makeHarness(_ change: (inout Configuration) -> Void = { _ in }) throws -> Harness {
    try Harness {
      $0.daemon.access.users = [33]
      change(&$0)
    }
  }

  private func connect(_ harness: Harness, _ number: UInt64, _ user: UInt32, socket: String? = nil) -> ClientID {
    let client = ClientID(number)
    harness.handle(.client(client, .connected(Caller(socket: socket, user: user))))
    _ = harness.takeLines(client)
    return client
  }

  private func makeMessage(_ harness: Harness) throws -> Int {
    let client = harness.connect(900)
    return Int(try #require(harness.ask(client, "send bob@example.org hello").last?["id"]?.integer))
  }

  @Test("a client that is gone while it is not read waits for nothing; what it had sent is done, and it ends")
  func gone() throws {
    let harness = try makeHarness { $0.daemon.limits.requests = 3 }
    let id = try makeMessage(harness)
    let client = connect(harness, 1, other)
    harness.send(client, String(repeating: "wait for=displayed timeout=1h \(id)\n", count: 3))
    harness.send(client, "search hello\nsend bob@example.org last words\n")
    #expect(harness.paused.contains(client))
    harness.handle(.client(client, .writeFailed))
    #expect(!harness.paused.contains(client))
    harness.handle(.client(client, .endOfInput))
    #expect(harness.closedClients.contains(client))
    let lines = harness.ask(harness.connect(901), "history bob@example.org")
    #expect(lines.compactMap { $0["message"]?["text"]?.string } == ["hello", "last words"])
  }

  @Test("requests that wait are bounded by bytes: of another user, and not the owner's with them")
  func waitingBytes() throws {
    let harness = try makeHarness()
    let id = try makeMessage(harness)
    let tag = String(repeating: "t", count: 1000)
    let wait = "wait for=displayed timeout=1h tag=\(tag) \(id)\n"
    var refused: [JSONValue] = []
    for number in UInt64(1)...6 {
      let client = connect(harness, number, other)
      harness.send(client, String(repeating: wait, count: 1000))
      refused += harness.takeLines(client)
    }
    #expect(refused.allSatisfy { $0["error"]?.string == "limit" && $0["tag"]?.string == tag })
    // Half of 16 MiB, at 1,512 bytes each and the rest.
    #expect((300...600).contains(refused.count))
    let own = connect(harness, 100, owner)
    harness.send(own, wait)
    #expect(harness.takeLines(own).isEmpty)
    harness.handle(.client(ClientID(1), .closed))
    let client = connect(harness, 101, other)
    harness.send(client, wait)
    #expect(harness.takeLines(client).isEmpty)
  }

  @Test("unfinished requests are bounded by bytes; who has too many of them is told and closed, the owner is not")
  func unfinished() throws {
    let harness = try makeHarness()
    let part = "send bob@example.org " + String(repeating: "t", count: 50_000)
    var closed = 0
    for number in UInt64(1)...200 {
      let client = connect(harness, number, other)
      harness.send(client, part)
      guard harness.closedClients.contains(client) else { continue }
      #expect(harness.takeLines(client).map { $0["error"]?.string } == ["limit"])
      closed += 1
    }
    #expect((30...40).contains(closed))
    let own = connect(harness, 1000, owner)
    harness.send(own, part)
    harness.send(own, "\n")
    #expect(harness.takeLines(own).map { $0["ok"]?.bool } == [true])
    harness.handle(.client(ClientID(1), .closed))
    let client = connect(harness, 1001, other)
    harness.send(client, part + "\n")
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
  }

  @Test("who leaves an unfinished request gives back what that was, and no more")
  func givenBack() throws {
    let harness = try makeHarness()
    let part = "send bob@example.org " + String(repeating: "t", count: 50_000)
    func open(_ numbers: ClosedRange<UInt64>) -> [ClientID] {
      numbers.map { number in
        let client = connect(harness, number, other)
        harness.send(client, part)
        return client
      }.filter { !harness.closedClients.contains($0) }
    }
    let first = open(1...200)
    #expect(first.count < 200)
    for client in first.prefix(50) { harness.handle(.client(client, .closed)) }
    #expect(open(1001...1200).count == 50)
  }

  @Test("a wait for an old message costs one read of the log at most, however long the log is")
  func oldMessages() throws {
    let harness = try makeHarness()
    let ids = try (0..<2).map { _ in
      let id = try makeMessage(harness)
      for number in 0..<2000 {
        harness.receive("<message from='bob@example.org/x' id='\(id)-\(number)'><body>text \(number)</body></message>")
      }
      return id
    }
    let client = connect(harness, 1, owner)
    let waits = ids.map { "wait for=displayed timeout=1h \($0)\n" }.joined()
    harness.send(client, waits)
    let before = harness.storage.reads.calls
    harness.send(client, String(repeating: waits, count: 100))
    #expect(harness.storage.reads.calls - before <= 200)
    #expect(harness.takeLines(client).isEmpty)
  }

  @Test("on a socket without all rights a wait lasts ten minutes at most")
  func longestWait() throws {
    let harness = try Harness(sockets: [SocketSettings("alerts", .send)])
    let client = connect(harness, 1, other, socket: "alerts")
    let id = try #require(harness.ask(client, "send bob@example.org hello").last?["id"]?.integer)
    harness.send(client, "wait for=displayed timeout=7d \(id)\n")
    harness.pass(.minutes(9))
    #expect(harness.takeLines(client).isEmpty)
    harness.pass(.minutes(2))
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["timeout"])
  }

  @Test("the searches of another user leave the owner's a turn")
  func searches() throws {
    let harness = try makeHarness()
    _ = try makeMessage(harness)
    harness.searchesAtOnce = false
    for number in UInt64(1)...20 { harness.send(connect(harness, number, other), "search hello\n") }
    #expect(harness.searches.count == 4)
    harness.send(connect(harness, 100, owner), "search hello\n")
    #expect(harness.searches.count == 5)
  }

  /// How many of so many messages are taken, and what the last answer is.
  private func send(
    _ count: Int, _ harness: Harness, _ client: ClientID, options: String = "", text: String = "x"
  ) -> (taken: Int, last: JSONValue?) {
    harness.send(client, String(repeating: "send \(options)bob@example.org \(text)\n", count: count))
    harness.pass(.seconds(1))
    let lines = harness.takeLines(client)
    return (lines.count { $0["ok"]?.bool == true }, lines.last)
  }

  @Test("of messages that wait, another user has 500, all others 875, and the owner any number; after a restart too")
  func queued() throws {
    let users = { (configuration: inout Configuration) in configuration.daemon.access.users = [33, 34, 35] }
    let harness = try Harness(holdsLinks: true, configure: users)
    #expect(send(1010, harness, connect(harness, 100, owner)).taken == 1010)
    let first = send(501, harness, connect(harness, 1, 33))
    #expect(first.taken == 500 && first.last?["error"]?.string == "limit" && first.last?["retry_after"] != nil)
    #expect(send(400, harness, connect(harness, 2, 34)).taken == 375)
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(10))
    let logAlone = MemoryStorage(.init(segments: harness.storage.snapshot.segments))
    for storage in [harness.storage, logAlone] {
      let next = try Harness(on: storage, holdsLinks: true, configure: users)
      for (number, user) in [(UInt64(1), UInt32(33)), (2, 34), (3, 35)] {
        #expect(send(1, next, connect(next, number, user)).taken == 0)
      }
      #expect(send(1, next, connect(next, 100, owner)).taken == 1)
    }
  }

  @Test("reactions and forwarded texts of another user count as messages that wait")
  func queuedChanges() throws {
    let harness = try makeHarness()
    harness.receive(
      "<message type='chat' from='bob@example.org/x' id='m1'><body>\(String(repeating: "x", count: 4 << 10))</body></message>"
    )
    harness.pass(.seconds(1))
    let own = connect(harness, 1, owner)
    let id = try #require(harness.ask(own, "history bob@example.org").first?["message"]?["id"]?.integer)
    let client = connect(harness, 2, other)
    func refused(_ line: String, _ count: Int) -> Int {
      harness.send(client, (0..<count).map { "\(line) \($0 % 2 == 0 ? "👍" : "🎉")\n" }.joined())
      harness.pass(.seconds(1))
      return harness.takeLines(client).count { $0["error"]?.string == "limit" }
    }
    // Each has the whole message: 4 KiB, and more with the quotation. 125 are taken; of the rest those that say what the
    // last of these says are no news.
    #expect(refused("react \(id)", 130) == 3)
    #expect(refused("forward \(id) carol@example.org", 1) == 1)
    #expect(harness.ask(own, "react \(id) 👍").last?["ok"]?.bool == true)
  }

  @Test("a message that waits counts by its kibibytes, and no longer once it is cancelled or sent")
  func queuedBytes() throws {
    let harness = try makeHarness()
    let client = connect(harness, 1, other)
    let text = String(repeating: "x", count: 10 << 10)
    let held = send(60, harness, client, options: "hold=1h ", text: text)
    #expect(held.taken == 50 && held.last?["error"]?.string == "limit")
    let ids = harness.ask(connect(harness, 2, owner), "history limit=2 bob@example.org").compactMap {
      $0["message"]?["id"]?.integer
    }
    _ = harness.ask(connect(harness, 3, owner), "cancel \(try #require(ids.last))")
    #expect(send(2, harness, client, options: "hold=1h ", text: text).taken == 1)
    _ = harness.ask(connect(harness, 4, owner), "release \(try #require(ids.first))")
    harness.pass(.seconds(1))
    #expect(send(1, harness, client).taken == 0, "until the server has it")
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    #expect(send(1, harness, client).taken == 1)
  }

  @Test("who cancels a message has its room at once, for the next request too, and that of its changes")
  func cancelled() throws {
    let harness = try Harness(holdsLinks: true) { $0.daemon.access.users = [33] }
    let client = connect(harness, 1, other)
    let id = try #require(harness.ask(client, "send bob@example.org one").last?["id"]?.integer)
    #expect(harness.ask(client, "retract \(id)").last?["ok"]?.bool == true)
    #expect(send(499, harness, client).taken == 498)
    harness.syncsAtOnce = false
    harness.send(client, "cancel \(id)\nsend bob@example.org two\nretract \(id)\n")
    harness.syncsAtOnce = true
    harness.sync()
    #expect(harness.takeLines(client).map { $0["error"]?.string } == [nil, nil, "bad-argument"])
    #expect(send(2, harness, client).taken == 1, "the room of what was to be retracted")
    #expect(harness.ask(client, "status").first?["account"]?["queued"]?.integer == 500)
  }

  @Test(
    "messages of another user that are not durable yet count, and those that are kept back",
    arguments: ["", "hold=1h "])
  func queuedAtOnce(options: String) throws {
    let harness = try makeHarness()
    harness.cut()
    harness.syncsAtOnce = false
    let client = connect(harness, 1, other)
    harness.send(client, (0..<1500).map { "send \(options)bob@example.org \($0)\n" }.joined())
    harness.syncsAtOnce = true
    harness.sync()
    let answers = harness.takeLines(client)
    #expect(answers.count == 1500 && answers.count { $0["ok"]?.bool == true } == 500)
    #expect(harness.ask(client, "send bob@example.org more").last?["error"]?.string == "limit")
  }
}

@Suite("the accounts of a socket")
struct ConfinedSocketTests {
  private func harness(_ accounts: [String]) throws -> (Harness, ClientID) {
    var settings = SocketSettings("alerts", .full)
    settings.accounts = accounts
    let harness = try Harness(accounts: [Harness.alice, Harness.work], sockets: [settings])
    let main = harness.connect()
    for account in ["home", "work"] { _ = harness.ask(main, "send account=\(account) bob@example.org from \(account)") }
    let client = ClientID(50)
    harness.handle(.client(client, .connected(Caller(socket: "alerts", user: 1000))))
    _ = harness.takeLines(client)
    return (harness, client)
  }

  @Test("one account is meant by itself, and nothing of another is seen")
  func one() throws {
    let (harness, client) = try harness(["work"])
    #expect(harness.ask(client, "send bob@example.org hello").last?["ok"]?.bool == true)
    let texts = harness.ask(client, "history bob@example.org").compactMap { $0["message"]?["text"]?.string }
    #expect(texts == ["from work", "hello"])
    #expect(harness.ask(client, "conversations").compactMap { $0["conversation"]?["account"]?.string } == ["work"])
    #expect(harness.ask(client, "search from").compactMap { $0["message"]?["text"]?.string } == ["from work"])
    #expect(harness.ask(client, "status").compactMap { $0["account"]?["name"]?.string } == ["work"])
    for request in [
      "send account=home bob@example.org x", "history account=home bob@example.org", "watch account=home",
    ] {
      #expect(harness.ask(client, request).last?["error"]?.string == "not-allowed", "\(request)")
    }
    let id = try #require(harness.ask(harness.connect(3), "send account=home bob@example.org y").last?["id"]?.integer)
    for request in [
      "wait for=sent \(id)", "cancel \(id)", "fetch \(id)", "retract \(id)",
      "history around=\(id) bob@example.org",
    ] {
      #expect(harness.ask(client, request).last?["error"]?.string == "not-found", "\(request)")
    }
    _ = harness.ask(client, "watch")
    _ = harness.ask(harness.connect(4), "send account=home bob@example.org unseen")
    _ = harness.ask(harness.connect(5), "send account=work bob@example.org seen")
    #expect(harness.takeLines(client).compactMap { $0["message"]?["text"]?.string } == ["seen"])
  }

  @Test("of several each request names one")
  func several() throws {
    let (harness, client) = try harness(["home", "work"])
    #expect(harness.ask(client, "send bob@example.org x").last?["error"]?.string == "account-needed")
    #expect(harness.ask(client, "send account=home bob@example.org x").last?["ok"]?.bool == true)
    #expect(harness.ask(client, "ping").last?["ok"]?.bool == true)
  }

  /// The names that `cursors` lists.
  private func cursors(_ harness: Harness, _ client: ClientID, _ options: String = "") -> [String?] {
    harness.ask(client, "cursors" + options).compactMap { $0["cursor"]?["name"]?.string }
  }

  @Test("cursors of a confined socket are its account's: others are neither listed nor moved nor removed there")
  func cursors() throws {
    var (harness, client) = try harness(["home"])
    let settings = harness.configuration.sockets
    let main = harness.connect(60)
    _ = harness.ask(main, "watch as=job since=0")
    #expect(cursors(harness, client).isEmpty)
    for request in ["ack as=job 1", "forget as=job"] {
      #expect(harness.ask(client, request).last?["error"]?.string == "not-found", "\(request)")
    }
    let lines = harness.ask(client, "watch as=job since=0 kinds=message")
    #expect(lines.first?["ok"]?.bool == true, "the same name is another one here")
    let seen = lines.filter { $0["message"] != nil }
    #expect(seen.compactMap { $0["message"]?["text"]?.string } == ["from home"])
    let last = try #require(seen.last?["seq"]?.integer)
    #expect(harness.ask(client, "ack as=job \(last)").last?["ok"]?.bool == true)
    harness.handle(.client(main, .closed))
    for round in 0..<2 {
      let main = harness.connect(70)
      #expect(cursors(harness, main) == ["job"] && cursors(harness, client) == ["job"], "\(round)")
      let all = harness.ask(main, "watch as=job kinds=message")
      #expect(all.first?["seq"]?.integer == 0)
      #expect(all.compactMap { $0["message"]?["text"]?.string } == ["from home", "from work"])
      harness.handle(.stop(.terminate))
      harness.pass(.seconds(10))
      harness = try Harness(on: harness.storage, accounts: [Harness.alice, Harness.work], sockets: settings)
      harness.handle(.client(client, .connected(Caller(socket: "alerts", user: 1000))))
      _ = harness.takeLines(client)
    }
    #expect(harness.ask(client, "watch as=job").first?["seq"]?.integer == last)
    #expect(harness.ask(client, "forget as=job").last?["ok"]?.bool == true)
    #expect(cursors(harness, harness.connect(80)) == ["job"] && cursors(harness, client).isEmpty)
  }

  @Test("on a socket of several accounts each has cursors of its own")
  func cursorsOfSeveral() throws {
    let (harness, client) = try harness(["home", "work"])
    #expect(harness.ask(client, "cursors").last?["error"]?.string == "account-needed")
    #expect(harness.ask(client, "watch account=home as=job").first?["ok"]?.bool == true)
    #expect(cursors(harness, client, " account=home") == ["job"])
    #expect(cursors(harness, client, " account=work").isEmpty)
    #expect(harness.ask(client, "forget account=work as=job").last?["error"]?.string == "not-found")
  }

  @Test("a connection ends where its socket gets another account")
  func reloaded() throws {
    let (harness, client) = try harness(["work"])
    _ = harness.ask(client, "watch")
    harness.reload { $0.sockets[0].accounts = ["home"] }
    #expect(harness.closedClients.contains(client))
  }
}
