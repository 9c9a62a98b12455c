import Clocks
import ConfabAccounts
import JSON
import Testing

@Suite("connections of front ends")
struct ClientTests {
  @Test("a thousand requests in one write are answered in their order, each query with what was asked before it")
  func pipelining() throws {
    let harness = try Harness()
    let client = harness.connect()
    let requests = (0..<1000).map { number in
      switch number % 4 {
      case 0: "send tag=\(number) bob@example.org n\(number)"
      case 1: "history tag=\(number) limit=0 bob@example.org"
      case 2: "draft tag=\(number) bob@example.org d\(number)"
      default: "draft tag=\(number) bob@example.org"
      }
    }
    harness.send(client, requests.joined(separator: "\n") + "\n")
    harness.pass(.seconds(20))
    let lines = harness.takeLines(client)
    #expect(lines.map { $0["tag"]?.string } == (0..<1000).map(String.init))
    for number in stride(from: 0, to: 1000, by: 4) {
      #expect(lines[number + 1]["count"]?.integer == Int64(number / 4 + 1))
      #expect(lines[number + 3]["text"]?.string == "d\(number + 2)")
    }
  }

  @Test("requests byte by byte, and mixed forms, and text blocks")
  func pieces() throws {
    let harness = try Harness()
    let client = harness.connect()
    let input = "send until=END bob@example.org\r\none\ntwo\nEND\n\n{\"verb\":\"ping\"}\nping\n"
    for byte in input.utf8 { harness.handle(.client(client, .received([byte]))) }
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true, true, true])
    #expect(harness.ask(client, "history bob@example.org").first?["message"]?["text"]?.string == "one\ntwo")
  }

  @Test("bad lines are answered once each, and the connection goes on")
  func badLines() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.handle(.client(client, .received([0xFF, 0xFE, 0x0A])))
    harness.send(client, String(repeating: "x", count: 70_000) + "\n")
    harness.send(client, "ping  \n{\"verb\":\nping\n")
    let codes = harness.takeLines(client).map { $0["error"]?.string }
    #expect(codes == ["bad-encoding", "line-too-long", "bad-argument", "bad-argument", nil])
  }

  @Test("after its end of input everything asked is still done and answered, what was cut off is not, then it closes")
  func halfClose() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "send wait=sent bob@example.org hello\nhistory bob@example.org\nsend bob@example.org cut o")
    harness.handle(.client(client, .endOfInput))
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.milliseconds(50))
    #expect(!harness.closedClients.contains(client))
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.milliseconds(50))
    let lines = harness.takeLines(client)
    #expect(lines.map { $0["error"]?.string } == [nil, nil, "incomplete", nil])
    #expect(lines.last?["state"]?.string == "sent")
    #expect(harness.closedClients.contains(client))
    #expect(harness.ask(harness.connect(5), "history bob@example.org").count == 2)
  }

  @Test("a watch goes on behind the end of input")
  func watchGoesOn() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.send(client, "watch kinds=message\n")
    harness.handle(.client(client, .endOfInput))
    harness.receive("<message from='bob@example.org/x' id='1'><body>hi</body></message>")
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(client).contains { $0["event"]?.string == "message" })
    #expect(!harness.closedClients.contains(client))
  }

  @Test("a client that closes loses its answers, not what it sent")
  func closed() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "send wait=sent bob@example.org hello\nwatch\nadd c@d\n")
    harness.handle(.client(client, .closed))
    harness.syncsAtOnce = true
    harness.sync()
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.seconds(40))
    #expect(harness.takeLines(client).isEmpty)
    let message = harness.ask(harness.connect(2), "history bob@example.org").first?["message"]
    #expect(message?["state"]?.string == "sent")
  }

  @Test("a client that does not read is not read either; when it reads, it gets everything")
  func stalled() throws {
    let harness = try Harness()
    let client = harness.connect()
    let text = String(repeating: "t", count: 10_000)
    for number in 0..<100 { _ = harness.ask(client, "send bob@example.org \(number) \(text)") }
    harness.stalled.insert(client)
    var sent = 0
    while !harness.paused.contains(client), sent < 1000 {
      harness.send(client, "history tag=\(sent) limit=100 bob@example.org\n")
      sent += 1
    }
    #expect(sent < 10)
    #expect(harness.pending(client) < 600_000)
    for _ in 0..<100 { harness.handle(.client(client, .drained)) }
    #expect(!harness.paused.contains(client))
    let lines = harness.takeLines(client)
    #expect(lines.count == sent * 101)
    #expect(lines.compactMap { $0["ok"]?.bool }.count == sent)
  }

  @Test("to one who reads nothing any more long answers are not made; what it asked to be done is done")
  func deaf() throws {
    let harness = try Harness()
    let client = harness.connect()
    let text = String(repeating: "t", count: 10_000)
    for number in 0..<100 { _ = harness.ask(client, "send bob@example.org \(number) \(text)") }
    harness.stalled.insert(client)
    for _ in 0..<3 { harness.send(client, "history limit=100 bob@example.org\n") }
    harness.send(client, "send carol@example.org hello\n")
    harness.handle(.client(client, .writeFailed))
    harness.handle(.client(client, .drained))
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(client).count < 100, "what was made before, and the answer to `send`")
    #expect(harness.ask(harness.connect(2), "history carol@example.org").count == 2)
  }

  @Test("what waits is bounded too: a client with thousands of waits is not read until some are over")
  func manyWaits() throws {
    let harness = try Harness()
    let client = harness.connect()
    let id = try #require(harness.ask(client, "send bob@example.org hello").last?["id"]?.integer)
    for _ in 0..<15 { harness.send(client, String(repeating: "wait for=delivered timeout=1m \(id)\n", count: 100)) }
    #expect(harness.paused.contains(client))
    harness.pass(.minutes(3))
    let lines = harness.takeLines(client)
    #expect(lines.count == 1500)
    #expect(lines.allSatisfy { $0["error"]?.string == "timeout" })
    #expect(!harness.paused.contains(client))
  }
}
