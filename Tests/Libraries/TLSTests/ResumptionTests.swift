import Bytes
import TLS
import TestSupport
import Testing

@Suite("Sessions that are resumed")
struct ResumptionTests {
  private let authority: TestAuthority
  private let context: TLSContext
  private static let owner = "home"
  private static let name = "example.org"

  init() throws {
    authority = try TestAuthority()
    context = try TLSContext(trusting: .file(authority.file))
  }

  private static func now() throws -> Int64 { try #require(Int64(date("now", as: "%s"))) }

  private static func date(_ time: String, as format: String) throws -> String {
    String(try Program.run(["date", "--utc", "--date", time, "+" + format]).text.dropLast())
  }

  private func server(
    isOld: Bool = false, isVeryOld: Bool = false, ticketSeconds: Int = 7200,
    certificate: TestAuthority.Certificate? = nil
  ) throws -> TLSServerContext {
    let certificate = try certificate ?? authority.certificate(for: [Self.name, "example.net"], days: 5)
    return try TLSServerContext(
      certificateFile: certificate.file, keyFile: certificate.keyFile, isOld: isOld, isVeryOld: isVeryOld,
      ticketSeconds: ticketSeconds)
  }

  /// One connection up to its first data, which bring the tickets of TLS 1.3.
  ///
  /// - Parameter after: seconds from now on.
  private func connect(
    to server: TLSServerContext, context: TLSContext? = nil, name: String = name, owner: String = owner,
    isAllowed: Bool = true, after: Int64 = 0
  ) throws -> TLSPair {
    var pair = try TLSPair(
      context ?? self.context, server, name: name,
      resumption: .init(owner: owner, isAllowed: isAllowed, now: Self.now() + after))
    pair.exchange()
    if pair.server.isOpen { try pair.server.send([1]) }
    pair.exchange()
    return pair
  }

  private static func isResumed(_ pair: TLSPair) throws -> Bool {
    let (client, server) = pair.facts
    #expect(client?.isResumed == server?.isResumed)
    return try #require(client).isResumed
  }

  @Test("The second handshake resumes the first one's session, and so on, with fewer bytes", arguments: [false, true])
  func resumes(isOld: Bool) throws {
    let server = try server(isOld: isOld)
    let pairs = try (0..<4).map { _ in try connect(to: server) }
    #expect(try pairs.map(Self.isResumed) == [false, true, true, true])
    #expect(pairs[1].downBytes < pairs[0].downBytes - 500, "no certificate comes")
    #expect(pairs[3].facts.client?.version == (isOld ? "TLSv1.2" : "TLSv1.3"))
  }

  @Test("What a login is bound to is as good on a resumed session")
  func channelBinding() throws {
    let server = try server()
    let (first, second) = (try connect(to: server).facts, try connect(to: server).facts)
    #expect(second.client?.isResumed == true)
    #expect(second.client?.tlsExporter == second.server?.tlsExporter)
    #expect(first.client?.tlsExporter != second.client?.tlsExporter)
    #expect(second.client?.tlsServerEndPoint == first.client?.tlsServerEndPoint)
    #expect(second.client?.tlsServerEndPoint == second.server?.tlsServerEndPoint)
  }

  @Test("A connection that was cut leaves its session to the next one")
  func cut() throws {
    let server = try server()
    do {
      let pair = try connect(to: server)
      #expect(pair.client.endOfInput() == .cut)
    }
    #expect(try Self.isResumed(connect(to: server)))
  }

  @Test("No session is used twice: not even where its handshake came to nothing")
  func once() throws {
    let server = try server()
    _ = try connect(to: server)
    _ = try TLSPair(
      context, server, name: Self.name, resumption: .init(owner: Self.owner, isAllowed: true, now: Self.now()))
    #expect(try !Self.isResumed(connect(to: server)))
  }

  @Test("Sessions are those of one account with one server, by any writing of its name")
  func keys() throws {
    let server = try server()
    _ = try connect(to: server)
    #expect(try !Self.isResumed(connect(to: server, owner: "work")))
    #expect(try !Self.isResumed(connect(to: server, name: "example.net")))
    #expect(try !Self.isResumed(connect(to: server, context: TLSContext(trusting: .file(authority.file)))))
    #expect(try Self.isResumed(connect(to: server, name: "Example.ORG.")))
  }

  @Test("Not allowed, it is forgotten")
  func notAllowed() throws {
    let server = try server()
    _ = try connect(to: server)
    var pair = try TLSPair(
      context, server, name: Self.name, resumption: .init(owner: Self.owner, isAllowed: false, now: Self.now()))
    pair.exchange()
    #expect(try !Self.isResumed(pair))
  }

  @Test("It ends with the server's ticket, two hours, and does not come from the future")
  func ends() throws {
    for (after, isResumed) in [(7000, true), (7300, false), (-100, false)] as [(Int64, Bool)] {
      let server = try server()
      _ = try connect(to: server)
      #expect(try Self.isResumed(connect(to: server, after: after)) == isResumed, "\(after) s later")
    }
  }

  @Test("However often it was resumed, after a day the certificate is shown again", arguments: [false, true])
  func longestTrust(isOld: Bool) throws {
    let server = try server(isOld: isOld, ticketSeconds: 500_000)
    _ = try connect(to: server)
    for _ in 0..<3 { #expect(try Self.isResumed(connect(to: server, after: 86_000))) }
    #expect(try !Self.isResumed(connect(to: server, after: 86_500)))
  }

  @Test("No session outlasts the certificate that it began with", arguments: [(3000, true), (4000, false)])
  func certificateEnds(after: Int64, isResumed: Bool) throws {
    let format = "%Y%m%d%H%M%SZ"
    let certificate = try authority.certificate(
      for: Self.name, valid: (Self.date("-1 hour", as: format), Self.date("+1 hour", as: format)))
    let server = try server(ticketSeconds: 500_000, certificate: certificate)
    _ = try connect(to: server)
    #expect(try Self.isResumed(connect(to: server, after: after)) == isResumed)
  }

  @Test("Without the extended master secret nothing is resumed (RFC 7627)")
  func veryOld() throws {
    let server = try server(isVeryOld: true)
    _ = try connect(to: server)
    #expect(try !Self.isResumed(connect(to: server)))
  }

  @Test("A server that comes back with another certificate proves itself anew, or is refused")
  func swapped() throws {
    _ = try connect(to: server())
    let stranger = try TestAuthority()
    let forged = try stranger.certificate(for: [Self.name])
    let pair = try connect(to: TLSServerContext(certificateFile: forged.file, keyFile: forged.keyFile))
    #expect(pair.clientFailure == .certificate(.untrusted(issuer: "CN=Test CA")))
    #expect(try !Self.isResumed(connect(to: server())))
  }

  @Test("Contexts, with their sessions, last until the file of the authorities changes")
  func authoritiesChange() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("ca.pem")
    try TestFiles.write(file, Array((TestFiles.text(authority.file) ?? "").utf8))
    let contexts = TLSContexts()
    let server = try server()
    _ = try connect(to: server, context: contexts.context(trusting: .file(file)))
    #expect(try Self.isResumed(connect(to: server, context: contexts.context(trusting: .file(file)))))
    let stranger = try TestAuthority()
    try TestFiles.write(file, Array((TestFiles.text(stranger.file) ?? "").utf8))
    let refused = try connect(to: server, context: contexts.context(trusting: .file(file)))
    #expect(refused.clientFailure == .certificate(.untrusted(issuer: "CN=Test CA")))
    try TestFiles.write(file, Array("nothing in here".utf8))
    #expect(throws: TLSFailure.self) { try contexts.context(trusting: .file(file)) }
  }
}
