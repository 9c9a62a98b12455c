import Clocks
import Bytes
import Reactor
import Syscalls
import TestSupport
import Testing
import Transport

/// What a real name server says, as far as it matters to a connection.
@Suite("Finding servers by dnsmasq")
struct NameServerTests {
  private let loop: EventLoop
  private let folder: TemporaryFolder
  private static let zone = "example.org"
  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

  init() throws {
    loop = try EventLoop()
    folder = try TemporaryFolder("dns")
  }

  private func names(_ records: String...) throws -> Dnsmasq {
    try Dnsmasq(in: folder, zone: Self.zone, records: records)
  }

  private func found(_ domain: String, by names: Dnsmasq) throws -> Services {
    let client = try Client(loop: loop, servers: [names.address])
    client.link?.resolve(domain: domain)
    try loop.run("resolved", until: { !client.events.isEmpty })
    guard case .resolved(let found) = client.events.first else { throw TestFailure("\(client.events)") }
    return found
  }

  private func connected(to host: String, _ port: UInt16, by names: Dnsmasq) throws -> Client {
    let client = try Client(loop: loop, servers: [names.address])
    client.link?.connect(host: host, port: port, timeout: .seconds(60))
    try loop.run("connected or closed", until: { client.isOpen || client.isClosed })
    return client
  }

  @Test("Both kinds, with their priorities and weights")
  func services() throws {
    let names = try names(
      "srv-host=_xmpp-client._tcp.example.org,b.example.org,5222,20,7",
      "srv-host=_xmpp-client._tcp.example.org,a.example.org,5223,10,65535",
      "srv-host=_xmpps-client._tcp.example.org,c.example.org,443,0,0")
    let found = try found(Self.zone, by: names)
    #expect(
      found.startTLS
        == .records([
          ServiceRecord(priority: 10, weight: 65535, host: "a.example.org", port: 5223),
          ServiceRecord(priority: 20, weight: 7, host: "b.example.org", port: 5222),
        ]))
    #expect(
      found.direct == .records([ServiceRecord(priority: 0, weight: 0, host: "c.example.org", port: 443)]))
  }

  @Test("No records, no such name, a lone dot, and a name server that refuses, are four things")
  func nothing() throws {
    let names = try names("host-record=example.org,127.0.0.1", "srv-host=_xmpps-client._tcp.example.org")
    #expect(try found(Self.zone, by: names) == Services(direct: .refused, startTLS: .none))
    #expect(try found("nowhere.example.org", by: names) == Services(direct: .none, startTLS: .none))
    let words = "Could not contact DNS servers"
    #expect(try found("example.net", by: names) == Services(direct: .failed(words), startTLS: .failed(words)))
  }

  @Test("What does not fit into a datagram is asked for again by TCP, all of it")
  func truncated() throws {
    let records = (1...50).map { "srv-host=_xmpp-client._tcp.example.org,host\($0).example.org,5222,\($0)" }
    let names = try Dnsmasq(in: folder, zone: Self.zone, records: records)
    guard case .records(let found) = try found(Self.zone, by: names).startTLS else { throw TestFailure("nothing") }
    #expect(found.map(\.host) == (1...50).map { "host\($0).example.org" })
  }

  @Test("A service or a target behind a CNAME is reached all the same")
  func aliases() throws {
    let server = try ServerPeer(loop: loop)
    let names = try names(
      "srv-host=_xmpp-client._tcp.real.example.org,alias.example.org,5222",
      "cname=_xmpp-client._tcp.example.org,_xmpp-client._tcp.real.example.org",
      "cname=alias.example.org,im.example.org", "host-record=im.example.org,127.0.0.1")
    #expect(
      try found(Self.zone, by: names).startTLS
        == .records([ServiceRecord(priority: 0, weight: 0, host: "alias.example.org", port: 5222)]))
    #expect(try connected(to: "alias.example.org", server.address.port, by: names).isOpen)
  }

  @Test("A target without addresses is told by its name")
  func noAddress() throws {
    let names = try names("srv-host=_xmpp-client._tcp.example.org,im.example.org,5222")
    let client = try connected(to: "im.example.org", 5222, by: names)
    #expect(client.closing == LinkFailure.resolution("im.example.org has no address").sentence)
  }

  @Test("Of many addresses the one that answers is found, whatever the others do")
  func racing() throws {
    let server = try ServerPeer(loop: loop)
    let hole = try BlackHole(at: InternetAddress(bytes: Self.loopback6, port: server.address.port))
    let names = try names(
      "host-record=im.example.org,127.0.0.1,::1", "host-record=im.example.org,127.0.0.8",
      "host-record=im.example.org,127.0.0.9")
    let client = try connected(to: "im.example.org", server.address.port, by: names)
    #expect(client.events == [.opened(remote: server.address.description)])
    withExtendedLifetime(hole) {}
  }
}
