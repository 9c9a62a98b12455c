import Bytes
import Crypto
import SASL
import Testing

/// A server that confirms what it offered (XEP-0474).
@Suite struct OfferTests {
  private let offer = SASLOffer(
    mechanisms: ["SCRAM-SHA-1-PLUS", "SCRAM-SHA-1"], channelBindings: ["tls-server-end-point", "tls-exporter"])

  private func receive(_ extensions: String, _ offer: SASLOffer) throws -> KeyDerivation {
    var client = try SCRAM(hash: .sha1, username: "user", nonce: "abc", gs2: .unsupported)
    _ = try client.firstMessage()
    return try client.receive(challenge: Array("r=abcd,s=AAAA,i=4096\(extensions)".utf8), offer: offer)
  }

  /// The XEP's example, in any order of the lists.
  @Test func theHashOfTheExample() throws {
    #expect(Base64.encode(try offer.hash(.sha1)) == "G6k/rBLDqgOhRRaCuuatSDFkJ08=")
    #expect(try receive(",h=G6k/rBLDqgOhRRaCuuatSDFkJ08=", offer).iterations == 4096)
    #expect(try receive(",x=1,h=G6k/rBLDqgOhRRaCuuatSDFkJ08=,y=2", offer).iterations == 4096)
  }

  @Test func noConfirmationSaysNothing() throws {
    for extensions in ["", ",d=AAAA", ",H=AAAA"] { #expect(try receive(extensions, offer).iterations == 4096) }
  }

  @Test(
    arguments: [
      SASLOffer(mechanisms: ["SCRAM-SHA-1"], channelBindings: ["tls-server-end-point", "tls-exporter"]),
      SASLOffer(mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], channelBindings: ["tls-server-end-point"]),
      SASLOffer(mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], channelBindings: []),
      SASLOffer(mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"]),
      SASLOffer(
        mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS", "PLAIN"],
        channelBindings: ["tls-server-end-point", "tls-exporter"]),
      SASLOffer(mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS", "tls-exporter", "tls-server-end-point"]),
      SASLOffer(mechanisms: []),
    ])
  func anotherOffer(changed: SASLOffer) throws {
    let hash = Base64.encode(try offer.hash(.sha1))
    #expect(throws: SASLError.offerChanged) { try receive(",h=\(hash)", changed) }
  }

  @Test(
    arguments: [
      ",h=AAAA", ",h=?", ",h=G6k/rBLDqgOhRRaCuuatSDFkJ08", ",h=G6k/rBLDqgOhRRaCuuatSDFkJ08=,h=AAAA",
      ",h=AAAA,h=G6k/rBLDqgOhRRaCuuatSDFkJ08=",
    ])
  func notItsHash(extensions: String) {
    #expect(throws: SASLError.offerChanged) { try receive(extensions, offer) }
  }

  /// Each hash function of the mechanisms, and the lists joined by what XML cannot carry.
  @Test(arguments: HashAlgorithm.allCases)
  func everyHashFunction(algorithm: HashAlgorithm) throws {
    let text = Array("SCRAM-SHA-1\u{1E}SCRAM-SHA-1-PLUS\u{1F}tls-exporter\u{1E}tls-server-end-point".utf8)
    #expect(try offer.hash(algorithm) == Digest.hash(text, algorithm))
    #expect(try SASLOffer(mechanisms: ["b", "a"]).hash(algorithm) == Digest.hash(Array("a\u{1E}b".utf8), algorithm))
    #expect(
      try SASLOffer(mechanisms: ["a"], channelBindings: []).hash(algorithm)
        == Digest.hash(Array("a\u{1F}".utf8), algorithm))
  }
}

/// What a login asks of the password.
@Suite struct CredentialTests {
  @Test func plain() throws {
    let request = CredentialRequest.plainMessage(username: "tim")
    // RFC 4616, section 4, with an empty authorization identity.
    #expect(try request.credential(from: Array("tanstaaftanstaaf".utf8)) == Array("\0tim\0tanstaaftanstaaf".utf8))
    #expect(try request.credential(from: Array("пароль".utf8)) == Array("\0tim\0пароль".utf8))
  }

  @Test func nulIsRefused() {
    #expect(throws: SASLError.nulInCredential) {
      try CredentialRequest.plainMessage(username: "tim").credential(from: Array("a\0b".utf8))
    }
    #expect(throws: SASLError.nulInCredential) {
      try CredentialRequest.plainMessage(username: "tim\0x").credential(from: Array("a".utf8))
    }
  }

  @Test func salted() throws {
    let derivation = KeyDerivation(hash: .sha256, salt: [1, 2, 3], iterations: 4096)
    #expect(
      try CredentialRequest.saltedPassword(derivation).credential(from: Array("pencil".utf8))
        == derivation.saltedPassword(from: Array("pencil".utf8)))
  }
}
