import Bytes
import Syscalls
import TestSupport
import Testing
import Transport

/// A resolver that asks a scripted server, both turned by hand.
private final class Bench {
  let server: ScriptedNameServer
  let resolver: Resolver
  private var watched: [CInt: Bool] = [:]

  init() throws {
    server = try ScriptedNameServer()
    resolver = try Resolver(servers: [server.address])
    resolver.onSocket = { [unowned self] fd, reading, _ in watched[fd] = reading ? true : nil }
  }

  deinit { resolver.restart() }

  var watchedCount: Int { watched.count }

  func services(_ service: ClientService, _ domain: String) throws -> ServiceAnswer? {
    var answer: ServiceAnswer?
    resolver.services(service, of: domain) { answer = $0 }
    try turn { answer != nil }
    return answer
  }

  func addresses(_ host: String, _ family: AddressFamily) throws -> AddressAnswer? {
    var answer: AddressAnswer?
    resolver.addresses(of: host, family) { answer = $0 }
    try turn { answer != nil }
    return answer
  }

  /// Serves and processes until `isDone`. The server's answer is there before the resolver looks: nothing waits.
  private func turn(until isDone: () -> Bool) throws {
    for _ in 0..<100 where !isDone() {
      try server.serve()
      for fd in Array(watched.keys) { resolver.process(readable: fd) }
    }
  }
}

@Suite("DNS by c-ares against a scripted server")
struct ResolverTests {
  @Test("SRV records come by priority, equal ones as they stood")
  func services() throws {
    let bench = try Bench()
    bench.server.records["_xmpp-client._tcp.example.org"] = [
      .srv(priority: 20, weight: 0, port: 5222, target: "late.example.org"),
      .srv(priority: 10, weight: 5, port: 5222, target: "a.example.org"),
      .srv(priority: 10, weight: 90, port: 5223, target: "b.example.org."),
    ]
    #expect(
      try bench.services(.startTLS, "example.org")
        == .records([
          ServiceRecord(priority: 10, weight: 5, host: "a.example.org", port: 5222),
          ServiceRecord(priority: 10, weight: 90, host: "b.example.org", port: 5223),
          ServiceRecord(priority: 20, weight: 0, host: "late.example.org", port: 5222),
        ]))
    #expect(bench.server.questions == ["SRV _xmpp-client._tcp.example.org"])
  }

  @Test("No such name and no such records are an answer; a lone dot is a decision")
  func nothing() throws {
    let bench = try Bench()
    bench.server.records["_xmpp-client._tcp.nodata.org"] = [.a([127, 0, 0, 1])]
    bench.server.records["_xmpps-client._tcp.never.org"] = [.srv(priority: 0, weight: 0, port: 0, target: "")]
    #expect(try bench.services(.startTLS, "unknown.org") == ServiceAnswer.none)
    #expect(try bench.services(.startTLS, "nodata.org") == ServiceAnswer.none)
    #expect(try bench.services(.direct, "never.org") == .refused)
  }

  @Test("Failure is told in words, and damaged answers are no crash")
  func failures() throws {
    let bench = try Bench()
    bench.server.oddities["_xmpp-client._tcp.broken.org"] = .failure
    bench.server.oddities["_xmpp-client._tcp.damaged.org"] = .damage
    // c-ares' words for servers that all fail.
    #expect(try bench.services(.startTLS, "broken.org") == .failed("Could not contact DNS servers"))
    guard case .failed = try bench.services(.startTLS, "damaged.org") else {
      Issue.record("damage was taken for an answer")
      return
    }
  }

  @Test("Hostile records: ports of 0 and names that are none are left out, too many are cut")
  func hostile() throws {
    let bench = try Bench()
    bench.server.records["_xmpp-client._tcp.example.org"] =
      [
        .srv(priority: 0, weight: 0, port: 0, target: "zero.example.org"),
        .srv(priority: 0, weight: 0, port: 1, target: "sp ace.org"),
        .srv(priority: 0, weight: 0, port: 1, target: "good.example.org"),
      ]
    #expect(
      try bench.services(.startTLS, "example.org")
        == .records([ServiceRecord(priority: 0, weight: 0, host: "good.example.org", port: 1)]))
  }

  @Test("A and AAAA are asked apart")
  func addresses() throws {
    let bench = try Bench()
    let v6 = [UInt8](repeating: 7, count: 16)
    bench.server.records["im.example.org"] = [.a([10, 0, 0, 1]), .a([10, 0, 0, 2]), .aaaa(v6)]
    #expect(try bench.addresses("im.example.org", .v4)?.bytes == [[10, 0, 0, 1], [10, 0, 0, 2]])
    #expect(try bench.addresses("im.example.org.", .v6)?.bytes == [v6])
    #expect(try bench.addresses("unknown.org", .v4) == AddressAnswer.none)
    #expect(bench.server.questions == ["A im.example.org", "AAAA im.example.org", "A unknown.org"])
  }

  @Test("Literals and localhost ask nobody")
  func offline() throws {
    let bench = try Bench()
    #expect(try bench.addresses("127.0.0.1", .v4)?.bytes == [[127, 0, 0, 1]])
    #expect(try bench.addresses("127.0.0.1", .v6) == AddressAnswer.none)
    #expect(try bench.addresses("[::1]", .v6)?.bytes == [[UInt8](repeating: 0, count: 15) + [1]])
    #expect(try bench.addresses("localhost", .v4)?.bytes == [[127, 0, 0, 1]])
    #expect(try bench.addresses("xmpp.localhost.", .v6)?.bytes == [[UInt8](repeating: 0, count: 15) + [1]])
    #expect(try bench.services(.direct, "localhost") == ServiceAnswer.none)
    #expect(try bench.services(.direct, "10.0.0.1") == ServiceAnswer.none)
    #expect(bench.server.questions == [] && bench.resolver.timeout == nil)
  }

  @Test("Onion services are asked of nobody (RFC 7686)", arguments: ["abc.onion", "im.ABC.Onion."])
  func onion(name: String) throws {
    let bench = try Bench()
    #expect(try bench.services(.direct, name) == .failed("only Tor resolves names in .onion; set proxy"))
    #expect(try bench.addresses(name, .v6) == .failed("only Tor resolves names in .onion; set proxy"))
    #expect(bench.server.questions == [] && bench.resolver.timeout == nil)
  }

  @Test(
    "Names that DNS cannot carry are not asked for", arguments: ["", ".", "a..b", "a b", "bücher.example", "a\\.b"])
  func badNames(name: String) throws {
    let bench = try Bench()
    guard case .failed(let reason) = try bench.services(.direct, name) else {
      Issue.record("asked for \(name)")
      return
    }
    #expect(reason == "\(name) is not a valid DNS name")
    #expect(try bench.addresses(name, .v4) == .failed(reason))
    #expect(bench.server.questions == [])
  }

  @Test("A silent server leaves a time to wait; starting anew ends the question and closes the socket")
  func restart() throws {
    let bench = try Bench()
    bench.server.oddities["_xmpp-client._tcp.silent.org"] = .silence
    var answer: ServiceAnswer?
    bench.resolver.services(.startTLS, of: "silent.org") { answer = $0 }
    let timeout = try #require(bench.resolver.timeout)
    #expect((1...2001).contains(timeout) && bench.watchedCount == 1)
    bench.resolver.restart()
    guard case .failed = answer else {
      Issue.record("not answered")
      return
    }
    #expect(bench.resolver.timeout == nil && bench.watchedCount == 0)
    bench.server.records["_xmpp-client._tcp.example.org"] = []
    #expect(try bench.services(.startTLS, "example.org") == ServiceAnswer.none)
  }

  @Test(
    "A server's address that is none is refused",
    arguments: ["dns.example.org", "127.0.0.1:", "127.0.0.1:0", "::1:53:x"])
  func badServers(server: String) {
    #expect(throws: ResolverError.self) { try Resolver(servers: [server]) }
  }
}

extension AddressAnswer {
  fileprivate var bytes: [[UInt8]]? {
    if case .addresses(let addresses) = self { return addresses.map(\.bytes) }
    return nil
  }
}
