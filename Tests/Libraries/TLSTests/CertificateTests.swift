import TLS
import TestSupport
import Testing

@Suite("Certificates that prove nothing")
struct CertificateTests {
  private let authority: TestAuthority

  init() throws { authority = try TestAuthority() }

  private func outcome(
    _ certificate: TestAuthority.Certificate, name: String, trusting anchors: TrustAnchors? = nil
  ) throws -> TLSFailure? {
    var pair = try TLSPair(trusting: anchors ?? .file(authority.file), name: name, certificate: certificate)
    pair.exchange()
    return pair.clientFailure
  }

  @Test(
    "Host names are compared by whole labels with dNSNames alone",
    arguments: [
      (["example.org"], "example.org", true), (["example.org"], "example.org.", true),
      (["example.org"], "EXAMPLE.org", true), (["*.example.org"], "im.example.org", true),
      (["*.example.org"], "a.b.example.org", false), (["*.example.org"], "example.org", false),
      (["i*.example.org"], "im.example.org", false), (["example.com", "example.net"], "example.org", false),
      (["example.org.evil.net"], "example.org", false), ([], "example.org", false),
    ] as [([String], String, Bool)])
  func hostNames(names: [String], host: String, isFine: Bool) throws {
    let certificate = try authority.certificate(for: names, commonName: "example.org")
    let failure = try outcome(certificate, name: host)
    let expected = host.hasSuffix(".") ? String(host.dropLast()) : host
    #expect(failure == (isFine ? nil : .certificate(.wrongHost(expected: expected, names: names))))
  }

  @Test("An address as a domain must be in the certificate as an address")
  func address() throws {
    let certificate = try authority.certificate(for: ["127.0.0.1"])
    #expect(
      try outcome(certificate, name: "127.0.0.1")
        == .certificate(.wrongHost(expected: "127.0.0.1", names: ["127.0.0.1"])))
  }

  @Test("A wrong host is told with the names that the certificate has")
  func wrongHostSentence() {
    let problem = CertificateProblem.wrongHost(expected: "example.org", names: ["a.net", "b.net"])
    #expect(problem.sentence == "the server's certificate is for a.net, b.net, not for example.org")
  }

  @Test("An expired certificate says since when")
  func expired() throws {
    let failure = try outcome(authority.certificate(for: ["example.org"], days: -1), name: "example.org")
    guard case .certificate(.expired(let since)) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(since.utf8.count == "2026-11-19 12:36:32".utf8.count && since.hasPrefix("20"))
  }

  @Test("Somebody else's authority is not trusted, nor is a certificate that signed itself")
  func untrusted() throws {
    let stranger = try TestAuthority()
    let certificate = try authority.certificate(for: ["example.org"])
    #expect(
      try outcome(certificate, name: "example.org", trusting: .file(stranger.file))
        == .certificate(.untrusted(issuer: "CN=Test CA")))
    #expect(
      try outcome(certificate, name: "example.org", trusting: .system)
        == .certificate(.untrusted(issuer: "CN=Test CA")))
    #expect(
      try outcome(authority.selfSigned(for: "example.org"), name: "example.org")
        == .certificate(.selfSigned(subject: "CN=example.org")))
  }

  @Test("A file of authorities replaces the system's; one that cannot be read is an error that names it")
  func authorityFile() throws {
    let folder = try TemporaryFolder()
    let missing = folder.file("missing.pem")
    let error = #expect(throws: TLSFailure.self) { try TLSContext(trusting: .file(missing)) }
    #expect(error?.sentence.contains(missing) == true)
    let empty = try folder.write("empty.pem", "no certificate in here\n")
    #expect(throws: TLSFailure.self) { try TLSContext(trusting: .file(empty)) }
  }

  @Test("Contexts are made once for each set of anchors")
  func contexts() throws {
    let contexts = TLSContexts()
    let first = try contexts.context(trusting: .file(authority.file))
    #expect(try contexts.context(trusting: .file(authority.file)) === first)
    #expect(try contexts.context(trusting: .system) !== first)
  }
}
