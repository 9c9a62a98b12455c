import Clocks
import JSON
import MessageLog
import TestSupport
import Testing

@Suite("trouble with the disk")
struct DiskTroubleTests {
  private static let full = StorageError(.noSpace, "write: No space left on device", errno: 28)

  /// Somebody's message is on its way to the disk, and the server asks for it.
  private func receiving() throws -> Harness {
    var server = ScriptedStream()
    server.resumption = "max='600'"
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    harness.syncsAtOnce = false
    harness.say("<message from='bob@example.org/x' id='1' type='chat'><body>hello</body></message>")
    harness.receive("<r xmlns='urn:xmpp:sm:3'/>")
    harness.pass(.milliseconds(20))
    harness.clearTrace()
    return harness
  }

  private func isAcknowledged(_ harness: Harness) -> Bool {
    Int(harness.server.acknowledged) == harness.server.said.count
  }

  private func texts(_ harness: Harness) -> [String] {
    harness.ask(harness.connect(9), "history bob@example.org").compactMap { $0["message"]?["text"]?.string }
  }

  @Test("that is over at once costs nobody anything: what failed stands in a new segment")
  func once() throws {
    let harness = try receiving()
    let client = harness.connect()
    harness.sync(failing: Self.full, once: true)
    harness.send(client, "send bob@example.org mine\n")
    #expect(harness.takeLines(client).isEmpty && !isAcknowledged(harness))
    harness.syncsAtOnce = true
    harness.sync()
    #expect(harness.takeLines(client).first?["ok"]?.bool == true)
    #expect(isAcknowledged(harness) && harness.toServer.contains("<body>mine</body>"))
    #expect(harness.connects == 1 && harness.pausedLinks.isEmpty)
    #expect(harness.storage.snapshot.segments.count == 2)
    #expect(texts(try Harness(on: harness.storage)) == ["hello", "mine"])
  }

  @Test("leaves the connection for half a minute, unread, while requests are refused; then all goes on")
  func held() throws {
    let harness = try receiving()
    let client = harness.connect()
    harness.sync(failing: Self.full)
    #expect(harness.pausedLinks == Set([harness.link].compactMap(\.self)))
    for _ in 0..<5 {
      #expect(harness.ask(client, "send bob@example.org mine").last?["error"]?.string == "no-space")
      harness.pass(.seconds(5))
      harness.sync(failing: Self.full)
    }
    #expect(harness.link != nil && harness.connects == 1 && !isAcknowledged(harness))
    harness.pass(.milliseconds(4_700))
    harness.syncsAtOnce = true
    harness.pass(.seconds(5))
    #expect(harness.pausedLinks.isEmpty && harness.connects == 1)
    #expect(isAcknowledged(harness))
    #expect(texts(harness) == ["hello"])
    #expect(harness.ask(client, "send bob@example.org mine").last?["ok"]?.bool == true)
  }

  @Test("a stream that is cut meanwhile goes on when all that was held is stored, in however many segments")
  func cut() throws {
    var server = ScriptedStream()
    server.resumption = "max='600'"
    let harness = try Harness(segmentSize: 400, server: server)
    harness.pass(.seconds(1))
    harness.syncsAtOnce = false
    let said = ["a", "b", "c", "d"].map { String(repeating: $0, count: 200) }
    for text in said {
      harness.say("<message from='bob@example.org/x' id='\(text)' type='chat'><body>\(text)</body></message>")
    }
    harness.pass(.milliseconds(20))
    harness.sync(failing: Self.full)
    harness.cut()
    harness.pass(.seconds(6))
    harness.sync()
    #expect(harness.hasBatch && harness.connects == 1, "the rest is in other segments")
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(5))
    #expect(harness.connects == 2 && harness.toServer.contains("<resume "))
    harness.receive("<r xmlns='urn:xmpp:sm:3'/>")
    harness.pass(.seconds(1))
    #expect(isAcknowledged(harness))
    #expect(texts(harness) == said)
  }

  @Test("drops the connection after half a minute; when the disk is there the stream goes on, and nothing is lost")
  func dropped() throws {
    let harness = try receiving()
    harness.sync(failing: Self.full)
    for _ in 0..<6 {
      #expect(harness.link != nil)
      harness.pass(.seconds(5))
      harness.sync(failing: Self.full)
    }
    #expect(harness.link == nil && !isAcknowledged(harness))
    #expect(harness.serviceStatus.last?.contains("nothing can be stored") == true)
    harness.pass(.minutes(2))
    #expect(harness.connects == 1, "nobody connects while nothing can be stored")
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(10))
    #expect(harness.connects == 2 && harness.toServer.contains("<resume "))
    #expect(texts(harness) == ["hello"])
    #expect(harness.serviceStatus.last == "home is online")
  }
}
