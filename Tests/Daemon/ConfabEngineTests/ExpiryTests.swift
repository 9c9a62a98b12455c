import Clocks
import JSON
import MessageLog
import ConfabConfiguration
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// `expires=` and `outbox-max-age`: what is too late is not sent.
@Suite("messages that expire")
struct ExpiryTests {
  private func texts(_ harness: Harness) -> [String] {
    harness.toServer.components("<body>").dropFirst().compactMap { $0.components("<").first }
  }

  private func states(_ harness: Harness) -> [String?] {
    harness.ask(harness.connect(77), "history bob@example.org").compactMap { $0["message"]?["state"]?.string }
  }

  /// A daemon whose account was disconnected by command, on the same log.
  private func offline(_ configure: (inout AccountSettings) -> Void = { _ in }) throws -> (Harness, ClientID) {
    var account = Harness.alice
    configure(&account)
    let harness = try Harness(accounts: [account], server: ReceiptTests.server())
    harness.pass(.seconds(1))
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    harness.clearTrace()
    return (harness, client)
  }

  @Test("offline it fails when its time is over, not before, for good, and whoever waits is told")
  func offline() throws {
    let (harness, client) = try offline()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=state")
    harness.send(client, "send expires=10m wait=sent timeout=1h bob@example.org late\n")
    _ = harness.ask(client, "send expires=1h bob@example.org in time")
    harness.pass(.minutes(9))
    #expect(harness.takeLines(client).isEmpty)
    #expect(states(harness) == ["queued", "queued"])
    harness.pass(.minutes(1))
    let answer = try #require(harness.takeLines(client).first)
    #expect(answer["error"]?.string == "failed")
    #expect(answer["failure"]?["condition"]?.string == "expired")
    #expect(harness.takeLines(watcher).compactMap { $0["state"]?.string } == ["failed"])
    // At one moment, not looked for.
    #expect(harness.engine.nextDeadline != nil)
    _ = harness.ask(client, "connect")
    harness.pass(.seconds(10))
    #expect(texts(harness) == ["in time"])
    let next = try Harness(on: harness.storage, now: harness.now, seed: 2)
    next.pass(.minutes(1))
    #expect(states(next) == ["failed", "sent"])
    #expect(texts(next) == [])
  }

  @Test("what expires while no daemon runs is not sent by the next one")
  func restart() throws {
    let (harness, client) = try offline()
    _ = harness.ask(client, "send expires=10m bob@example.org late")
    _ = harness.ask(client, "send expires=7d bob@example.org in time")
    var now = harness.now
    now.wall = now.wall.advanced(by: .minutes(10))
    let next = try Harness(on: harness.storage, server: ReceiptTests.server(), now: now, seed: 2)
    _ = next.ask(next.connect(), "connect")
    next.pass(.seconds(10))
    #expect(texts(next) == ["in time"])
    #expect(states(next) == ["failed", "sent"])
  }

  @Test("neither on the way to the disk at the moment of its end, nor behind messages that the server does not take")
  func waiting() throws {
    var server = ReceiptTests.server()
    server.acknowledges = false
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    let client = harness.connect()
    for number in 0..<OutboxSender.window { _ = harness.ask(client, "send bob@example.org \(number)") }
    _ = harness.ask(client, "send expires=5s bob@example.org late")
    harness.pass(.seconds(6))
    #expect(states(harness).last == "failed")
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.seconds(1))
    #expect(!texts(harness).contains("late"))
  }

  @Test("what is on its way may arrive; where it would have to go again, it is too late for it")
  func underWay() throws {
    var server = ReceiptTests.server(resumption: "max='600'")
    server.acknowledges = false
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    let client = harness.connect()
    _ = harness.ask(client, "send expires=5s bob@example.org arrives")
    _ = harness.ask(client, "send expires=5s bob@example.org is lost")
    harness.pass(.seconds(6))
    #expect(states(harness) == ["queued", "queued"])
    harness.server.lost = 1
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(20))
    #expect(texts(harness) == [])
    #expect(states(harness) == ["sent", "failed"])
  }

  @Test("what takes the place of one that does not go again leaves when the log says what became of that one")
  func vacated() throws {
    var server = ReceiptTests.server(resumption: "max='600'")
    server.acknowledges = false
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    _ = harness.ask(harness.connect(), "send expires=5s bob@example.org is lost")
    harness.server.lost = 1
    harness.cut()
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2, holdsLinks: true)
    (next.syncsAtOnce, next.holdsLinks) = (false, false)
    next.now.wall = next.now.wall.advanced(by: .seconds(10))
    next.cut()
    next.pass(.seconds(10))
    let stanzas = ["<iq", "<presence", "<message"]
    #expect(next.toServer.contains("<resume") && stanzas.allSatisfy { !next.toServer.contains($0) })
    while next.hasBatch { next.sync() }
    #expect(next.toServer.contains("<iq"))
    next.syncsAtOnce = true
    next.pass(.seconds(2))
    #expect(states(next) == ["failed"])
  }

  @Test("a clock that was set changes when, and a disk that fails changes nothing")
  func clock() throws {
    let (harness, client) = try offline()
    _ = harness.ask(client, "send expires=10m bob@example.org x")
    harness.now.wall = harness.now.wall.advanced(by: .minutes(-5))
    harness.handle(.clockSet)
    harness.pass(.minutes(11))
    #expect(states(harness) == ["queued"])
    harness.now.wall = harness.now.wall.advanced(by: .hours(1))
    // Nobody says that it was set: the deadline finds out.
    harness.syncsAtOnce = false
    harness.pass(.minutes(5))
    harness.sync(failing: StorageError(.noSpace, "full"))
    harness.syncsAtOnce = true
    harness.pass(.minutes(1))
    #expect(states(harness) == ["failed"])
  }

  @Test("outbox-max-age is the same for all, and the shorter time counts")
  func maximumAge() throws {
    let (harness, client) = try offline { $0.outboxMaxAge = .hours(1) }
    _ = harness.ask(client, "send bob@example.org one")
    _ = harness.ask(client, "send expires=10m bob@example.org two")
    _ = harness.ask(client, "send expires=2h bob@example.org three")
    harness.pass(.minutes(59))
    #expect(states(harness) == ["queued", "failed", "queued"])
    harness.pass(.minutes(2))
    #expect(states(harness) == ["failed", "failed", "failed"])
  }

  @Test("what makes no sense is refused, and the longest time is no time")
  func arguments() throws {
    let (harness, client) = try offline()
    for options in ["expires=0s", "expires=5s hold=5s", "expires=1s hold=1h"] {
      let answer = try #require(harness.ask(client, "send \(options) bob@example.org x").last)
      #expect(answer["error"]?.string == "bad-argument")
      #expect(answer["argument"]?.string == "expires")
    }
    for options in ["expires=-1s", "expires=7", "hold=x", "hold=", "expires="] {
      #expect(harness.ask(client, "send \(options) bob@example.org x").last?["error"]?.string == "bad-argument")
    }
    #expect(harness.ask(client, "send expires=106751991167d bob@example.org x").last?["ok"]?.bool == true)
    #expect(harness.ask(client, "send hold=106751991167d bob@example.org x").last?["ok"]?.bool == true)
    #expect(harness.ask(client, "send hold=0s bob@example.org x").last?["ok"]?.bool == true)
    harness.pass(.hours(1))
    #expect(states(harness) == ["queued", "queued", "queued"])
  }
}
