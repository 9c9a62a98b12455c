import Bytes
import TLS
import TestSupport
import Testing

/// A client and a server session, connected by hand.
struct TLSPair {
  let client: TLSSession
  let server: TLSSession
  private(set) var clientEvents: [TLSSession.Event] = []
  private(set) var serverEvents: [TLSSession.Event] = []
  /// Bytes from the server to the client.
  private(set) var downBytes = 0

  init(
    trusting anchors: TrustAnchors, name: String, certificate: TestAuthority.Certificate, offersXMPP: Bool = false,
    isOld: Bool = false, isVeryOld: Bool = false
  ) throws {
    try self.init(
      TLSContext(trusting: anchors),
      TLSServerContext(
        certificateFile: certificate.file, keyFile: certificate.keyFile, isOld: isOld, isVeryOld: isVeryOld),
      name: name, offersXMPP: offersXMPP)
  }

  /// The next connection of contexts that are there.
  init(
    _ context: TLSContext, _ server: TLSServerContext, name: String, offersXMPP: Bool = false,
    resumption: TLSSession.Resumption? = nil
  ) throws {
    client = try TLSSession(
      context: context, serverName: name, offersXMPP: offersXMPP, resumption: resumption)
    self.server = try TLSSession(serving: server)
  }

  /// Carries bytes over until nobody has any more.
  ///
  /// - Parameter size: how many at a time.
  mutating func exchange(inPiecesOf size: Int = 65_536) {
    while true {
      let (up, down) = (client.takeOutput(), server.takeOutput())
      if up.isEmpty && down.isEmpty { return }
      downBytes += down.count
      for piece in pieces(up, size) { serverEvents += server.receive(copy: piece) }
      for piece in pieces(down, size) { clientEvents += client.receive(copy: piece) }
    }
  }

  private func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  }

  var clientReceived: [UInt8] { TLSPair.plaintext(clientEvents) }
  var serverReceived: [UInt8] { TLSPair.plaintext(serverEvents) }

  private static func plaintext(_ events: [TLSSession.Event]) -> [UInt8] {
    events.flatMap { event in
      if case .received(let bytes) = event { return bytes }
      return []
    }
  }

  /// What the handshake agreed on, by the client and the server.
  var facts: (client: TLSFacts?, server: TLSFacts?) { (TLSPair.facts(clientEvents), TLSPair.facts(serverEvents)) }

  private static func facts(_ events: [TLSSession.Event]) -> TLSFacts? {
    for case .secured(let facts) in events { return facts }
    return nil
  }

  /// Why the client gave up.
  var clientFailure: TLSFailure? {
    for case .failed(let failure) in clientEvents { return failure }
    return nil
  }
}

extension TLSSession {
  /// `receive` for an array.
  func receive(copy bytes: [UInt8]) -> [Event] {
    unsafe bytes.withUnsafeBytes { unsafe receive($0) }
  }
}
