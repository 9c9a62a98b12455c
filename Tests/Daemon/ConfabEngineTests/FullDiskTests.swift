import Clocks
import JSON
import MessageLog
import TestSupport
import Testing

@Suite("a full disk")
struct FullDiskTests {
  private static let full = StorageError(.noSpace, "fallocate: No space left on device", errno: 28)

  /// What a server said and a front end asks for is on its way when the disk is full.
  private func filled(_ server: ScriptedStream) throws -> (Harness, Switch) {
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    harness.syncsAtOnce = false
    let isFull = Switch()
    harness.reserveTrouble = { isFull.isOn ? Self.full : nil }
    harness.say("<message from='bob@example.org/x' id='1' type='chat'><body>hello</body></message>")
    harness.receive("<r xmlns='urn:xmpp:sm:3'/>")
    harness.pass(.milliseconds(20))
    return (harness, isFull)
  }

  private final class Switch {
    var isOn = true
  }

  /// Lets the seconds go by; what is to be recorded finds its place.
  private func pass(_ seconds: Int64, _ harness: Harness) {
    for _ in 0..<seconds {
      harness.pass(.seconds(1))
      harness.sync(inReserve: true)
    }
  }

  private func resumable() -> ScriptedStream {
    var server = ScriptedStream()
    server.resumption = "max='600'"
    return server
  }

  private func status(_ harness: Harness) -> JSONValue? { harness.ask(harness.connect(8), "status").first?["account"] }

  private func texts(_ harness: Harness) -> [String] {
    harness.ask(harness.connect(9), "history bob@example.org").compactMap { $0["message"]?["text"]?.string }
  }

  @Test("status says that the disk is full, why, and since when; watchers get an event then and at the end")
  func said() throws {
    let (harness, isFull) = try filled(resumable())
    let (client, watcher) = (harness.connect(), harness.connect(2))
    func storage() -> JSONValue? { harness.ask(client, "status").last?["storage"] }
    #expect(harness.ask(watcher, "watch account=home kinds=storage").contains { $0["ok"]?.bool == true })
    #expect(storage() == nil)
    harness.sync(failing: Self.full, once: true)
    let since = harness.now.wall.rfc3339
    harness.sync(inReserve: true)
    pass(10, harness)
    #expect(storage()?["state"]?.string == "full" && storage()?["since"]?.string == since)
    #expect(storage()?["reason"]?.string == "nothing can be stored: the disk is full")
    let events = harness.takeLines(watcher)
    #expect(events.map { $0["state"]?.string } == ["full"] && events.first?["since"]?.string == since)
    isFull.isOn = false
    pass(6, harness)
    #expect(storage() == nil)
    #expect(harness.takeLines(watcher).map { $0["state"]?.string } == ["ok"])
  }

  @Test("status says that the disk fails, and since when, for as long as it does")
  func failing() throws {
    let harness = try Harness()
    let (client, watcher) = (harness.connect(), harness.connect(2))
    #expect(harness.ask(watcher, "watch kinds=storage").contains { $0["ok"]?.bool == true })
    harness.syncsAtOnce = false
    harness.send(client, "draft b@c x\n")
    let since = harness.now.wall.rfc3339
    for _ in 0..<20 {
      harness.sync(failing: StorageError(.failed, "fdatasync: Input/output error", errno: 5))
      harness.pass(.seconds(5))
    }
    let storage = harness.ask(harness.connect(3), "status").last?["storage"]
    #expect(storage?["state"]?.string == "failing" && storage?["since"]?.string == since)
    #expect(storage?["reason"]?.string == "nothing can be stored: fdatasync: Input/output error")
    #expect(harness.takeLines(watcher).map { $0["state"]?.string } == ["failing"])
  }

  @Test("refuses nobody in the middle: what waits is stored in the room kept for that, and the link stays")
  func reserve() throws {
    let (harness, isFull) = try filled(resumable())
    let client = harness.connect()
    harness.send(client, "send bob@example.org mine\n")
    harness.sync(failing: Self.full, once: true)
    #expect(harness.takeLines(client).isEmpty)
    harness.sync(inReserve: true)
    #expect(harness.takeLines(client).first?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<body>mine</body>"))
    #expect(Int(harness.server.acknowledged) == harness.server.said.count)
    #expect(harness.pausedLinks.count == 1, "nothing more is read")
    #expect(harness.serviceStatus.last?.contains("nothing can be stored: the disk is full") == true)
    for _ in 1...5 {
      #expect(harness.ask(client, "send bob@example.org more").last?["error"]?.string == "no-space")
      pass(5, harness)
    }
    #expect(harness.link != nil && harness.connects == 1)
    isFull.isOn = false
    pass(5, harness)
    harness.syncsAtOnce = true
    harness.sync()
    #expect(harness.pausedLinks.isEmpty && harness.connects == 1)
    #expect(harness.ask(client, "send bob@example.org more").last?["ok"]?.bool == true)
    #expect(texts(harness) == ["hello", "mine", "more"])
  }

  @Test("drops the link after half a minute; the stream goes on when there is room, and nothing is missing")
  func resumed() throws {
    let (harness, isFull) = try filled(resumable())
    harness.sync(failing: Self.full, once: true)
    harness.sync(inReserve: true)
    pass(29, harness)
    #expect(harness.link != nil)
    pass(6, harness)
    #expect(harness.link == nil)
    pass(120, harness)
    #expect(harness.connects == 1, "nobody connects while nothing can be stored")
    isFull.isOn = false
    harness.syncsAtOnce = true
    pass(20, harness)
    #expect(harness.connects == 2 && harness.toServer.contains("<resume "))
    #expect(status(harness)?["state"]?.string == "online" && status(harness)?["gap"] == nil)
    #expect(texts(harness) == ["hello"])
  }

  @Test(
    "after which the stream is not resumed and there is no archive is named by `status`, after a restart too",
    arguments: [true, false])
  func gap(hasReserve: Bool) throws {
    let (harness, isFull) = try filled(ScriptedStream())
    let began = harness.now.wall
    harness.sync(failing: Self.full, once: hasReserve)
    for _ in 0..<40 {
      harness.pass(.seconds(1))
      if hasReserve { harness.sync(inReserve: true) } else { harness.sync(failing: Self.full) }
    }
    #expect(harness.link == nil && status(harness)?["gap"] == nil)
    isFull.isOn = false
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(30))
    let gap = status(harness)?["gap"]
    #expect(gap?["since"]?.string == began.rfc3339)
    #expect(try #require(gap?["until"]?.string) > began.rfc3339)
    #expect(status(try Harness(on: harness.storage))?["gap"] == gap)
  }

  @Test("is over when the reserve is full, too: then nobody is told `ok`, and nothing is kept in memory for ever")
  func exhausted() throws {
    let (harness, isFull) = try filled(resumable())
    harness.sync(failing: Self.full, once: true)
    harness.sync(inReserve: true)
    let client = harness.connect()
    // What has to be recorded when the link goes no longer fits.
    harness.cut()
    harness.pass(.seconds(1))
    harness.sync(failing: Self.full)
    #expect(harness.ask(client, "send bob@example.org more").last?["error"]?.string == "no-space")
    isFull.isOn = false
    harness.syncsAtOnce = true
    harness.server.acknowledges = true
    harness.pass(.seconds(5))
    harness.sync()
    harness.pass(.seconds(60))
    #expect(harness.ask(client, "send bob@example.org more").last?["ok"]?.bool == true)
    #expect(status(harness)?["state"]?.string == "online")
    #expect(texts(harness) == ["hello", "more"])
  }
}
