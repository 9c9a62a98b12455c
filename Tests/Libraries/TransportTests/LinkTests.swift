import Clocks
import Bytes
import Reactor
import Syscalls
import TLS
import TestSupport
import Testing
import Transport

@Suite("Links over TCP")
struct LinkTests {
  private let loop: EventLoop
  private let server: ServerPeer

  init() throws {
    loop = try EventLoop()
    server = try ServerPeer(loop: loop)
  }

  private func connected(outputLimit: Int = 8 << 20) throws -> Client {
    let client = try Client(loop: loop, outputLimit: outputLimit)
    client.link?.connect(host: "127.0.0.1", port: server.address.port)
    #expect(client.events == [], "events come from the loop")
    try loop.run("connected", until: { client.isOpen && server.isConnected })
    return client
  }

  @Test("It connects, carries bytes both ways and ends in order")
  func plain() throws {
    let client = try connected()
    #expect(client.events == [.opened(remote: server.address.description)])
    client.link?.write(Array("<stream>".utf8))
    client.link?.write(Array("</stream>".utf8))
    try loop.run("written", until: { server.received.count == 17 })
    try server.send("hello")
    try loop.run("received", until: { client.received.count == 5 })
    client.link?.close()
    try loop.run("end seen", until: { server.hasEnded })
    server.hangUp()
    try loop.run("closed", until: { client.isClosed })
    #expect(client.closing == .some(nil))
  }

  @Test("A peer that never closes is left after the linger time; one that closes first is an orderly end")
  func endings() throws {
    let client = try connected()
    let before = loop.now().instant
    client.link?.close()
    try loop.run("closed", until: { client.isClosed })
    #expect(loop.now().instant - before >= .seconds(2))
    let second = try Client(loop: loop)
    second.link?.connect(host: "127.0.0.1", port: server.address.port)
    try loop.run("connected", until: { second.isOpen })
    server.hangUp()
    try loop.run("closed", until: { second.isClosed })
    #expect(second.closing == .some(nil))
  }

  @Test("A reset is a cut")
  func reset() throws {
    let client = try connected()
    server.hangUp(reset: true)
    try loop.run("closed", until: { client.isClosed })
    #expect(client.closing == LinkFailure.cut.sentence)
  }

  @Test("A refused connection says where; then the link may try again")
  func refused() throws {
    let port = server.address.port
    let dead = try Sockets.listening(at: try #require(.loopback(port: 0)))
    let deadAddress = try #require(try Sockets.localAddress(dead.raw))
    try dead.close()
    let client = try Client(loop: loop)
    client.link?.connect(host: "127.0.0.1", port: deadAddress.port)
    try loop.run("closed", until: { client.isClosed })
    #expect(client.closing == LinkFailure.refused(address: deadAddress.description).sentence)
    client.link?.connect(host: "127.0.0.1", port: port)
    try loop.run("connected", until: { client.isOpen })
  }

  @Test("An address that does not answer is timed out")
  func timeOut() throws {
    let hole = try BlackHole()
    let address = hole.address
    let client = try Client(loop: loop)
    client.link?.connect(host: "127.0.0.1", port: address.port, timeout: .milliseconds(30))
    try loop.run("closed", until: { client.isClosed })
    #expect(client.closing == LinkFailure.timedOut(step: "connecting to \(address)").sentence)
    withExtendedLifetime(hole) {}
  }

  @Test("Aborted, dropped or closed inside its own event, it says no more and leaves nothing", arguments: 0..<3)
  func endInsideEvent(how: Int) throws {
    let client = try connected()
    let watched = loop.watchCount
    client.onEvent = { [unowned client] event in
      guard case .received = event else { return }
      switch how {
      case 0: client.link?.abort()
      case 1: client.drop()
      default: client.link?.close()
      }
    }
    try server.send("bytes")
    try loop.run("received", until: { client.received.count == 5 })
    if how == 2 { try loop.run("end seen", until: { server.hasEnded }) }
    client.drop()
    try loop.turn(block: false)
    #expect(client.events.count == 2)
    #expect(loop.watchCount < watched)
  }

  @Test("A peer that takes nothing: the count grows, then the limit ends the link")
  func backlog() throws {
    let client = try connected(outputLimit: 20_000_000)
    server.stopReading()
    client.link?.write([UInt8](repeating: 0, count: 15_000_000))
    for _ in 0..<20 { try loop.turn(block: false) }
    #expect((client.link?.pendingBytes ?? 0) > 5_000_000)
    #expect(!client.isClosed)
    client.link?.write([UInt8](repeating: 0, count: 15_000_000))
    try loop.run("closed", until: { client.isClosed })
    #expect(client.closing??.hasPrefix("the server stopped reading") == true)
  }

  @Test("Paused, it takes no more than what was read")
  func paused() throws {
    let client = try connected()
    client.link?.pauseReading()
    try server.send([UInt8](repeating: 1, count: 1000))
    for _ in 0..<5 { try loop.turn(block: false) }
    #expect(client.received.isEmpty)
    client.link?.resumeReading()
    try loop.run("received", until: { client.received.count == 1000 })
  }
}

@Suite("Links and names")
struct LinkNameTests {
  private let loop: EventLoop
  private let dns: ScriptedNameServer
  private let watch: Watch

  init() throws {
    let loop = try EventLoop()
    let dns = try ScriptedNameServer()
    self.loop = loop
    self.dns = dns
    watch = try loop.watch(dns.fd.raw, for: .read) { _ in try? dns.serve() }
  }

  @Test("Both kinds of service are looked for")
  func services() throws {
    dns.records["_xmpp-client._tcp.example.org"] = [.srv(priority: 1, weight: 2, port: 3, target: "im.example.org")]
    dns.records["_xmpps-client._tcp.example.org"] = [.srv(priority: 0, weight: 0, port: 0, target: ".")]
    let client = try Client(loop: loop, servers: [dns.address])
    client.link?.resolve(domain: "example.org")
    try loop.run("resolved", until: { !client.events.isEmpty })
    let record = ServiceRecord(priority: 1, weight: 2, host: "im.example.org", port: 3)
    #expect(client.events == [.resolved(Services(direct: .refused, startTLS: .records([record])))])
  }

  @Test("Each address is tried in turn, IPv6 first, until one answers")
  func inTurn() throws {
    let server = try ServerPeer(loop: loop)
    dns.records["im.example.org"] = [
      .aaaa([UInt8](repeating: 0, count: 15) + [1]), .a([127, 0, 0, 9]), .a([127, 0, 0, 1]),
    ]
    let client = try Client(loop: loop, servers: [dns.address])
    client.link?.connect(host: "im.example.org", port: server.address.port)
    try loop.run("connected", until: { client.isOpen })
    #expect(client.events == [.opened(remote: server.address.description)])
    #expect(Set(dns.questions) == ["A im.example.org", "AAAA im.example.org"])
  }

  @Test("A slow IPv6 answer does not hold IPv4 up")
  func headStart() throws {
    let server = try ServerPeer(loop: loop)
    dns.records["im.example.org"] = [.a([127, 0, 0, 1])]
    let client = try Client(loop: loop, servers: [dns.address])
    // The first question is AAAA's: it is swallowed.
    client.link?.connect(host: "im.example.org", port: server.address.port)
    var questions = 0
    loop.unwatch(watch)
    while questions < 1 {
      if try Sockets.receiveDatagram(dns.fd.raw, atMost: 1500) != nil { questions += 1 } else { try loop.turn() }
    }
    try dns.serve()
    // Nobody answers any more: AAAA's last try ends later than this waits.
    try loop.run("connected", until: { client.isOpen })
  }

  @Test("A name without addresses, and one that nobody can look up, are told in words")
  func noAddress() throws {
    dns.oddities["broken.org"] = .failure
    for (name, words) in [
      ("unknown.org", "unknown.org has no address"),
      ("broken.org", "cannot find the address of broken.org: Could not contact DNS servers"),
    ] {
      let client = try Client(loop: loop, servers: [dns.address])
      client.link?.connect(host: name, port: 1)
      try loop.run("closed", until: { client.isClosed })
      #expect(client.closing == LinkFailure.resolution(words).sentence)
    }
  }

  @Test("Dropped while questions run, it leaves nothing behind")
  func dropped() throws {
    dns.oddities["_xmpp-client._tcp.silent.org"] = .silence
    let watched = loop.watchCount
    do {
      let client = try Client(loop: loop, servers: [dns.address])
      client.link?.resolve(domain: "silent.org")
      client.link?.connect(host: "im.silent.org", port: 1)
      #expect(loop.watchCount > watched)
      client.drop()
    }
    for _ in 0..<3 { try loop.turn(block: false) }
    #expect(loop.watchCount == watched)
  }

  @Test("localhost needs no name server")
  func localhost() throws {
    let server = try ServerPeer(loop: loop)
    let client = try Client(loop: loop, servers: ["127.0.0.1:1"])
    client.link?.connect(host: "localhost", port: server.address.port)
    try loop.run("connected", until: { client.isOpen })
  }
}

@Suite("Links over TLS")
struct LinkTLSTests {
  private let loop: EventLoop
  private let server: ServerPeer
  private let authority: TestAuthority

  init() throws {
    loop = try EventLoop()
    server = try ServerPeer(loop: loop)
    authority = try TestAuthority()
  }

  private func client(
    certificate: TestAuthority.Certificate, name: String = "example.org", timeout: Interval = .seconds(20)
  ) throws -> Client {
    let client = try Client(loop: loop)
    server.onAccept = { [unowned server] in try? server.startTLS(certificate) }
    let request = TLSRequest(domain: name, authorityFile: authority.file, alpn: true)
    client.onEvent = { [unowned client] event in
      if case .opened = event { client.link?.startTLS(request, timeout: timeout) }
    }
    client.link?.connect(host: "127.0.0.1", port: server.address.port)
    return client
  }

  private func secured() throws -> Client {
    let client = try client(certificate: authority.certificate(for: ["example.org"]))
    try loop.run("secured", until: { client.isSecured && server.session?.isOpen == true })
    return client
  }

  @Test("Direct TLS: opened, secured with the application protocol, then bytes both ways")
  func direct() throws {
    let client = try secured()
    let facts = try #require(client.facts)
    #expect(facts.version == "TLSv1.3" && facts.applicationProtocol == "xmpp-client" && facts.tlsExporter != nil)
    #expect(client.events == [.opened(remote: server.address.description), .secured(facts)])
    let big = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    client.link?.write(big)
    try loop.run("written", until: { server.received.count == big.count })
    #expect(server.received == big)
    try server.send([UInt8](repeating: 5, count: 100_000))
    try loop.run("received", until: { client.received.count == 100_000 })
  }

  @Test("Many writes of one turn become one record and one call")
  func coalesces() throws {
    let client = try secured()
    try loop.turn(block: false)
    let counts = try SyscallTrace.countingThisThread {
      for _ in 0..<64 { client.link?.write(Array("<message/>".utf8)) }
      try loop.turn(block: false)
    }
    #expect(counts["send"] == 1)
    try loop.run("written", until: { server.received.count == 640 })
  }

  @Test("STARTTLS: what is written before leaves in the clear, what comes after is TLS")
  func startTLS() throws {
    let client = try Client(loop: loop)
    client.link?.connect(host: "127.0.0.1", port: server.address.port)
    try loop.run("connected", until: { client.isOpen && server.isConnected })
    client.link?.write(Array("<starttls/>".utf8))
    try loop.run("asked", until: { server.received == Array("<starttls/>".utf8) })
    try server.startTLS(authority.certificate(for: ["example.org"]))
    client.link?.startTLS(TLSRequest(domain: "example.org", authorityFile: authority.file, alpn: false))
    client.link?.write(Array("<stream>".utf8))
    try loop.run("secured", until: { client.isSecured && server.received.count > 11 })
    #expect(server.received == Array("<starttls/><stream>".utf8))
  }

  @Test("The peer's goodbye is an orderly end, its silence is a cut")
  func endings() throws {
    let client = try secured()
    try server.send("last words")
    try server.closeNotify()
    try loop.run("answered", until: { server.hasEnded })
    server.hangUp()
    try loop.run("closed", until: { client.isClosed })
    #expect(client.received == Array("last words".utf8))
    #expect(client.closing == .some(nil))
    let second = try secured()
    server.hangUp()
    try loop.run("closed", until: { second.isClosed })
    #expect(second.closing == LinkFailure.cut.sentence)
  }

  @Test("Our goodbye reaches the peer behind what was written")
  func ourGoodbye() throws {
    let client = try secured()
    client.link?.write(Array("</stream:stream>".utf8))
    client.link?.close()
    try loop.run("end seen", until: { server.hasEnded })
    #expect(server.received == Array("</stream:stream>".utf8))
    server.hangUp()
    try loop.run("closed", until: { client.isClosed })
    #expect(client.closing == .some(nil))
  }

  @Test("A certificate for another host ends the link before anything is sent")
  func wrongHost() throws {
    let client = try client(certificate: authority.certificate(for: ["evil.net"]))
    try loop.run("closed", until: { client.isClosed })
    let problem = CertificateProblem.wrongHost(expected: "example.org", names: ["evil.net"])
    #expect(client.closing == LinkFailure.tls(.certificate(problem)).sentence)
    #expect(!client.isSecured && server.received.isEmpty)
  }

  @Test("A server that does not speak TLS, and one that says nothing")
  func noTLS() throws {
    let certificate = try authority.certificate(for: ["example.org"])
    let first = try client(certificate: certificate)
    server.onAccept = { [unowned server] in try? server.send("<stream:stream>") }
    try loop.run("closed", until: { first.isClosed })
    #expect(first.closing == LinkFailure.tls(.notTLS).sentence)
    let second = try client(certificate: certificate, timeout: .milliseconds(30))
    server.onAccept = { [unowned server] in server.stopReading() }
    try loop.run("closed", until: { second.isClosed })
    #expect(second.closing == LinkFailure.timedOut(step: "the TLS handshake").sentence)
  }

  @Test("A file of authorities that is not there ends the link with its name")
  func missingAuthorities() throws {
    let client = try Client(loop: loop)
    client.onEvent = { [unowned client] event in
      guard case .opened = event else { return }
      client.link?.startTLS(TLSRequest(domain: "example.org", authorityFile: "/nonexistent/ca.pem", alpn: false))
    }
    client.link?.connect(host: "127.0.0.1", port: server.address.port)
    try loop.run("closed", until: { client.isClosed })
    #expect(client.closing??.contains("/nonexistent/ca.pem") == true)
  }
}
