import Clocks
import JSON
import ConfabConfiguration
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine
@testable import SocketClients

@Suite("who comes in")
struct AdmissionTests {
  private func greet(_ harness: Harness, _ number: UInt64, _ caller: Caller) -> [JSONValue] {
    harness.handle(.client(ClientID(number), .connected(caller)))
    return harness.takeLines(ClientID(number))
  }

  private func isGreeted(_ lines: [JSONValue]) -> Bool { lines.count == 1 && lines[0]["confab"]?.integer == 1 }

  /// Told why, in one line, and closed.
  private func isRefused(_ harness: Harness, _ number: UInt64, _ lines: [JSONValue], _ error: String) -> Bool {
    lines.count == 1 && lines[0]["ok"]?.bool == false && lines[0]["error"]?.string == error
      && harness.closedClients.contains(ClientID(number))
  }

  @Test("the daemon's own user, root and those who are named come in; others are told and closed, and cannot ask")
  func peers() throws {
    let harness = try Harness(sockets: [SocketSettings("alerts", .send)]) {
      $0.daemon.access.group = SocketGroup(name: "staff", id: 50)
    }
    #expect(isGreeted(greet(harness, 1, Caller(user: 1000))))
    #expect(isGreeted(greet(harness, 2, Caller(user: 0))))
    #expect(isGreeted(greet(harness, 3, Caller(user: 7, groups: [7, 50]))))
    #expect(isRefused(harness, 4, greet(harness, 4, Caller(user: 33, groups: [33])), "not-allowed"))
    #expect(isGreeted(greet(harness, 5, Caller(socket: "alerts", user: 33))))
    #expect(isRefused(harness, 6, greet(harness, 6, Caller(socket: "alerts", user: 35)), "not-allowed"))
    #expect(isRefused(harness, 7, greet(harness, 7, Caller(socket: "nosuch", user: 1000)), "not-allowed"))
    #expect(harness.ask(ClientID(4), "ping").isEmpty)
    #expect(harness.journal.contains("user 35 may not use the socket alerts"))
  }

  @Test("so many connections of one user, and so many in all, and no more; room that is made is room")
  func limits() throws {
    let harness = try Harness {
      $0.daemon.access.users = [33, 34]
      $0.daemon.limits.connections = 8
      $0.daemon.limits.connectionsPerUser = 3
    }
    for number in 1...3 { #expect(isGreeted(greet(harness, UInt64(number), Caller(user: 33)))) }
    #expect(isRefused(harness, 4, greet(harness, 4, Caller(user: 33)), "limit"))
    for number in 5...7 { #expect(isGreeted(greet(harness, UInt64(number), Caller(user: 34)))) }
    #expect(isRefused(harness, 8, greet(harness, 8, Caller(user: 34)), "limit"))
    for number in 11...12 { #expect(isGreeted(greet(harness, UInt64(number), Caller(user: 1000)))) }
    #expect(isRefused(harness, 13, greet(harness, 13, Caller(user: 0)), "limit"))
    for number in UInt64(100)..<200 {
      #expect(isRefused(harness, number, greet(harness, number, Caller(user: 33)), "limit"))
    }
    #expect(harness.journal.count { $0.contains("rejected a connection") } == 10)
    #expect(harness.ask(ClientID(3), "ping").count == 1)
    harness.handle(.client(ClientID(3), .closed))
    #expect(isGreeted(greet(harness, 20, Caller(user: 33))))
    #expect(isRefused(harness, 21, greet(harness, 21, Caller(user: 1000)), "limit"))
  }

  @Test("two other users who take all they can leave places for the owner and root")
  func keptPlaces() throws {
    let harness = try Harness {
      $0.daemon.access.users = [33, 34]
      $0.daemon.limits.connections = 80
    }
    let greeted = (UInt64(1)...200).count { isGreeted(greet(harness, $0, Caller(user: $0 <= 100 ? 33 : 34))) }
    #expect(greeted == 70)
    #expect(isGreeted(greet(harness, 300, Caller(user: 1000))) && isGreeted(greet(harness, 301, Caller(user: 0))))
  }

  @Test("of those who are turned away, eight at a time are waited for, the others are closed at once")
  func turnedAway() throws {
    let harness = try Harness()
    for number in UInt64(1)...20 { _ = greet(harness, number, Caller(user: 33)) }
    #expect(harness.closedClients.count == 20 && harness.turnedAway == Set((1...8).map { ClientID($0) }))
    harness.handle(.client(ClientID(3), .closed))
    for number in UInt64(21)...22 { _ = greet(harness, number, Caller(user: 33)) }
    #expect(harness.turnedAway == Set((1...8).map { ClientID($0) } + [ClientID(21)]))
  }

  @Test("descriptors that are few leave room for fewer")
  func descriptors() throws {
    let harness = try Harness(host: Host(user: 1000, connections: 2))
    for number in 1...2 { #expect(isGreeted(greet(harness, UInt64(number), Caller(user: 1000)))) }
    #expect(isRefused(harness, 3, greet(harness, 3, Caller(user: 0)), "limit"))
  }

  @Test("requests taken up and not answered: at the limit its socket is not read, below it is again")
  func requests() throws {
    let harness = try Harness { $0.daemon.limits.requests = 3 }
    let client = harness.connect()
    let id = try #require(harness.ask(client, "send bob@example.org hello").last?["id"]?.integer)
    harness.send(client, "wait for=delivered timeout=1m \(id)\nwait for=delivered timeout=2m \(id)\n")
    #expect(!harness.paused.contains(client))
    harness.send(client, "wait for=delivered timeout=2m \(id)\n")
    #expect(harness.paused.contains(client))
    harness.send(client, "ping\n")
    #expect(harness.takeLines(client).isEmpty)
    harness.pass(.seconds(61))
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["timeout", nil])
    #expect(!harness.paused.contains(client))
  }

  @Test("bytes for one that does not read: as many as configured, about, and the rest when it reads")
  func output() throws {
    let harness = try Harness { $0.daemon.limits.output = 8192 }
    let client = harness.connect()
    for number in 0..<40 {
      _ = harness.ask(client, "send bob@example.org \(number) \(String(repeating: "t", count: 900))")
    }
    harness.stalled.insert(client)
    harness.send(client, String(repeating: "history bob@example.org\n", count: 3))
    #expect((8192..<10_240).contains(harness.pending(client)))
    #expect(harness.paused.contains(client))
    for _ in 0..<100 { harness.handle(.client(client, .drained)) }
    #expect(harness.takeLines(client).count == 3 * 41)
  }

  @Test("bytes for all that do not read: once there are too many, each has its share, and who reads is served")
  func totalOutput() throws {
    let harness = try Harness {
      $0.daemon.limits.connections = 128
      $0.daemon.limits.totalOutput = 1 << 20
    }
    let owner = harness.connect(1000)
    for number in 0..<400 {
      _ = harness.ask(owner, "send bob@example.org \(number) \(String(repeating: "t", count: 900))")
    }
    let deaf = (1...40).map { number in
      let client = harness.connect(UInt64(number))
      harness.stalled.insert(client)
      harness.send(client, "history limit=1000 bob@example.org\n")
      return client
    }
    // Some have theirs, the others a share of 8 KiB and the line that passes it.
    let waiting = deaf.reduce(0) { $0 + harness.pending($1) }
    #expect(waiting > 1 << 20 && waiting < (2 << 20) + (256 << 10))
    #expect(harness.ask(owner, "history limit=1000 bob@example.org").count == 401)
    for client in deaf { for _ in 0..<100 { harness.handle(.client(client, .drained)) } }
    for client in deaf { #expect(harness.takeText(client).utf8.count { $0 == 0x0A } == 401) }
    for client in deaf { harness.handle(.client(client, .closed)) }
    #expect(harness.ask(owner, "ping").count == 1)
  }

  @Test("a watcher that does not read keeps no more than that either, and misses nothing")
  func watchers() throws {
    let harness = try Harness { $0.daemon.limits.output = 8192 }
    let (owner, watcher) = (harness.connect(1), harness.connect(2))
    _ = harness.ask(watcher, "watch kinds=message")
    harness.stalled.insert(watcher)
    for number in 0..<200 {
      _ = harness.ask(owner, "send bob@example.org \(number) \(String(repeating: "t", count: 900))")
    }
    #expect((8192..<10_240).contains(harness.pending(watcher)))
    harness.handle(.client(watcher, .drained))
    #expect((16_384..<20_480).contains(harness.pending(watcher)))
    for _ in 0..<100 {
      harness.handle(.client(watcher, .drained))
      harness.pass(.milliseconds(5))
    }
    let texts = harness.takeLines(watcher).compactMap { $0["message"]?["text"]?.string?.split(separator: " ").first }
    #expect(texts == (0..<200).map { "\($0)" })
  }

  @Test("ephemeral news that wait for many who do not read are kept once, and each is told the newest")
  func news() throws {
    let harness = try Harness { $0.daemon.limits.output = 2048 }
    let owner = harness.connect(1)
    let deaf = (2..<22 as Range<UInt64>).map { harness.connect($0) }
    for client in deaf { _ = harness.ask(client, "watch") }
    harness.stalled.formUnion(deaf)
    for _ in 0..<4 { _ = harness.ask(owner, "send bob@example.org \(String(repeating: "t", count: 900))") }
    let clients = harness.engine.clients
    for number in 0..<26_000 {
      clients.publish([.presence(account: 1, contact: "\(number)@example.org")])
    }
    #expect(clients.watchers.feed.ephemeral.count <= EphemeralEvents.maximum)
    #expect(Set(deaf.compactMap { clients[$0]?.watch?.position.ephemeral }).count == 1)
    harness.stalled.subtract(deaf)
    for client in deaf {
      _ = harness.takeLines(client)
      var told: [String] = []
      while let batch = drained(client, harness) { told += batch }
      #expect(told.count > EphemeralEvents.maximum / 3 && Set(told).count == told.count)
      #expect(told.last == "25999@example.org")
    }
    clients.publish([.connection(account: 1)])
    #expect(clients.watchers.feed.ephemeral.count == 0)
  }

  /// The contacts of the presence events that a client gets when it has read all; nil: there is nothing more.
  private func drained(_ client: ClientID, _ harness: Harness) -> [String]? {
    harness.handle(.client(client, .drained))
    let lines = harness.takeLines(client)
    return lines.isEmpty ? nil : lines.filter { $0["event"]?.string == "presence" }.compactMap { $0["jid"]?.string }
  }
}

@Suite("sockets at a reload")
struct SocketReloadTests {
  private let script = Caller(socket: "alerts", user: 33)

  @Test("connections of a socket that is gone, or whose rights changed, end; what they asked is answered")
  func removed() throws {
    let harness = try Harness(sockets: [SocketSettings("alerts", .send), SocketSettings("eyes", .read)])
    let (owner, client) = (harness.connect(1), harness.connect(2, script))
    let (reader, watcher) = (
      harness.connect(3, Caller(socket: "eyes", user: 33)), harness.connect(4, Caller(socket: "eyes", user: 34))
    )
    _ = harness.ask(watcher, "watch")
    harness.syncsAtOnce = false
    harness.send(client, "send bob@example.org hello\nwait for=sent timeout=7d 1\n")
    harness.reload { $0.sockets[0].rights = .full }
    #expect(!harness.closedClients.contains(client))
    harness.send(client, "ping\n")
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
    #expect(harness.closedClients == [client])
    harness.reload { $0.sockets.removeLast() }
    #expect(harness.closedClients == [client, reader, watcher])
    #expect(harness.ask(owner, "ping").count == 1)
    #expect(harness.connect(5, script) == ClientID(5) && harness.ask(ClientID(5), "roster").last?["ok"]?.bool == true)
  }

  @Test("people, recipients, rate and limits change under those who are there")
  func changed() throws {
    let rate = SendRate(count: 1, interval: .hours(1))
    let harness = try Harness(sockets: [SocketSettings("alerts", .send, to: ["a@example.org"], rate: rate)])
    let (one, two) = (harness.connect(1, script), harness.connect(2, Caller(socket: "alerts", user: 34)))
    #expect(harness.ask(one, "send a@example.org x").last?["ok"]?.bool == true)
    harness.reload {
      $0.sockets[0].access.users = [33]
      $0.sockets[0].recipients = ["b@example.org"]
      $0.daemon.limits.connections = 1
    }
    #expect(harness.closedClients == [two])
    #expect(harness.ask(one, "send a@example.org x").last?["error"]?.string == "not-allowed")
    // The rate is the same, and so is what was sent.
    #expect(harness.ask(one, "send b@example.org x").last?["error"]?.string == "limit")
    harness.reload { $0.sockets[0].rate = nil }
    #expect(harness.ask(one, "send b@example.org x").last?["ok"]?.bool == true)
  }

  @Test("reload names what changed")
  func names() throws {
    let harness = try Harness(sockets: [SocketSettings("alerts", .send), SocketSettings("old", .read)])
    var configuration = harness.configuration
    configuration.sockets[0].recipients = ["a@example.org"]
    configuration.sockets[1] = SocketSettings("new", .read)
    configuration.daemon.access.users = [5]
    configuration.daemon.limits.requests = 7
    harness.nextConfiguration = .read(configuration)
    let answer = harness.ask(harness.connect(), "reload").last
    #expect(
      answer?["changed"]?.array?.compactMap(\.string) == [
        "allow-uid", "max-requests", "socket alerts", "socket new", "socket old",
      ])
    #expect(answer?["restart"]?.array?.isEmpty == true)
  }
}
