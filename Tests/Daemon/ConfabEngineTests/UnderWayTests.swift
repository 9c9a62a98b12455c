import Clocks
import ConfabEngine
import JSON
import Testing

/// What was appended and is not durable yet is in no fact, and counts all the same. Found by the simulator.
@Suite("what is on its way to the disk")
struct UnderWayTests {
  @Test("what the server delivers again before the disk has it is stored once")
  func redelivery() throws {
    let harness = try Harness()
    harness.syncsAtOnce = false
    let text = "<message from='bob@example.org/phone' type='chat' id='m1'><body>once</body>"
    harness.receive(text + "</message>")
    harness.pass(.milliseconds(10))
    #expect(harness.hasBatch)
    harness.cut()
    harness.pass(.seconds(2))
    harness.receive(
      text + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2025-10-09T08:53:20Z'/></message>")
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(1))
    #expect(harness.ask(harness.connect(), "history bob@example.org").count { $0["message"] != nil } == 1)
  }

  @Test("a message that waits for its transmission record is not overtaken, and not forgotten")
  func overtaking() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    _ = harness.ask(client, "send bob@example.org one")
    harness.clearTrace()
    harness.syncsAtOnce = false
    harness.send(client, "connect\n")
    // One is appended before each sync, so before the one that lets the first message go.
    var count = 0
    while harness.hasBatch, !harness.toServer.contains("<body>one<") {
      count += 1
      harness.send(client, "send bob@example.org two \(count)\n")
      harness.sync()
    }
    harness.send(client, "send bob@example.org three\n")
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.milliseconds(50))
    let bodies = harness.toServer.components("<body>").dropFirst().map { $0.components("<").first }
    #expect(bodies == ["one"] + (1...max(count, 1)).map { "two \($0)" } + ["three"])
  }
}
