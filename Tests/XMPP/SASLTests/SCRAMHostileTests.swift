import Bytes
import Crypto
import SASL
import Testing

/// What a hostile or broken server can say, and what each gets.
@Suite struct SCRAMHostileTests {
  private func client(_ hash: HashAlgorithm = .sha1) throws -> SCRAM {
    var client = try SCRAM(hash: hash, username: "user", nonce: "abc", gs2: .unsupported)
    _ = try client.firstMessage()
    return client
  }

  @Test(
    arguments: [
      ("", SASLError.malformed("item 1 is not an attribute")),
      (",", .malformed("item 1 is not an attribute")),
      ("r=abcd", .malformed("it does not begin with the attributes rsi")),
      ("r=abcd,s=AAAA", .malformed("it does not begin with the attributes rsi")),
      ("s=AAAA,r=abcd,i=4096", .malformed("it does not begin with the attributes rsi")),
      ("x=1,r=abcd,s=AAAA,i=4096", .malformed("it does not begin with the attributes rsi")),
      ("R=abcd,s=AAAA,i=4096", .malformed("it does not begin with the attributes rsi")),
      ("r=abcd,s=AAAA,i=4096,", .malformed("item 4 is not an attribute")),
      ("r=abcd,s=AAAA,i=4096,x", .malformed("item 4 is not an attribute")),
      ("r=abcd,s=AAAA,i=4096,x=", .malformed("item 4 is not an attribute")),
      ("r=abcd,s=AAAA,i=4096,1=2", .malformed("item 4 is not an attribute")),
      ("r=abcd,s=AAAA,i=4096,i=1", .malformed("an attribute is repeated")),
      ("r=abcd,s=AAAA,i=4096\0", .malformed("it holds a NUL")),
      ("m=ext,r=abcd,s=AAAA,i=4096", .mandatoryExtension),
      ("r=abcd,s=AAAA,i=4096,m=ext", .mandatoryExtension),
      ("e=other-error", .refused("other-error")),
      ("r=abc,s=AAAA,i=4096", .nonceMismatch),
      ("r=ab,s=AAAA,i=4096", .nonceMismatch),
      ("r=abD,s=AAAA,i=4096", .nonceMismatch),
      ("r=xabc,s=AAAA,i=4096", .nonceMismatch),
      ("r=ABCd,s=AAAA,i=4096", .nonceMismatch),
      ("r=abc d,s=AAAA,i=4096", .malformed("its nonce is not printable ASCII")),
      ("r=abcé,s=AAAA,i=4096", .malformed("its nonce is not printable ASCII")),
      ("r=abcd,s=,i=4096", .malformed("item 2 is not an attribute")),
      ("r=abcd,s====,i=4096", .malformed("its salt is not base64")),
      ("r=abcd,s=AAA,i=4096", .malformed("its salt is not base64")),
      ("r=abcd,s=A AA,i=4096", .malformed("its salt is not base64")),
      ("r=abcd,s=AB==,i=4096", .malformed("its salt is not base64")),
      ("r=abcd,s=AAAA,i=", .malformed("item 3 is not an attribute")),
      ("r=abcd,s=AAAA,i=0", .malformed("its iteration count is not a number")),
      ("r=abcd,s=AAAA,i=04096", .malformed("its iteration count is not a number")),
      ("r=abcd,s=AAAA,i=+4096", .malformed("its iteration count is not a number")),
      ("r=abcd,s=AAAA,i=-4096", .malformed("its iteration count is not a number")),
      ("r=abcd,s=AAAA,i=4096.0", .malformed("its iteration count is not a number")),
      ("r=abcd,s=AAAA,i=0x1000", .malformed("its iteration count is not a number")),
      ("r=abcd,s=AAAA,i=４０９６", .malformed("its iteration count is not a number")),
      ("r=abcd,s=AAAA,i=1", .tooFewIterations(1)),
      ("r=abcd,s=AAAA,i=4095", .tooFewIterations(4095)),
      ("r=abcd,s=AAAA,i=1000001", .tooManyIterations),
      ("r=abcd,s=AAAA,i=9223372036854775807", .tooManyIterations),
      ("r=abcd,s=AAAA,i=18446744073709555712", .tooManyIterations),
      ("r=abcd,s=AAAA,i=99999999999999999999999999999999999999", .tooManyIterations),
    ])
  func firstMessages(text: String, expected: SASLError) throws {
    var client = try client()
    #expect(throws: expected) { try client.receive(challenge: Array(text.utf8)) }
    #expect(throws: SASLError.outOfOrder) { try client.receive(challenge: Array("r=abcd,s=AAAA,i=4096".utf8)) }
  }

  @Test(arguments: ["r=abcd,s=AAAA,i=4096", "r=abcd,s=AAAA,i=1000000", "r=abcd,s=AAAA,i=4096,x=1,y=a=b,x=2"])
  func acceptedFirstMessages(text: String) throws {
    var client = try client()
    #expect(try client.receive(challenge: Array(text.utf8)).salt == [0, 0, 0])
  }

  @Test func notUTF8() throws {
    var client = try client()
    let challenge = Array("r=abcd,s=AAAA,i=4096,x=".utf8) + [0xc3, 0x28]
    #expect(throws: SASLError.malformed("it is not UTF-8")) { try client.receive(challenge: challenge) }
  }

  @Test(
    arguments: [
      ("", SASLError.malformed("item 1 is not an attribute")),
      ("v=", .malformed("item 1 is not an attribute")),
      ("v=rmF9", .wrongServerSignature),
      ("v====", .malformed("its signature is not base64")),
      ("v=rmF9pqV8S7suAoZWja4dJRkFsKQ", .malformed("its signature is not base64")),
      ("v=smF9pqV8S7suAoZWja4dJRkFsKQ=", .wrongServerSignature),
      ("v=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=", .wrongServerSignature),
      ("x=1,v=rmF9pqV8S7suAoZWja4dJRkFsKQ=", .malformed("it does not begin with the attributes v")),
      ("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=,v=rmF9", .malformed("an attribute is repeated")),
      ("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=,m=1", .mandatoryExtension),
      ("e=invalid-proof", .refused("invalid-proof")),
      ("e=invalid-proof,v=rmF9pqV8S7suAoZWja4dJRkFsKQ=", .refused("invalid-proof")),
    ])
  func lastMessages(text: String, expected: SASLError) throws {
    var (client, _) = try Exchange.sha1.untilFinal()
    #expect(throws: expected) { try client.verify(serverFinal: Array(text.utf8)) }
    #expect(!client.isVerified)
    #expect(throws: SASLError.outOfOrder) { try client.verify(serverFinal: Array(Exchange.sha1.serverFinal.utf8)) }
    #expect(!client.isVerified)
  }

  @Test func extensionsAfterTheSignatureAreIgnored() throws {
    var (client, _) = try Exchange.sha1.untilFinal()
    try client.verify(serverFinal: Array((Exchange.sha1.serverFinal + ",x=whatever").utf8))
    #expect(client.isVerified)
  }

  @Test func theServersReasonIsCutShort() throws {
    var client = try client()
    let reason = String(repeating: "é", count: 50_000)
    #expect(throws: SASLError.refused(String(reason.prefix(100)))) {
      try client.receive(challenge: Array("e=\(reason)".utf8))
    }
  }

  @Test func theServersReasonIsCutByScalars() throws {
    var client = try client()
    let marks = String(repeating: "\u{301}", count: 20_000)
    #expect(throws: SASLError.refused("e" + String(repeating: "\u{301}", count: 99))) {
      try client.receive(challenge: Array("e=e\(marks)".utf8))
    }
  }

  @Test func stepsOutOfOrder() throws {
    var fresh = try SCRAM(hash: .sha1, username: "user", nonce: "abc", gs2: .unsupported)
    #expect(throws: SASLError.outOfOrder) { try fresh.receive(challenge: Array("r=abcd,s=AAAA,i=4096".utf8)) }
    var early = try client()
    #expect(throws: SASLError.outOfOrder) { try early.verify(serverFinal: Array("v=AAAA".utf8)) }
    var twice = try client()
    #expect(throws: SASLError.outOfOrder) { try twice.firstMessage() }
    var short = try client()
    _ = try short.receive(challenge: Array("r=abcd,s=AAAA,i=4096".utf8))
    #expect(throws: SASLError.outOfOrder) { try short.finalMessage(saltedPassword: [1, 2, 3]) }
  }

  @Test(arguments: ["", "a,b", "a b", "é", "a\0"])
  func nonces(nonce: String) {
    #expect(throws: SASLError.unusableNonce) {
      try SCRAM(hash: .sha1, username: "user", nonce: nonce, gs2: .unsupported)
    }
  }

  @Test func noName() {
    #expect(throws: SASLError.emptyUsername) { try SCRAM(hash: .sha1, username: "", nonce: "x", gs2: .unsupported) }
  }

  /// Every byte of the server's first message changed, removed or doubled: refused at once, or the exchange is another
  /// one whose signature the server cannot have meant.
  @Test(arguments: Exchange.all)
  func surgeryOnTheFirstMessage(_ exchange: Exchange) throws {
    for damaged in surgeries(on: Array(exchange.serverFirst.utf8)) {
      var client = try SCRAM(hash: exchange.hash, username: "user", nonce: exchange.nonce, gs2: .unsupported)
      _ = try client.firstMessage()
      guard (try? client.receive(challenge: damaged)) != nil else { continue }
      _ = try client.finalMessage(saltedPassword: [UInt8](repeating: 7, count: exchange.hash.byteCount))
      #expect(throws: SASLError.wrongServerSignature) {
        try client.verify(serverFinal: Array(exchange.serverFinal.utf8))
      }
    }
  }

  /// The same for its last message: none of them is believed.
  @Test(arguments: Exchange.all)
  func surgeryOnTheLastMessage(_ exchange: Exchange) throws {
    let (client, _) = try exchange.untilFinal()
    for damaged in surgeries(on: Array(exchange.serverFinal.utf8)) {
      var client = client
      #expect(throws: SASLError.self) { try client.verify(serverFinal: damaged) }
      #expect(!client.isVerified)
    }
  }

  private func surgeries(on message: [UInt8]) -> [[UInt8]] {
    let replacements: [UInt8] = [0, 9, 0x2c, 0x3d, 0x41, 0x7f, 0x80, 0xff]
    return message.indices.flatMap { index in
      var all = [Array(message[..<index]), Array(message[..<index] + message[(index + 1)...])]
      all.append(Array(message[...index] + message[index...]))
      for byte in replacements + [message[index] ^ 1, message[index] ^ 0x20] where byte != message[index] {
        all.append(Array(message[..<index] + [byte] + message[(index + 1)...]))
      }
      return all
    }
  }
}
