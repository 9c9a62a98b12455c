import Bytes
import SASL
import TestSupport
import Testing
import XML
import XMPPCore
import XMPPStream

/// A whole negotiation as text: what each side says, in turn.
///
///     C: exactly what the client must have written since the line before
///     S: what the server writes
///     TLS        the client must have asked for TLS (with direct TLS: the first line); the handshake succeeds
///     READY jid  the stream must be ready, bound to jid
///     RESUMED h  the earlier stream must go on, with this count of the server's
///     FAIL text  the stream must have failed with this sentence
///
/// `{text}` in a line stands for the base64 of the text.
struct Conversation: Sendable {
  enum Line: Equatable, Sendable {
    case client(String)
    case server([UInt8])
    case tls
    case ready(String)
    case resumed(String)
    case fail(String)
  }

  let mode: Negotiator.TLSMode
  let nonce: String
  let password: String
  let account: LoginRules
  let facts: TLSFacts
  let pipelining: Negotiator.Pipelining
  let resumption: Negotiator.Resumption?
  let lines: [Line]

  /// What is known of an account and decides how it may log in.
  struct LoginRules: Sendable {
    var pin: Mechanism?
    var allowsPlain = false
  }

  init(
    tls mode: Negotiator.TLSMode = .startTLS, nonce: String = "fyko+d2lbbFgONRv9qkxdawL", password: String = "pencil",
    account: LoginRules = LoginRules(),
    facts: TLSFacts = TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384"),
    pipelining: Negotiator.Pipelining = .none, resumption: Negotiator.Resumption? = nil, _ text: String
  ) {
    self.mode = mode
    self.nonce = nonce
    self.password = password
    self.account = account
    self.facts = facts
    self.pipelining = pipelining
    self.resumption = resumption
    lines = text.split(separator: "\n").map(Self.line)
  }

  private static func line(_ text: Substring) -> Line {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = parts.count > 1 ? expanded(parts[1]) : ""
    switch parts[0] {
    case "C:": return .client(rest)
    case "S:": return .server(Array(rest.utf8))
    case "TLS": return .tls
    case "READY": return .ready(rest)
    case "RESUMED": return .resumed(rest)
    case "FAIL": return .fail(parts.count > 1 ? parts[1] : "")
    default:
      Issue.record("not a line of a conversation: \(text)")
      return .tls
    }
  }

  /// All that the server says, in one piece.
  var serverBytes: [UInt8] {
    lines.flatMap { line -> [UInt8] in if case .server(let bytes) = line { bytes } else { [] } }
  }

  func driver() throws -> Driver {
    Driver(
      Negotiator(
        .init(
          jid: try JID("user@example.org"), resource: "confab", tls: mode, nonce: nonce, iqIDPrefix: "q7-",
          pin: account.pin, allowsPlain: account.allowsPlain, pipelining: pipelining,
          resumption: resumption)),
      password: password, facts: facts)
  }

  /// Plays the conversation with the server's bytes cut at `cuts` (and wherever the other side has its turn), and
  /// checks every line of it. Returns all that the driver saw.
  @discardableResult
  func play(cuts: Set<Int> = []) throws -> Driver {
    var driver = try driver()
    driver.handle(.connected)
    var offset = 0
    for line in lines {
      switch line {
      case .client(let text): #expect(driver.takeSent() == text)
      case .server(let bytes):
        for piece in Self.cut(bytes, at: cuts, offset: offset) { driver.receive(piece) }
        offset += bytes.count
      case .tls:
        #expect(driver.isHandshaking || mode == .direct)
        driver.handshakeDone()
      case .ready(let jid): #expect(driver.ready?.jid.description == jid)
      case .resumed(let h): #expect(driver.resumed.map { "\($0.handled)" } == h)
      case .fail(let sentence): #expect(driver.failure?.sentence == sentence)
      }
    }
    #expect(driver.takeSent() == "")
    return driver
  }

  /// Plays it whole, with all that the server says split everywhere, and byte by byte.
  func playEveryWay() throws {
    try playEveryWay(serverBytes, offset: 0)
  }

  /// The same with only the server's last line split.
  func playEndEveryWay() throws {
    for case .server(let bytes) in lines.reversed() {
      return try playEveryWay(bytes, offset: serverBytes.count - bytes.count)
    }
  }

  private func playEveryWay(_ bytes: [UInt8], offset: Int) throws {
    let result = try feedEveryWay(bytes) { pieces in
      try play(cuts: Set(pieces.map { $0.startIndex + offset })).events
    }
    #expect(result.differences.isEmpty)
  }

  static func cut(_ bytes: [UInt8], at cuts: Set<Int>, offset: Int) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    for end in bytes.indices.dropFirst() where cuts.contains(offset + end) {
      pieces.append(bytes[start..<end])
      start = end
    }
    return pieces + [bytes[start...]]
  }
}

extension Conversation {
  /// Plays it and hands the driver out with whatever it sent last still unlooked at.
  func driverAfter() throws -> Driver {
    var driver = try driver()
    driver.handle(.connected)
    for line in lines {
      switch line {
      case .server(let bytes): driver.receive(bytes[...])
      case .tls: driver.handshakeDone()
      default: break
      }
    }
    return driver
  }

  /// Plays what ends badly, with the server's last words whole, split everywhere and byte by byte.
  static func check(_ text: String) throws {
    try Conversation(text).playEndEveryWay()
  }
}
