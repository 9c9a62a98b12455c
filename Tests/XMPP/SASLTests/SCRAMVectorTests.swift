import Bytes
import Crypto
import AddressPreparation
import SASL
import Testing

/// One whole exchange for "user" and "pencil".
struct Exchange: Sendable, CustomTestStringConvertible {
  let name: String
  let hash: HashAlgorithm
  var flag = ChannelBindingFlag.unsupported
  let nonce: String
  let clientFirst: String
  let serverFirst: String
  let clientFinal: String
  let serverFinal: String

  var testDescription: String { name }

  /// The client after its last message, and that message.
  func untilFinal(serverFirst: String? = nil) throws -> (client: SCRAM, message: String) {
    var client = try SCRAM(hash: hash, username: "user", nonce: nonce, gs2: flag)
    #expect(String(decoding: try client.firstMessage(), as: UTF8.self) == clientFirst)
    let derivation = try client.receive(challenge: Array((serverFirst ?? self.serverFirst).utf8))
    let salted = try derivation.saltedPassword(from: Array("pencil".utf8))
    let message = try client.finalMessage(saltedPassword: salted)
    return (client, String(decoding: message, as: UTF8.self))
  }

  /// RFC 5802, section 5.
  static let sha1 = Exchange(
    name: "RFC 5802", hash: .sha1, nonce: "fyko+d2lbbFgONRv9qkxdawL",
    clientFirst: "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL",
    serverFirst: "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096",
    clientFinal: "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
    serverFinal: "v=rmF9pqV8S7suAoZWja4dJRkFsKQ=")

  /// RFC 7677, section 3.
  static let sha256 = Exchange(
    name: "RFC 7677", hash: .sha256, nonce: "rOprNGfwEbeRWgbNEkqO",
    clientFirst: "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
    serverFirst: "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
    clientFinal: "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
      + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
    serverFinal: "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")

  /// No RFC has one for SHA-512: RFC 7677's exchange computed with Python's hashlib and hmac.
  static let sha512 = Exchange(
    name: "SHA-512", hash: .sha512, nonce: "rOprNGfwEbeRWgbNEkqO",
    clientFirst: "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
    serverFirst: "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
    clientFinal: "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
      + "p=gMGXRcevScNtxZ6/8lQYpGtnsNAc3mGcmNomv+xnoOMw+3R2xNJdMNnzMlTN8PPC6wdp6dybEmDYXYTxwnYPJQ==",
    serverFinal: "v=ZQnYEgWQMFmmsM8aQMF0nDDCy/AgCzkwk8CmMZYcMg0vSVlKDanekLtifDSeVGT4+5ZxXnJq199RVG2rR7N7Zw==")

  static let all = [sha1, sha256, sha512] + bound
}

extension Exchange {
  /// No RFC has one for -PLUS: the exchanges above, bound to the bytes 0 to 31, computed with Python's hashlib and hmac.
  static let bound = [sha1EndPoint, sha1Exporter, sha256Exporter, sha512Exporter]

  private static let data = [UInt8](0..<32)
  private static let exporter = "c=cD10bHMtZXhwb3J0ZXIsLAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f,"

  private static let sha1EndPoint = Exchange(
    name: "SHA-1 tls-server-end-point", hash: .sha1, flag: .bound(type: .tlsServerEndPoint, data: data),
    nonce: sha1.nonce, clientFirst: "p=tls-server-end-point,,n=user,r=fyko+d2lbbFgONRv9qkxdawL",
    serverFirst: sha1.serverFirst,
    clientFinal: "c=cD10bHMtc2VydmVyLWVuZC1wb2ludCwsAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=,"
      + "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=z8dLQJmun2sA+XpCkRPSWO61Enc=",
    serverFinal: "v=if1R+hByy96r9wlpTEFxowaJvkg=")

  private static let sha1Exporter = Exchange(
    name: "SHA-1 tls-exporter", hash: .sha1, flag: .bound(type: .tlsExporter, data: data), nonce: sha1.nonce,
    clientFirst: "p=tls-exporter,,n=user,r=fyko+d2lbbFgONRv9qkxdawL", serverFirst: sha1.serverFirst,
    clientFinal: exporter + "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=i0z2xFi+ITaJvbLXpcWyruGx26U=",
    serverFinal: "v=YgmPUhdXTCPY9I7+PKzEdnp1cdo=")

  private static let sha256Exporter = Exchange(
    name: "SHA-256 tls-exporter", hash: .sha256, flag: .bound(type: .tlsExporter, data: data), nonce: sha256.nonce,
    clientFirst: "p=tls-exporter,,n=user,r=rOprNGfwEbeRWgbNEkqO", serverFirst: sha256.serverFirst,
    clientFinal: exporter + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
      + "p=QC6CS20quADQRb3mT99YUH+n3VJxUvzuK0K0E1Vrs2M=",
    serverFinal: "v=2GiAgapEppLVlUXbxUDksL3VgYHzuqiK5tR4mhJGgvs=")

  private static let sha512Exporter = Exchange(
    name: "SHA-512 tls-exporter", hash: .sha512, flag: .bound(type: .tlsExporter, data: data), nonce: sha512.nonce,
    clientFirst: "p=tls-exporter,,n=user,r=rOprNGfwEbeRWgbNEkqO", serverFirst: sha512.serverFirst,
    clientFinal: exporter + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
      + "p=jVaGV/PIJ7hgkpxV9a1jdpzyYkHQH9gW6fn3DbAL2oEA+5w4CCSJjoq8G37bn2FsGaVEMsk4kiHRqMUoN/aiiA==",
    serverFinal: "v=bTvxua5nsJsvSd2bk+1WbSe84MBgjkACQPOqiN7MhTBLYxVX2QUqwET2NLcZEv2CfexR6NbAMluKltOEs5vLYw==")
}

@Suite struct SCRAMVectorTests {
  @Test(arguments: Exchange.all)
  func wholeExchange(_ exchange: Exchange) throws {
    var (client, message) = try exchange.untilFinal()
    #expect(message == exchange.clientFinal)
    #expect(!client.isVerified)
    try client.verify(serverFinal: Array(exchange.serverFinal.utf8))
    #expect(client.isVerified)
  }

  @Test func keyDerivationIsWhatTheServerSaid() throws {
    var client = try SCRAM(hash: .sha1, username: "user", nonce: Exchange.sha1.nonce, gs2: .unsupported)
    _ = try client.firstMessage()
    let derivation = try client.receive(challenge: Array(Exchange.sha1.serverFirst.utf8))
    #expect(
      derivation
        == KeyDerivation(hash: .sha1, salt: Base64.decode("QSXCR+Q6sek8bf92") ?? [], iterations: 4096))
  }

  @Test(arguments: HashAlgorithm.allCases, ["user", "a=b", "a,b", "=2C", "名前", "😀"])
  func anyNameAgainstTheReferenceServer(hash: HashAlgorithm, username: String) throws {
    let server = ReferenceServer(hash: hash, password: "пароль ✓")
    var client = try SCRAM(hash: hash, username: username, nonce: "abc", gs2: .unsupported)
    let first = try client.firstMessage()
    let serverFirst = server.firstMessage(clientNonce: "abc")
    let derivation = try client.receive(challenge: Array(serverFirst.utf8))
    let final = try client.finalMessage(
      saltedPassword: derivation.saltedPassword(from: Array(server.password.utf8)))
    let serverFinal = try server.finalMessage(clientFirst: first, serverFirst: serverFirst, clientFinal: final)
    try client.verify(serverFinal: Array((try #require(serverFinal)).utf8))
    #expect(client.isVerified)
  }

  @Test func namesAreEscaped() throws {
    var client = try SCRAM(hash: .sha1, username: "a,=b", nonce: "x", gs2: .unsupported)
    #expect(String(decoding: try client.firstMessage(), as: UTF8.self) == "n,,n=a=2C=3Db,r=x")
  }

  /// RFC 5802, section 6: the flag opens the first message and is repeated, with the data, in the last.
  @Test(
    arguments: [
      (ChannelBindingFlag.unsupported, "n,,n=user,r=abc", "c=biws,"),
      (.unoffered, "y,,n=user,r=abc", "c=eSws,"),
      (.bound(type: .tlsExporter, data: [0, 255]), "p=tls-exporter,,n=user,r=abc", "c=cD10bHMtZXhwb3J0ZXIsLAD/,"),
    ])
  func channelBindingFlags(flag: ChannelBindingFlag, first: String, final: String) throws {
    var client = try SCRAM(hash: .sha1, username: "user", nonce: "abc", gs2: flag)
    #expect(String(decoding: try client.firstMessage(), as: UTF8.self) == first)
    _ = try client.receive(challenge: Array("r=abcd,s=AAAA,i=4096".utf8))
    let message = try client.finalMessage(saltedPassword: [UInt8](repeating: 1, count: 20))
    #expect(String(decoding: message, as: UTF8.self).hasPrefix(final))
  }
}

/// What SASLprep (RFC 4013) does to what a person typed.
@Suite struct PreparedLoginTests {
  private let derivation = KeyDerivation(hash: .sha256, salt: Array("some salt".utf8), iterations: 4096)

  @Test(arguments: ["a\u{E9} IX", "\u{AA}e\u{301}\u{A0}\u{2168}", "a\u{E9} I\u{AD}X"])
  func thePasswordIsHashedAsItIsPrepared(password: String) throws {
    // Python: hashlib.pbkdf2_hmac("sha256", "aé IX".encode(), b"some salt", 4096)
    let expected = "DuN+3PC05/sROtzLmwqiFJmm2rCupLFhxB+i/FBFP2s="
    #expect(Base64.encode(try derivation.saltedPassword(from: Array(password.utf8))) == expected)
  }

  @Test func aPasswordThatCannotBePreparedIsRefusedWithoutShowingIt() {
    let error = #expect(throws: SASLError.unusablePassword(.prohibited)) {
      try derivation.saltedPassword(from: Array("hunter2\u{7}".utf8))
    }
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test func theUserNameIsPrepared() throws {
    var client = try SCRAM(hash: .sha1, username: "\u{2168}\u{AD},", nonce: "x", gs2: .unsupported)
    #expect(String(decoding: try client.firstMessage(), as: UTF8.self) == "n,,n=IX=2C,r=x")
    #expect(throws: SASLError.unusableUsername(.empty)) {
      try SCRAM(hash: .sha1, username: "\u{AD}", nonce: "x", gs2: .unsupported)
    }
  }
}
