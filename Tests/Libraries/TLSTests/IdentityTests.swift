import TLS
import TestSupport
import Testing

/// What a certificate must say of `example.org` (RFC 9525; RFC 6120, section 13.7.1.2): a dNSName, and nothing in its
/// place. The XMPP forms of a name (SRV-ID, xmppAddr) are refused alone and change nothing beside one.
@Suite("The identity in a certificate")
struct IdentityTests {
  private let authority: TestAuthority
  private static let host = "example.org"

  init() throws { authority = try TestAuthority() }

  private func outcome(
    _ certificate: TestAuthority.Certificate, name: String = host
  ) throws -> TLSFailure? {
    var pair = try TLSPair(trusting: .file(authority.file), name: name, certificate: certificate)
    pair.exchange()
    if pair.clientFailure != nil {
      #expect(!pair.client.isOpen && !pair.server.isOpen, "nobody goes on, whatever the server says")
    } else {
      #expect(pair.client.isOpen)
    }
    return pair.clientFailure
  }

  private static func wrongHost(_ names: [String], expected: String = host) -> TLSFailure {
    .certificate(.wrongHost(expected: expected, names: names))
  }

  private static func service(_ name: String) -> String { "otherName:1.3.6.1.5.5.7.8.7;IA5STRING:\(name)" }
  private static func address(_ name: String) -> String { "otherName:1.3.6.1.5.5.7.8.5;UTF8:\(name)" }

  @Test(
    "A name of another kind is none, right or wrong, nor is the subject's",
    arguments: [
      service("_xmpp-client.example.org"), service("_xmpps-client.example.org"), service("_xmpp-client.example.com"),
      address("example.org"), address("example.com"), "URI:xmpp://example.org", "email:alice@example.org",
    ])
  func otherNames(name: String) throws {
    let certificate = try authority.certificate(for: [], others: [name], commonName: Self.host)
    #expect(try outcome(certificate) == Self.wrongHost([]))
    #expect(
      Self.wrongHost([]).sentence == "the server's certificate names no host; example.org was expected")
  }

  @Test(
    "Beside the right dNSName a name of another kind changes nothing",
    arguments: [
      service("_xmpp-client.example.com"), service("_imaps.example.org"), address("evil.example"), "IP:192.0.2.1",
      "URI:https://evil.example/",
    ])
  func beside(name: String) throws {
    #expect(try outcome(authority.certificate(for: [Self.host], others: [name])) == nil)
    #expect(try outcome(authority.certificate(for: ["example.com"], others: [name])) == Self.wrongHost(["example.com"]))
  }

  @Test("The right name may stand anywhere among a hundred")
  func many() throws {
    let names = (0..<99).map { "host\($0).example.com" }
    #expect(try outcome(authority.certificate(for: names + [Self.host])) == nil)
    #expect(try outcome(authority.certificate(for: names)) == Self.wrongHost(Array(names.prefix(8))))
  }

  @Test(
    "A NUL in a name hides nothing of it",
    arguments: [("example.org\0.evil.example", "example.org?.evil.example"), ("example.org\0", "example.org?")])
  func nul(name: String, shown: String) throws {
    // The extension's value as DER: a sequence of one context-specific string, tag 2.
    let der = [0x30, UInt8(name.utf8.count + 2), 0x82, UInt8(name.utf8.count)] + Array(name.utf8)
    let hex = der.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    let certificate = try authority.certificate(for: [], others: ["DER:\(hex)"])
    #expect(try outcome(certificate) == Self.wrongHost([shown]))
  }

  @Test(
    "A wildcard is one whole label, the first, and stands for A-labels too",
    arguments: [
      ("*.example.org", "im.example.org", true), ("*.example.org", "xn--bcher-kva.example.org", true),
      ("*.xn--bcher-kva.example", "im.xn--bcher-kva.example", true), ("*.example.org", "example.org", false),
      ("im*.example.org", "im1.example.org", false), ("*m.example.org", "im.example.org", false),
      ("i*m.example.org", "im.example.org", false), ("xn--*.example.org", "xn--bcher-kva.example.org", false),
      ("im.*.org", "im.example.org", false), ("*.*.org", "im.example.org", false), ("*", "localhost", false),
      ("*.org", "example.org", false), ("*im.example.org", "im.example.org", false),
    ] as [(String, String, Bool)])
  func wildcards(name: String, host: String, isFine: Bool) throws {
    let failure = try outcome(authority.certificate(for: [name]), name: host)
    #expect(failure == (isFine ? nil : Self.wrongHost([name], expected: host)))
  }

  @Test("An address is no host's name, and a name no address's")
  func addresses() throws {
    let v4 = try authority.certificate(for: [], others: ["IP:127.0.0.1", "IP:::1"])
    #expect(try outcome(v4, name: Self.host) == Self.wrongHost([]))
    for literal in ["127.0.0.1", "::1"] { #expect(try outcome(v4, name: literal) == nil) }
    for literal in ["127.0.0.2", "::2"] {
      #expect(try outcome(v4, name: literal) == Self.wrongHost([], expected: literal))
    }
  }

  @Test("The key must be for servers, where its certificate says what it is for")
  func usage() throws {
    let client = try authority.certificate(for: [Self.host], usage: "clientAuth")
    #expect(try outcome(client) == .certificate(.other("unsuitable certificate purpose")))
    #expect(
      try outcome(client)?.sentence == "the server's certificate was refused: unsuitable certificate purpose")
    for usage in ["serverAuth", "clientAuth,serverAuth"] {
      #expect(try outcome(authority.certificate(for: [Self.host], usage: usage)) == nil)
    }
  }

  @Test("A certificate that is not valid yet says from when, and it is no use to try it again soon")
  func notYetValid() throws {
    let certificate = try authority.certificate(
      for: Self.host, valid: ("20900102030405Z", "20910101000000Z"))
    let failure = try outcome(certificate)
    #expect(failure == .certificate(.notYetValid(from: "2090-01-02 03:04:05")))
    #expect(failure?.sentence == "the server's certificate is not valid before 2090-01-02 03:04:05 UTC")
    let expired = try authority.certificate(for: Self.host, valid: ("20010101000000Z", "20020203040506Z"))
    #expect(try outcome(expired) == .certificate(.expired(since: "2002-02-03 04:05:06")))
  }
}
