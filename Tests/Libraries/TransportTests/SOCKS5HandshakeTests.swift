import Testing

@testable import Transport

@Suite("What is said to a SOCKS5 proxy")
struct SOCKS5HandshakeTests {
  private typealias Handshake = SOCKS5Handshake

  private static func handshake(user: String? = nil, password: String = "geheim") throws -> SOCKS5Handshake {
    try #require(
      Handshake(to: .name("im.example"), port: 5222, user: user.map { Array($0.utf8) }, password: Array(password.utf8)))
  }

  private static let request: [UInt8] = [5, 1, 0, 3, 10] + Array("im.example".utf8) + [0x14, 0x66]
  private static let granted: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 0, 80]

  /// A handshake up to the request.
  private static func requested() throws -> SOCKS5Handshake {
    var handshake = try handshake()
    #expect(handshake.receive([5, 0]) == .send(request))
    return handshake
  }

  @Test("Without credentials: no way of signing in, then the name to connect to")
  func plain() throws {
    var handshake = try Self.handshake()
    #expect(handshake.greeting == [5, 1, 0])
    #expect(handshake.receive([5, 0]) == .send(Self.request))
    #expect(handshake.receive(Self.granted) == .done)
  }

  @Test("With credentials: nothing else is offered")
  func credentials() throws {
    var handshake = try Self.handshake(user: "me")
    #expect(handshake.greeting == [5, 1, 2])
    #expect(handshake.receive([5, 2]) == .send([1, 2] + Array("me".utf8) + [6] + Array("geheim".utf8)))
    #expect(handshake.receive([1, 0]) == .send(Self.request))
    #expect(handshake.receive(Self.granted) == .done)
  }

  @Test("Single bytes do as well")
  func singleBytes() throws {
    var handshake = try Self.handshake(user: "me")
    var steps: [SOCKS5Handshake.Step] = []
    for byte in [5, 2, 1, 0] + Self.granted { steps.append(handshake.receive([byte])) }
    #expect(steps.filter { $0 != .wait }.count == 3)
    #expect(steps.last == .done)
  }

  @Test("Addresses are asked for as such", arguments: [[192, 0, 2, 1], [UInt8](repeating: 7, count: 16)])
  func addresses(bytes: [UInt8]) throws {
    var handshake = try #require(Handshake(to: .address(bytes), port: 443))
    #expect(handshake.receive([5, 0]) == .send([5, 1, 0, bytes.count == 4 ? 1 : 4] + bytes + [1, 0xbb]))
  }

  @Test(
    "The address in the reply may be of any type and length",
    arguments: [
      [1, 0, 0, 0, 0], [4] + [UInt8](repeating: 0, count: 16), [3, 0], [3, 255] + [UInt8](repeating: 65, count: 255),
    ] as [[UInt8]])
  func replies(address: [UInt8]) throws {
    let reply = [5, 0, 0] + address + [0, 80]
    for size in 0..<reply.count {
      var handshake = try Self.requested()
      #expect(handshake.receive(Array(reply[..<size])) == .wait)
      #expect(handshake.receive(Array(reply[size...])) == .done)
    }
  }

  @Test("Not one byte may stand behind an answer: nobody has spoken to the server yet")
  func surplus() throws {
    let words = SOCKS5Handshake.Step.failed("sent more than was asked for")
    var handshake = try Self.requested()
    #expect(handshake.receive(Self.granted + [0x3c]) == words)
    #expect(handshake.receive(Self.granted) == .wait)
    var early = try Self.handshake()
    #expect(early.receive([5, 0] + Self.granted) == words)
    var authenticated = try Self.handshake(user: "me")
    _ = authenticated.receive([5, 2])
    #expect(authenticated.receive([1, 0, 5]) == words)
  }

  @Test(
    "What no proxy of this kind says ends it",
    arguments: [
      ([4, 0], "does not speak SOCKS5"), (Array("HTTP/1.1 400 Bad Request".utf8), "does not speak SOCKS5"),
      ([0, 0x5b], "does not speak SOCKS5"), ([5, 0xff], "wants a user name and a password"),
      ([5, 2], "chose a login method that was not offered"),
      ([5, 1], "chose a login method that was not offered"),
    ] as [([UInt8], String)])
  func badMethods(bytes: [UInt8], words: String) throws {
    var handshake = try Self.handshake()
    #expect(handshake.receive(bytes) == .failed(words))
    #expect(handshake.receive([5, 0]) == .wait)
  }

  @Test(
    "A proxy that does not take the credentials is told as such",
    arguments: [
      ([[5, 0xff]], "accepts no user name and password"), ([[5, 0]], "chose a login method that was not offered"),
      ([[5, 2], [1, 1]], "says that the user name or the password is wrong"),
      ([[5, 2], [5, 0]], "broke the protocol of the user name and password"),
    ] as [([[UInt8]], String)])
  func badCredentials(answers: [[UInt8]], words: String) throws {
    var handshake = try Self.handshake(user: "me")
    let steps = answers.map { handshake.receive($0) }
    #expect(steps.last == .failed(words))
  }

  @Test(
    "Every refusal has its words, with or without an address behind it",
    arguments: [
      (1, "failed"), (2, "does not allow the connection"), (3, "cannot reach the network"),
      (4, "cannot reach the host"), (5, "was refused the connection"),
      (6, "reports that the connection's time to live expired"),
      (7, "does not support connecting"), (8, "does not support this type of address"),
      (0xf0, "cannot find the onion service"),
      (0xf6, "says that the onion address is wrong"), (9, "failed (9)"), (255, "failed (255)"),
    ] as [(UInt8, String)])
  func refusals(code: UInt8, words: String) throws {
    var short = try Self.requested()
    #expect(short.receive([5, code]) == .failed(words))
    var long = try Self.requested()
    #expect(long.receive([5, code, 0, 1, 0, 0, 0, 0, 0, 0]) == .failed(words))
  }

  @Test("A reply of another version or with an unknown type of address breaks the protocol")
  func badReplies() throws {
    for reply in [[1, 0, 0, 1, 0, 0, 0, 0, 0, 0], [5, 0, 0, 2, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
      var handshake = try Self.requested()
      #expect(handshake.receive(reply) == .failed("broke the protocol in its reply"))
    }
  }

  @Test("What does not fit into the protocol is not asked for")
  func tooLong() {
    let long = String(repeating: "a", count: 256)
    #expect(Handshake(to: .name(long), port: 1) == nil)
    #expect(Handshake(to: .name(""), port: 1) == nil)
    #expect(Handshake(to: .name("a\0b"), port: 1) == nil)
    #expect(Handshake(to: .name("b\u{FC}cher.example"), port: 1) == nil)
    #expect(Handshake(to: .address([1, 2, 3]), port: 1) == nil)
    #expect(Handshake(to: .name("a"), port: 1, user: Array(long.utf8), password: [1]) == nil)
    #expect(Handshake(to: .name("a"), port: 1, user: [1], password: []) == nil)
    #expect(Handshake(to: .name(String(long.dropLast())), port: 1) != nil)
  }
}
