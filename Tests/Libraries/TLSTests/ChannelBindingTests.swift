import Bytes
import TLS
import TestSupport
import Testing

@Suite("Channel-binding data")
struct ChannelBindingTests {
  private static func bound(
    _ certificate: TestAuthority.Certificate, trusting file: String, isOld: Bool = false, isVeryOld: Bool = false
  ) throws -> TLSPair {
    var pair = try TLSPair(
      trusting: .file(file), name: "example.org", certificate: certificate, isOld: isOld, isVeryOld: isVeryOld)
    pair.exchange()
    return pair
  }

  /// The hash of a certificate by the openssl command: `AB:CD:…`.
  private static func fingerprint(_ certificate: TestAuthority.Certificate, _ hash: String) throws -> String {
    let done = try Program.run(["openssl", "x509", "-in", certificate.file, "-noout", "-fingerprint", "-\(hash)"])
    let words = done.text.split(separator: "=").last ?? ""
    return words.filter { $0.isHexDigit }.lowercased()
  }

  private static func hex(_ bytes: [UInt8]?) -> String? {
    bytes.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
  }

  @Test("tls-exporter is 32 bytes, the same at both ends, another for each connection", arguments: [false, true])
  func exporter(isOld: Bool) throws {
    let authority = try TestAuthority()
    let certificate = try authority.certificate(for: ["example.org"])
    let first = try Self.bound(certificate, trusting: authority.file, isOld: isOld).facts
    let second = try Self.bound(certificate, trusting: authority.file, isOld: isOld).facts
    #expect(first.client?.version == (isOld ? "TLSv1.2" : "TLSv1.3"))
    #expect(first.client?.tlsExporter?.count == 32)
    #expect(first.client?.tlsExporter == first.server?.tlsExporter)
    #expect(second.client?.tlsExporter == second.server?.tlsExporter)
    #expect(first.client?.tlsExporter != second.client?.tlsExporter)
  }

  @Test("On TLS 1.2 without the extended master secret there is no tls-exporter")
  func withoutExtendedMasterSecret() throws {
    let authority = try TestAuthority()
    let certificate = try authority.certificate(for: ["example.org"])
    let facts = try Self.bound(certificate, trusting: authority.file, isVeryOld: true).facts
    #expect(facts.client?.version == "TLSv1.2")
    #expect(facts.client?.tlsExporter == nil)
    #expect(facts.client?.tlsServerEndPoint?.count == 32)
  }

  @Test(
    "tls-server-end-point is the certificate's hash, by the hash of its signature",
    arguments: [(["-sha256"], "sha256"), (["-sha384"], "sha384"), (["-sha512"], "sha512")])
  func serverEndPoint(signature: [String], hash: String) throws {
    let authority = try TestAuthority()
    let certificate = try authority.certificate(for: ["example.org"], signature: signature)
    let facts = try Self.bound(certificate, trusting: authority.file).facts
    #expect(facts.client?.tlsServerEndPoint == facts.server?.tlsServerEndPoint)
    #expect(try Self.hex(facts.client?.tlsServerEndPoint) == Self.fingerprint(certificate, hash))
  }

  @Test("RSA-PSS has its hash among its parameters")
  func pss() throws {
    let authority = try TestAuthority(key: ["-newkey", "rsa:2048"])
    let certificate = try authority.certificate(
      for: ["example.org"], signature: ["-sha384", "-sigopt", "rsa_padding_mode:pss"])
    let facts = try Self.bound(certificate, trusting: authority.file).facts
    #expect(try Self.hex(facts.client?.tlsServerEndPoint) == Self.fingerprint(certificate, "sha384"))
  }

  @Test("Where the signature is by SHA-1, SHA-256 takes its place")
  func sha1() throws {
    let authority = try TestAuthority()
    let certificate = try authority.selfSigned(for: "example.org", signature: ["-sha1"])
    let facts = try Self.bound(certificate, trusting: certificate.file).facts
    #expect(try Self.hex(facts.client?.tlsServerEndPoint) == Self.fingerprint(certificate, "sha256"))
  }

  @Test("Where the signature has no hash of its own, it is undefined; tls-exporter is not")
  func ed25519() throws {
    let authority = try TestAuthority(key: ["-newkey", "ed25519"])
    let certificate = try authority.certificate(for: ["example.org"], signature: [])
    let facts = try Self.bound(certificate, trusting: authority.file).facts
    #expect(facts.client?.version == "TLSv1.3")
    #expect(facts.client?.tlsServerEndPoint == nil)
    #expect(facts.client?.tlsExporter?.count == 32)
  }
}
