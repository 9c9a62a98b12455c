import Clocks
import ConfabAccounts
import JSON
import Testing

@Suite("watching and asking")
struct WatchTests {
  private func message(_ number: Int) -> String {
    "<message from='bob@example.org/x' type='chat' id='m\(number)'><body>number \(number)</body></message>"
  }

  private func texts(_ lines: [JSONValue]) -> [String] { lines.compactMap { $0["message"]?["text"]?.string } }

  @Test("all who want an event as it is are told at one stroke, the others by themselves, and each once")
  func together() throws {
    let harness = try Harness(recordsActions: true)
    let requests = [
      "watch", "watch kinds=message", "watch tag=t", "watch kinds=draft", "watch in=bob@example.org", "ping",
    ]
    let clients = (1...6).map { harness.connect($0) }
    for (client, request) in zip(clients, requests) { _ = harness.ask(client, request) }
    for round in 1...3 {
      // One that has not read what it was told before is told by itself.
      if round == 2 { harness.stalled.insert(clients[1]) }
      if round == 3 {
        harness.stalled = []
        harness.handle(.client(clients[1], .drained))
      }
      let before = harness.actions.count
      harness.receive(message(round))
      harness.pass(.seconds(1))
      #expect(clients.map { texts(harness.takeLines($0)).count } == [1, 1, 1, 0, 1, 0])
      let told = harness.actions[before...].filter { $0.hasPrefix("clients [1, 2, 5]: ") }
      #expect(told.count == 1 && told.first?.contains("number \(round)") == true)
    }
    harness.stalled.insert(clients[1])
    for number in 4...5 {
      harness.receive(message(number))
      harness.pass(.seconds(1))
    }
    #expect(harness.actions.contains { $0.hasPrefix("clients [1, 5]: ") && $0.contains("number 5") })
    #expect(clients.map { texts(harness.takeLines($0)) }.map(\.count) == [2, 2, 2, 0, 2, 0])
  }

  @Test("to one who reads nothing any more no events are made, and its name is free")
  func deaf() throws {
    let harness = try Harness()
    harness.receive((1...2_000).map(message).joined())
    harness.pass(.seconds(1))
    let client = harness.connect()
    harness.stalled.insert(client)
    harness.send(client, "watch since=0 as=bot\n")
    harness.pass(.seconds(1))
    let made = texts(harness.takeLines(client)).count
    #expect((1..<2_000).contains(made))
    harness.handle(.client(client, .writeFailed))
    for _ in 0..<100 { harness.handle(.client(client, .drained)) }
    harness.receive(message(2_001))
    harness.pass(.seconds(1))
    #expect(harness.takeLines(client).isEmpty)
    #expect(harness.ask(harness.connect(2), "watch as=bot").first?["ok"]?.bool == true)
  }

  @Test("a watch tells what came since, then caught-up, then what comes")
  func since() throws {
    let harness = try Harness()
    harness.receive((1...5).map(message).joined())
    harness.pass(.seconds(1))
    let client = harness.connect()
    harness.send(client, "watch since=0 tag=w kinds=message\n")
    var lines = harness.takeLines(client)
    #expect(lines.first?["ok"]?.bool == true)
    #expect(lines.last?["event"]?.string == "caught-up")
    #expect(texts(lines) == (1...5).map { "number \($0)" })
    #expect(lines.allSatisfy { $0["tag"]?.string == "w" })
    harness.receive(message(6))
    harness.pass(.seconds(1))
    lines = harness.takeLines(client)
    #expect(texts(lines) == ["number 6"])
    #expect(harness.ask(client, "watch").last?["error"]?.string == "already-watching")
    #expect(harness.ask(client, "unwatch").last?["ok"]?.bool == true)
    harness.receive(message(7))
    harness.pass(.seconds(1))
    #expect(harness.takeLines(client).isEmpty)
  }

  @Test("numbers grow, and a watch that goes on behind any of them misses nothing and tells nothing twice")
  func resume() throws {
    let harness = try Harness()
    let live = harness.connect(1)
    harness.send(live, "watch\n")
    for number in 1...20 {
      harness.receive(message(number))
      harness.pass(.milliseconds(20))
    }
    let all = harness.takeLines(live).filter { $0["event"]?.string == "message" }
    let numbers = all.compactMap { $0["seq"]?.integer }
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).count == 20)
    for (index, number) in numbers.enumerated() {
      let client = harness.connect(UInt64(100 + index))
      harness.send(client, "watch since=\(number) kinds=message\n")
      #expect(texts(harness.takeLines(client)) == texts(Array(all[(index + 1)...])))
    }
  }

  @Test("what the server has of mine is told again as it was told, out of the log, near its message and far from it")
  func acknowledged() throws {
    let harness = try Harness()
    let live = harness.connect(1)
    harness.send(live, "watch kinds=state\n")
    let id = try #require(harness.ask(harness.connect(2), "send bob@example.org near").last?["id"]?.integer)
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.seconds(1))
    _ = harness.ask(harness.connect(3), "send carol@example.org far")
    // More than is read of the log at once.
    let long = String(repeating: "long ", count: 200)
    for number in 1...200 {
      harness.receive("<message from='bob@example.org/x' type='chat' id='l\(number)'><body>\(long)</body></message>")
    }
    harness.pass(.seconds(1))
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.seconds(1))
    let told = harness.takeLines(live).filter { $0["event"]?.string == "state" }
    #expect(told.map { $0["conversation"]?.string } == ["bob@example.org", "carol@example.org"])
    #expect(told.first?["id"]?.integer == id)
    #expect(told.allSatisfy { $0["state"]?.string == "sent" })
    let later = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    for harness in [harness, later] {
      let again = harness.ask(harness.connect(9), "watch since=0 kinds=state").filter { $0["event"]?.string == "state" }
      #expect(again == told)
    }
  }

  @Test("another log, or a number this log has not reached")
  func otherLog() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "watch since=999999").last?["error"]?.string == "other-log")
    let other = "watch log=00000000-0000-4000-8000-000000000000"
    #expect(harness.ask(client, other).last?["error"]?.string == "other-log")
  }

  @Test("reading, unread and drafts are shared")
  func shared() throws {
    let harness = try Harness()
    harness.receive((1...3).map(message).joined())
    harness.pass(.seconds(1))
    let (one, two) = (harness.connect(1), harness.connect(2))
    harness.send(two, "watch kinds=read,draft\n")
    #expect(harness.ask(one, "unread").last?["unread"]?.integer == 3)
    let first = try #require(harness.ask(one, "history bob@example.org").first?["message"]?["id"]?.integer)
    #expect(harness.ask(one, "read bob@example.org \(first)").last?["unread"]?.integer == 2)
    #expect(harness.ask(one, "read bob@example.org").last?["unread"]?.integer == 0)
    #expect(harness.ask(one, "read bob@example.org \(first)").last?["unread"]?.integer == 0)
    #expect(harness.ask(one, "draft bob@example.org half a  thought").last?["ok"]?.bool == true)
    #expect(harness.ask(one, "draft bob@example.org").last?["text"]?.string == "half a  thought")
    #expect(harness.ask(one, "draft bob@example.org ").last?["ok"]?.bool == true)
    #expect(harness.ask(one, "draft bob@example.org").last?["text"]?.string == "")
    let events = harness.takeLines(two).compactMap { $0["event"]?.string }
    #expect(events == ["caught-up", "read", "read", "draft", "draft"])
  }

  @Test("the state are the same after a restart, with the checkpoint and without")
  func restart() throws {
    let harness = try Harness()
    harness.receive((1...50).map(message).joined())
    let client = harness.connect()
    for number in 1...5 { _ = harness.ask(client, "send key=k\(number) bob@example.org mine \(number)") }
    _ = harness.ask(client, "read bob@example.org")
    _ = harness.ask(client, "draft bob@example.org unfinished")
    let questions = [
      "history limit=100 bob@example.org", "sections bob@example.org", "conversations", "unread", "roster",
    ]
    let before = questions.map { harness.ask(client, $0) }
    let crashed = try Harness(on: harness.storage)
    let stopped = try Harness(on: harness.storage)
    _ = crashed.ask(crashed.connect(), "disconnect")
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(3))
    #expect(harness.checkpoints.count == 1)
    let restored = try Harness(on: harness.storage)
    for later in [crashed, stopped, restored] {
      let other = later.connect(9)
      for (question, answer) in zip(questions, before) {
        #expect(later.ask(other, question).dropLast().map(stable) == answer.dropLast().map(stable))
      }
    }
  }

  /// Without what a new session changes in the messages that are under way.
  private func stable(_ line: JSONValue) -> [String?] {
    let object = line["message"] ?? line["section"] ?? line["conversation"] ?? line
    return ["id", "text", "time", "opens_section", "section", "count", "first", "last", "draft", "unread", "read"].map {
      object[$0].flatMap { value in value.string ?? value.integer.map(String.init) }
    }
  }
}
