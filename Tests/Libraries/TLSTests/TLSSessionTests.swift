import Bytes
import TLS
import TestSupport
import Testing

@Suite("TLS sessions over memory")
struct TLSSessionTests {
  private let authority: TestAuthority
  private let certificate: TestAuthority.Certificate

  init() throws {
    authority = try TestAuthority()
    certificate = try authority.certificate(for: ["example.org"])
  }

  private func pair(offersXMPP: Bool = false) throws -> TLSPair {
    try TLSPair(
      trusting: .file(authority.file), name: "example.org", certificate: certificate, offersXMPP: offersXMPP)
  }

  @Test("A handshake secures both sides, in whole flights and byte by byte", arguments: [1, 7, 65_536])
  func handshake(size: Int) throws {
    var pair = try pair()
    pair.exchange(inPiecesOf: size)
    let facts = try #require(pair.facts.client)
    #expect(facts.version == "TLSv1.3" && facts.cipher == "TLS_AES_256_GCM_SHA384" && !facts.isResumed)
    #expect(pair.clientEvents == [.secured(facts)])
    let year: Int64 = 365 * 86_400
    #expect(facts.certificateEnd.map { $0 > year * 50 && $0 < year * 200 } == true, "it is the client that sees one")
    let server = TLSFacts(
      version: facts.version, cipher: facts.cipher, tlsExporter: facts.tlsExporter,
      tlsServerEndPoint: facts.tlsServerEndPoint)
    #expect(pair.serverEvents == [.secured(server)])
    #expect(pair.client.isOpen && pair.server.isOpen)
  }

  @Test("TLS 1.2 is spoken too, with data and an orderly end")
  func old() throws {
    var pair = try TLSPair(
      trusting: .file(authority.file), name: "example.org", certificate: certificate, isOld: true)
    pair.exchange(inPiecesOf: 11)
    guard case .secured(let facts) = pair.clientEvents.first else {
      Issue.record("\(pair.clientEvents)")
      return
    }
    #expect(facts.version == "TLSv1.2")
    try pair.client.send([UInt8](repeating: 3, count: 40_000))
    pair.exchange()
    #expect(pair.serverReceived.count == 40_000)
    pair.server.close()
    pair.exchange()
    #expect(pair.clientEvents.last == .closed)
  }

  @Test("Direct TLS asks for xmpp-client")
  func applicationProtocol() throws {
    var pair = try pair(offersXMPP: true)
    pair.exchange()
    guard case .secured(let facts) = pair.clientEvents.first else {
      Issue.record("not secured")
      return
    }
    #expect(facts.applicationProtocol == "xmpp-client")
  }

  @Test("Data goes both ways unharmed, however it is cut", arguments: [(5, 3), (16_384, 1000), (300_000, 65_536)])
  func data(count: Int, size: Int) throws {
    var pair = try pair()
    pair.exchange()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try pair.client.send(bytes)
    try pair.server.send(bytes.reversed())
    pair.exchange(inPiecesOf: size)
    #expect(pair.serverReceived == bytes)
    #expect(pair.clientReceived == bytes.reversed())
  }

  @Test("64 KiB of ciphertext come out in pieces of bounded size")
  func boundedPieces() throws {
    var pair = try pair()
    pair.exchange()
    try pair.server.send([UInt8](repeating: 1, count: 1_000_000))
    pair.exchange()
    for case .received(let piece) in pair.clientEvents { #expect((1...65_536).contains(piece.count)) }
    #expect(pair.clientReceived.count == 1_000_000)
  }

  @Test("close_notify is an orderly end; the end of the transport without it is a cut")
  func endings() throws {
    var pair = try pair()
    pair.exchange()
    #expect(pair.client.endOfInput() == .cut)
    try pair.server.send([1])
    pair.server.close()
    pair.exchange()
    #expect(pair.clientEvents.suffix(2) == [.received([1]), .closed])
    #expect(pair.client.endOfInput() == nil)
    #expect(!pair.client.isOpen)
    pair.client.close()
    pair.exchange()
    #expect(pair.serverEvents.count == 1, "the server has closed: it looks at nothing more")
  }

  @Test("Plaintext before a broken record is delivered, then the session has failed for good")
  func brokenRecord() throws {
    var pair = try pair()
    pair.exchange()
    try pair.server.send([42])
    var bytes = pair.server.takeOutput()
    try pair.server.send([43])
    var broken = pair.server.takeOutput()
    broken[broken.count - 1] ^= 1
    bytes += broken
    let events = pair.client.receive(copy: bytes)
    #expect(events.first == .received([42]))
    #expect(events.count == 2)
    guard case .failed(.protocolError(let words)) = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(words.contains("bad record mac") || words.contains("decryption failed"))
    #expect(pair.client.receive(copy: bytes) == [])
  }

  @Test(
    "What is no TLS is told as such",
    arguments: ["HTTP/1.0 400 Bad Request\r\n\r\n", "<?xml version='1.0'?><stream:stream>", "SSH-2.0-OpenSSH_9.2\r\n"])
  func notTLS(answer: String) throws {
    let pair = try pair()
    let events = pair.client.receive(copy: Array(answer.utf8))
    #expect(events == [.failed(.notTLS)])
  }

  @Test("An alert of the peer is told in its words")
  func alert() throws {
    let pair = try pair()
    #expect(pair.client.receive(copy: [21, 3, 3, 0, 2, 2, 40]) == [.failed(.alert("handshake failure"))])
    #expect(TLSFailure.alert("handshake failure").sentence == "the server ended the TLS handshake: handshake failure")
  }

  @Test("Random bytes after the handshake never do more than fail", arguments: 0..<20)
  func noise(seed: Int) throws {
    var generator = SplitMix(state: UInt64(seed))
    var pair = try pair()
    pair.exchange()
    let noise = (0..<1000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    let events = pair.client.receive(copy: [23, 3, 3, 1, 0] + noise)
    #expect(events.count == 1)
    #expect(!pair.client.isOpen)
  }

  @Test("A name that cannot be asked for is an error", arguments: ["", ".", "exa mple", "bücher.example", "a\0b"])
  func badName(name: String) throws {
    let context = try TLSContext(trusting: .file(authority.file))
    #expect(throws: TLSFailure.self) { try TLSSession(context: context, serverName: name, offersXMPP: false) }
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
