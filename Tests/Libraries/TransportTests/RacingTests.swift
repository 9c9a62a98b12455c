import Clocks
@testable import Transport
import Bytes
import Reactor
import Syscalls
import TestSupport
import Testing

@Suite("Addresses of a host, raced (RFC 8305)")
struct RacingTests {
  private let loop: EventLoop
  private let dns: ScriptedNameServer
  private let server: ServerPeer
  private static let name = "im.example.org"
  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

  init() throws {
    let loop = try EventLoop()
    let dns = try ScriptedNameServer()
    self.loop = loop
    self.dns = dns
    server = try ServerPeer(loop: loop)
    _ = try loop.watch(dns.fd.raw, for: .read) { _ in try? dns.serve() }
  }

  private var port: UInt16 { server.address.port }

  /// A client on its way to the name; a single address has more time than a test.
  private func connecting(timeout: Int64 = 60_000) throws -> Client {
    let client = try Client(loop: loop, servers: [dns.address])
    client.link?.connect(host: Self.name, port: port, timeout: .milliseconds(timeout))
    return client
  }

  private func place(_ bytes: [UInt8]) throws -> InternetAddress {
    try #require(InternetAddress(bytes: bytes, port: port))
  }

  @Test("An address that does not answer does not hold the next one up, and is left when that one does")
  func blackHole() throws {
    let hole = try BlackHole(at: place([127, 0, 0, 9]))
    dns.records[Self.name] = [.a([127, 0, 0, 9]), .a([127, 0, 0, 1])]
    let client = try connecting()
    let before = loop.watchCount
    try loop.run("connected", until: { client.isOpen })
    #expect(client.events == [.opened(remote: server.address.description)])
    client.drop()
    try loop.run("name service at rest", until: { loop.watchCount < before })
    withExtendedLifetime(hole) {}
  }

  @Test("An IPv6 address that does not answer does not hold IPv4 up")
  func blackHole6() throws {
    let hole = try BlackHole(at: place(Self.loopback6))
    dns.records[Self.name] = [.aaaa(Self.loopback6), .a([127, 0, 0, 1])]
    let client = try connecting()
    try loop.run("connected", until: { client.isOpen })
    #expect(client.events == [.opened(remote: server.address.description)])
    withExtendedLifetime(hole) {}
  }

  @Test("Where both families answer, IPv6 wins")
  func bothAnswer() throws {
    let server6 = try ServerPeer(loop: loop, at: place(Self.loopback6))
    dns.records[Self.name] = [.a([127, 0, 0, 1]), .aaaa(Self.loopback6)]
    let client = try connecting()
    try loop.run("connected", until: { client.isOpen })
    #expect(client.events == [.opened(remote: server6.address.description)])
    #expect(!server.isConnected)
  }

  @Test("An IPv6 answer that comes too late for the start still joins the race")
  func lateAnswer() throws {
    let hole = try BlackHole(at: place([127, 0, 0, 9]))
    let server6 = try ServerPeer(loop: loop, at: place(Self.loopback6))
    dns.records[Self.name] = [.a([127, 0, 0, 9]), .aaaa(Self.loopback6)]
    dns.held = ["AAAA \(Self.name)"]
    let client = try connecting()
    try loop.run("asked", until: { dns.questions.count == 2 })
    let watched = loop.watchCount
    try loop.run("IPv4 tried", until: { loop.watchCount > watched })
    #expect(!client.isOpen)
    try dns.release()
    try loop.run("connected", until: { client.isOpen })
    #expect(client.events == [.opened(remote: server6.address.description)])
    withExtendedLifetime(hole) {}
  }

  @Test("IPv4 waits for nobody once IPv6 has failed")
  func lateIPv4() throws {
    dns.records[Self.name] = [.a([127, 0, 0, 1]), .aaaa(Self.loopback6)]
    dns.held = ["A \(Self.name)"]
    let client = try connecting()
    try loop.run("asked", until: { dns.questions.count == 2 })
    for _ in 0..<3 { try loop.turn(block: false) }
    #expect(client.events.isEmpty, "one family's failure is not the host's")
    try dns.release()
    try loop.run("connected", until: { client.isOpen })
    #expect(client.events == [.opened(remote: server.address.description)])
  }

  @Test("Where all fail, the most telling failure is told, after all of them")
  func allFail() throws {
    let hole = try BlackHole(at: place([127, 0, 0, 9]))
    dns.records[Self.name] = [.a([127, 0, 0, 8]), .a([127, 0, 0, 9])]
    let client = try connecting(timeout: 30)
    try loop.run("closed", until: { client.isClosed })
    #expect(client.closing == LinkFailure.refused(address: "127.0.0.8:\(port)").sentence)
    withExtendedLifetime(hole) {}
  }

  @Test("Aborted in the middle of a race, it leaves nothing behind")
  func aborted() throws {
    let hole = try BlackHole(at: place([127, 0, 0, 9]))
    dns.records[Self.name] = [.a([127, 0, 0, 9])]
    dns.held = ["AAAA \(Self.name)"]
    let before = loop.watchCount
    let client = try connecting()
    try loop.run("asked", until: { dns.questions.count == 2 })
    let watched = loop.watchCount
    try loop.run("tried", until: { loop.watchCount > watched })
    client.link?.abort()
    client.drop()
    for _ in 0..<3 { try loop.turn(block: false) }
    #expect(client.events.isEmpty && loop.watchCount == before)
    withExtendedLifetime(hole) {}
  }
}
