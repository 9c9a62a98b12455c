import Clocks
import ConfabAccounts
import JSON
import LineProtocol
import MessageLog
import ConfabConfiguration
import TestSupport
import Testing

@Suite("named cursors")
struct CursorTests {
  private func receive(_ numbers: ClosedRange<Int>, _ harness: Harness) {
    for number in numbers {
      harness.receive("<message from='bob@example.org/x' type='chat' id='m\(number)'><body>\(number)</body></message>")
      harness.pass(.milliseconds(20))
    }
  }

  /// Watches by a name over a new connection: where it started, and the texts and numbers of the messages told.
  private func watch(
    _ harness: Harness, _ number: UInt64, _ line: String = "watch as=script"
  ) -> (start: Int64?, error: String?, events: [(text: String, seq: Int64)]) {
    let client = harness.connect(number)
    harness.send(client, line + "\n")
    let lines = harness.takeLines(client)
    return (lines.first?["seq"]?.integer, lines.first?["error"]?.string, messages(lines))
  }

  private func messages(_ lines: [JSONValue]) -> [(text: String, seq: Int64)] {
    lines.compactMap { line in
      guard let text = line["message"]?["text"]?.string, let seq = line["seq"]?.integer else { return nil }
      return (text, seq)
    }
  }

  private func end(_ harness: Harness, _ number: UInt64) {
    harness.handle(.client(ClientID(number), .closed))
  }

  private func error(_ harness: Harness, _ line: String, from number: UInt64 = 99) -> String? {
    let answer = harness.ask(harness.connect(number), line).last
    end(harness, number)
    return answer?["error"]?.string
  }

  @Test("who dies before its ack is told again, who acknowledged is not; a known name knows better than since=")
  func again() throws {
    let harness = try Harness()
    receive(1...2, harness)
    #expect(watch(harness, 1).events.isEmpty, "a new name begins now")
    receive(3...5, harness)
    let first = messages(harness.takeLines(ClientID(1)))
    #expect(first.map(\.text) == ["3", "4", "5"])
    end(harness, 1)
    let second = watch(harness, 2, "watch as=script since=0")
    #expect(second.events.map(\.text) == ["3", "4", "5"])
    #expect(error(harness, "ack as=script \(first[1].seq)") == nil)
    #expect(error(harness, "ack as=script \(first[0].seq)") == nil, "backwards changes nothing")
    end(harness, 2)
    #expect(watch(harness, 3).events.map(\.text) == ["5"])
    #expect(watch(harness, 4, "watch as=other since=0").events.map(\.text) == ["1", "2", "3", "4", "5"])
    #expect(watch(harness, 5, "watch").start.map { $0 > first[2].seq } == true)
  }

  @Test("across a daemon that ends at any sync: what was answered ok holds, with the checkpoint and without")
  func restarts() throws {
    let storage = MemoryStorage()
    var harness = try Harness(on: storage)
    #expect(watch(harness, 1).events.isEmpty)
    receive(1...3, harness)
    let told = messages(harness.takeLines(ClientID(1)))
    harness = try Harness(on: storage)
    #expect(watch(harness, 1).events.map(\.text) == ["1", "2", "3"])
    #expect(error(harness, "ack as=script \(told[0].seq)") == nil)
    harness.syncsAtOnce = false
    harness.send(harness.connect(2), "ack as=script \(told[1].seq)\n")
    #expect(harness.takeLines(ClientID(2)).isEmpty, "no answer before the sync")
    harness = try Harness(on: storage)
    #expect(watch(harness, 1).events.map(\.text) == ["2", "3"])
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(10))
    #expect(!harness.checkpoints.isEmpty)
    harness = try Harness(on: storage)
    #expect(watch(harness, 1).events.map(\.text) == ["2", "3"])
  }

  @Test("an ack may come late, over another connection, and never for what was not delivered")
  func bounds() throws {
    let storage = MemoryStorage()
    var harness = try Harness(on: storage)
    receive(1...2, harness)
    #expect(error(harness, "ack as=script 1") == "not-found")
    _ = watch(harness, 1)
    receive(3...3, harness)
    let last = try #require(messages(harness.takeLines(ClientID(1))).last?.seq)
    end(harness, 1)
    receive(4...4, harness)
    #expect(error(harness, "ack as=script \(last + 1)") == "bad-argument")
    #expect(error(harness, "ack as=script \(last)") == nil)
    #expect(error(harness, "ack as=script x") == "bad-argument")
    #expect(error(harness, "ack 4") == "bad-argument")
    harness = try Harness(on: storage)
    let opened = try #require(harness.ask(harness.connect(50), "watch").first?["seq"]?.integer)
    #expect(error(harness, "ack as=script \(opened + 1)") == "bad-argument")
    #expect(error(harness, "ack as=script \(last)") == nil, "of the time before the daemon's start")
    #expect(watch(harness, 2).events.map(\.text) == ["4"])
  }

  @Test("one at a time: busy, until the first is gone or stops")
  func busy() throws {
    let harness = try Harness()
    _ = watch(harness, 1)
    #expect(watch(harness, 2).error == "busy")
    #expect(watch(harness, 3, "watch as=other").error == nil)
    #expect(harness.ask(ClientID(1), "unwatch").last?["ok"]?.bool == true)
    #expect(harness.ask(ClientID(2), "watch as=script").first?["ok"]?.bool == true)
    end(harness, 2)
    #expect(watch(harness, 4).error == nil)
    #expect(harness.ask(ClientID(4), "watch as=third").last?["error"]?.string == "already-watching")
  }

  @Test("cursors are listed and forgotten, and their number is bounded")
  func list() throws {
    let harness = try Harness()
    let client = harness.connect()
    for number in 1...Limits.cursors {
      let lines = harness.ask(client, "watch as=c\(number)")
      #expect(lines.first?["ok"]?.bool == true, "\(number)")
      harness.send(client, "unwatch\n")
      _ = harness.takeLines(client)
    }
    #expect(harness.ask(client, "watch as=more").last?["error"]?.string == "limit")
    #expect(harness.ask(client, "forget as=c7").last?["ok"]?.bool == true)
    #expect(harness.ask(client, "forget as=c7").last?["error"]?.string == "not-found")
    let lines = harness.ask(client, "cursors").dropLast()
    #expect(lines.count == Limits.cursors - 1)
    #expect(lines.first?["cursor"]?["name"]?.string == "c1" && lines.first?["cursor"]?["seq"]?.integer != nil)
    #expect(harness.ask(client, "watch as=more").first?["ok"]?.bool == true)
    #expect(harness.ask(client, "forget as=more").last?["ok"]?.bool == true)
    #expect(error(harness, "ack as=more 0") == "not-found")
    for name in ["", "a b", "ä", String(repeating: "x", count: 65)] {
      let request = #"{"verb":"watch","as":"\#(name)"}"#
      #expect(error(harness, request) == "bad-argument", "\(name)")
    }
  }

  @Test("a socket that may read watches without a name, and sees the list")
  func rights() throws {
    let harness = try Harness(sockets: [SocketSettings("in", .read)])
    let client = harness.connect(1, Caller(socket: "in", user: 33))
    let refused = harness.ask(client, "watch as=x tag=t").last
    #expect(refused?["error"]?.string == "not-allowed" && refused?["argument"]?.string == "as")
    #expect(refused?["tag"]?.string == "t")
    for line in ["ack as=x 1", "forget as=x"] {
      #expect(harness.ask(client, line).last?["error"]?.string == "not-allowed")
    }
    #expect(harness.ask(client, "cursors").last?["ok"]?.bool == true)
    #expect(harness.ask(client, "watch").first?["ok"]?.bool == true)
  }

  @Test("what was not stored was not done: no name, no ack, and the connection may watch again")
  func storage() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "watch as=script\nack as=script 0\n")
    #expect(harness.takeLines(client).isEmpty)
    harness.sync(failing: StorageError(.noSpace, "full"))
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["no-space", "no-space"])
    harness.syncsAtOnce = true
    harness.pass(.seconds(6))
    harness.sync()
    harness.pass(.seconds(6))
    #expect(error(harness, "ack as=script 0") == "not-found")
    #expect(harness.ask(client, "watch as=script").first?["ok"]?.bool == true)
  }

  @Test("what is asked in one go holds: a name is there for the ack behind it, and gone behind forget")
  func pipelined() throws {
    let harness = try Harness()
    receive(1...1, harness)
    let client = harness.connect()
    harness.send(
      client,
      """
      watch as=script since=0 tag=w
      ack as=script tag=a 0
      unwatch tag=u
      forget as=script tag=f
      ack as=script tag=b 0
      watch as=script tag=n

      """)
    let answers = harness.takeLines(client).filter { $0["ok"] != nil }
    #expect(answers.compactMap { $0["tag"]?.string } == ["w", "a", "u", "f", "b", "n"])
    #expect(answers.map { $0["error"]?.string ?? "ok" } == ["ok", "ok", "ok", "ok", "not-found", "ok"])
    #expect(answers[0]["seq"]?.integer == 0)
    #expect(answers[5]["seq"]?.integer.map { $0 > 1 } == true, "it is a new name again")
  }
}
