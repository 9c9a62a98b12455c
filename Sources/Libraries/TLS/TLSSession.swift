package import Bytes
import COpenSSL

/// One TLS connection without a socket: ciphertext in, plaintext out, and the other way round.
///
/// Owned by its link and used on one thread. Feed it with `receive`, send what `takeOutput` gives after every call.
/// It never waits and never makes a system call.
@safe package final class TLSSession {
  package enum Event: Equatable, Sendable {
    /// The handshake is done; for a client: the server has proved who it is.
    case secured(TLSFacts)
    /// Plaintext, 1 byte to 64 KiB.
    case received([UInt8])
    /// The peer closed in order; it sends nothing more.
    case closed
    /// It is over; nothing that comes after is looked at.
    case failed(TLSFailure)
  }

  private enum State { case handshaking, open, closed, failed }

  let handle: OpaquePointer
  let memory: SessionMemory
  /// Keeps what the handle refers to.
  private let context: AnyObject
  private var state = State.handshaking
  private let isALPNRequired: Bool

  /// The largest piece of plaintext that is given in one event.
  private static let largestPiece = 65_536

  /// A client session, with its first message ready in `takeOutput`.
  ///
  /// - Parameters:
  ///   - serverName: the JID's domain, ASCII, which the certificate must be for; never a name that DNS gave. One final
  ///     dot is ignored.
  ///   - offersXMPP: whether to ask for `xmpp-client` by ALPN, as direct TLS does (XEP-0368).
  ///   - resumption: nil: it has nothing of other sessions and leaves nothing to them.
  /// - Throws: `.configuration` for a name that cannot be asked for.
  package convenience init(
    context: TLSContext, serverName: String, offersXMPP: Bool, resumption: Resumption? = nil
  ) throws(TLSFailure) {
    let name = serverName.hasSuffix(".") ? String(serverName.dropLast()) : serverName
    guard !name.isEmpty, name.utf8.count <= 253, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw .configuration("\(serverName) cannot be a server's name in TLS")
    }
    unsafe try self.init(context, context.handle, expecting: name, isALPNRequired: offersXMPP)
    try expect(name)
    if offersXMPP { try offerXMPP() }
    unsafe SSL_set_connect_state(handle)
    if let resumption { resume(resumption, context, name) }
    var events: [Event] = []
    shakeHands(&events)
    for case .failed(let failure) in events { throw failure }
  }

  /// A server session; for the scripted servers of tests and measurements.
  package convenience init(serving context: TLSServerContext) throws(TLSFailure) {
    unsafe try self.init(context, context.handle, expecting: "", isALPNRequired: false)
    unsafe SSL_set_accept_state(handle)
  }

  private init(
    _ owner: AnyObject, _ context: OpaquePointer, expecting host: String, isALPNRequired: Bool
  ) throws(TLSFailure) {
    OpenSSLErrors.clear()
    memory = SessionMemory(expectedHost: host)
    self.context = owner
    self.isALPNRequired = isALPNRequired
    guard let handle = unsafe SSL_new(context) else { throw .configuration("TLS: " + OpenSSLErrors.takeWords()) }
    unsafe self.handle = unsafe handle
    guard let bio = unsafe memory.makeBIO() else { throw .configuration("TLS: " + OpenSSLErrors.takeWords()) }
    unsafe SSL_set_bio(handle, bio, bio)
  }

  deinit { unsafe SSL_free(handle) }

  /// True if the handshake is done and nothing has ended the session.
  package var isOpen: Bool { state == .open }

  /// Takes the ciphertext to send; ask after every other call.
  package func takeOutput() -> [UInt8] { memory.takeOutput() }

  /// Handles ciphertext that came, all of it. The bytes are only looked at during the call.
  package func receive(_ ciphertext: UnsafeRawBufferPointer) -> [Event] {
    unsafe memory.withInput(ciphertext) {
      var events: [Event] = []
      if state == .handshaking { shakeHands(&events) }
      while state == .open, readPiece(sizedFor: ciphertext.count, &events) {}
      return events
    }
  }

  /// Encrypts plaintext. Nothing happens before the handshake is done or after the end.
  package func send(_ plaintext: [UInt8]) throws(TLSFailure) {
    var offset = 0
    while state == .open, offset < plaintext.count {
      OpenSSLErrors.clear()
      var count = 0
      let result = unsafe plaintext.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        return unsafe SSL_write_ex(handle, rest.baseAddress, rest.count, &count)
      }
      guard result == 1 else { throw fail() }
      offset += count
    }
  }

  /// Says goodbye (close_notify); `takeOutput` has it.
  package func close() {
    guard state == .open || state == .closed else { return }
    OpenSSLErrors.clear()
    _ = unsafe SSL_shutdown(handle)
    OpenSSLErrors.clear()
    state = .closed
  }

  /// The transport ended: in order only where the peer closed before.
  package func endOfInput() -> TLSFailure? {
    unsafe SSL_get_shutdown(handle) & SSL_RECEIVED_SHUTDOWN != 0 ? nil : .cut
  }
}

extension TLSSession {
  /// Sets what the certificate must be for: a dNSName, whole labels only, never the subject's common name.
  private func expect(_ name: String) throws(TLSFailure) {
    unsafe SSL_set_hostflags(handle, confab_host_flags)
    guard unsafe SSL_set1_host(handle, name) == 1,
      unsafe confab_is_address(name) == 1 || confab_ssl_set_server_name(handle, name) == 1
    else {
      throw .configuration("\(name) cannot be a server's name in TLS: " + OpenSSLErrors.takeWords())
    }
    unsafe SSL_set_verify(handle, SSL_VERIFY_PEER) { isFine, store in
      if isFine == 0, let store = unsafe store { unsafe TLSSession.noteProblem(store) }
      return isFine
    }
  }

  private static func noteProblem(_ store: OpaquePointer) {
    guard let ssl = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
      let memory = unsafe SessionMemory.of(SSL_get_rbio(OpaquePointer(ssl)))
    else { return }
    memory.problem = unsafe CertificateProblem(store, expected: memory.expectedHost)
  }

  private func offerXMPP() throws(TLSFailure) {
    let protocols = [UInt8(11)] + Array("xmpp-client".utf8)
    guard unsafe SSL_set_alpn_protos(handle, protocols, UInt32(protocols.count)) == 0 else {
      throw .configuration("TLS: " + OpenSSLErrors.takeWords())
    }
  }

  private func shakeHands(_ events: inout [Event]) {
    OpenSSLErrors.clear()
    let result = unsafe SSL_do_handshake(handle)
    if result == 1 { return finishHandshake(&events) }
    if unsafe SSL_get_error(handle, result) != SSL_ERROR_WANT_READ { events.append(.failed(fail())) }
  }

  private func finishHandshake(_ events: inout [Event]) {
    let code = unsafe SSL_get_verify_result(handle)
    guard code == Int(X509_V_OK) else {
      state = .failed
      return events.append(.failed(.certificate(.other(CertificateProblem.words(CInt(code))))))
    }
    let chosen = chosenProtocol
    if isALPNRequired, let chosen, chosen != "xmpp-client" {
      state = .failed
      return events.append(.failed(.wrongApplicationProtocol))
    }
    state = .open
    keepFinishedSession()
    let version = unsafe String(cString: SSL_get_version(handle))
    let cipher = unsafe SSL_CIPHER_get_name(SSL_get_current_cipher(handle)).map { unsafe String(cString: $0) }
    events.append(
      .secured(
        TLSFacts(
          version: version, cipher: cipher ?? "?", applicationProtocol: chosen, tlsExporter: tlsExporter(),
          tlsServerEndPoint: tlsServerEndPoint(), isResumed: unsafe SSL_session_reused(handle) == 1,
          certificateEnd: unsafe SavedSession.chainEnd(of: handle))))
  }

  private var chosenProtocol: String? {
    var bytes: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(handle, &bytes, &count)
    guard let bytes = unsafe bytes, count > 0 else { return nil }
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }

  /// Decrypts into one piece as many records as fit.
  ///
  /// - Parameter size: of the ciphertext that came, which bounds the plaintext but for the rest of a record.
  /// - Returns: whether there may be more.
  private func readPiece(sizedFor size: Int, _ events: inout [Event]) -> Bool {
    var end: CInt = SSL_ERROR_NONE
    let capacity = min(max(size, 512), TLSSession.largestPiece)
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      while filled < capacity {
        OpenSSLErrors.clear()
        var count = 0
        let rest = unsafe buffer.baseAddress?.advanced(by: filled)
        let result = unsafe SSL_read_ex(handle, rest, capacity - filled, &count)
        guard result == 1 else {
          end = unsafe SSL_get_error(handle, result)
          return
        }
        filled += count
      }
    }
    if !piece.isEmpty { events.append(.received(piece)) }
    switch end {
    case SSL_ERROR_NONE: return true
    case SSL_ERROR_WANT_READ: return false
    case SSL_ERROR_ZERO_RETURN:
      state = .closed
      events.append(.closed)
    default: events.append(.failed(fail()))
    }
    return false
  }

  /// Ends the session and says why.
  private func fail() -> TLSFailure {
    state = .failed
    if let problem = memory.problem {
      OpenSSLErrors.clear()
      return .certificate(problem)
    }
    return OpenSSLErrors.takeFailure()
  }
}
