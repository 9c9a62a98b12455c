import Reactor
import Syscalls
import TLS
import TestSupport
import Testing

/// A server of one connection on loopback, on the loop of the test.
final class ServerPeer {
  let address: InternetAddress
  private(set) var received: [UInt8] = []
  private(set) var hasEnded = false
  private(set) var session: TLSSession?
  private let loop: EventLoop
  private let listener: OwnedFD
  private var listenerWatch: Watch?
  private var fd: OwnedFD?
  private var watch: Watch?
  var onAccept: () -> Void = {}

  /// - Parameter place: where it listens; none: 127.0.0.1 with a port of its own.
  init(loop: EventLoop, at place: InternetAddress? = nil) throws {
    self.loop = loop
    listener = try Sockets.listening(at: try #require(place ?? .loopback(port: 0)))
    address = try #require(try Sockets.localAddress(listener.raw))
    listenerWatch = try loop.watch(listener.raw, for: .read) { [unowned self] _ in try? accept() }
  }

  deinit {
    hangUp()
    if let listenerWatch { loop.unwatch(listenerWatch) }
  }

  var isConnected: Bool { fd != nil }

  private func accept() throws {
    let accepted = try Sockets.accept(listener.raw)
    guard let accepted else { return }
    let raw = accepted.raw
    fd = consume accepted
    watch = try loop.watch(raw, for: .read) { [unowned self] _ in try? read() }
    onAccept()
  }

  /// Goes on in TLS.
  func startTLS(_ certificate: TestAuthority.Certificate) throws {
    session = try TLSSession(
      serving: TLSServerContext(certificateFile: certificate.file, keyFile: certificate.keyFile))
  }

  private func read() throws {
    guard let raw = fd?.raw, let bytes = try Descriptors.read(raw, atMost: 65_536) else { return }
    if bytes.isEmpty {
      hasEnded = true
      if let watch = watch.take() { loop.unwatch(watch) }
      return
    }
    guard let session else { return received += bytes }
    for event in unsafe bytes.withUnsafeBytes({ unsafe session.receive($0) }) {
      if case .received(let plaintext) = event { received += plaintext }
      if case .closed = event { hasEnded = true }
    }
    try sendRaw(session.takeOutput())
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    guard let session else { return try sendRaw(bytes) }
    try session.send(bytes)
    try sendRaw(session.takeOutput())
  }

  /// Says goodbye in TLS.
  func closeNotify() throws {
    session?.close()
    try sendRaw(session?.takeOutput() ?? [])
  }

  private func sendRaw(_ bytes: [UInt8]) throws {
    if !bytes.isEmpty { try Descriptors.writeAll(fd?.raw ?? -1, bytes) }
  }

  /// Reads no more, so that the other side's socket fills up.
  func stopReading() {
    if let watch = watch.take() { loop.unwatch(watch) }
  }

  /// Closes the connection, with a reset where asked for.
  func hangUp(reset: Bool = false) {
    stopReading()
    if reset, let raw = fd?.raw { try? Sockets.setResetOnClose(raw) }
    fd = nil
  }
}
