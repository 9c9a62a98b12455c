import Bytes
import Clocks
import Reactor
import Syscalls

/// One attempt to reach a host through a proxy, which looks its name up and connects: no other name than the proxy's
/// own is asked for.
///
/// It calls one of its two handlers once, from the loop, unless it is dropped before.
final class ProxyConnector {
  private let loop: EventLoop
  private let proxy: SOCKSProxy
  /// The destination: `example.org:5222`.
  private let destination: String
  private var handshake: SOCKS5Handshake
  private let onConnected: (consuming OwnedFD, String) -> Void
  private let onFailed: (LinkFailure) -> Void
  private var connector: SocketConnector?
  private var fd: OwnedFD?
  private var watch: Watch?
  private var timer: TimerID?

  /// How long the proxy may take to find and reach the host; an onion service takes its time.
  private static let patience = Interval.seconds(60)

  /// - Parameters:
  ///   - timeout: for each address of the proxy.
  ///   - onConnected: gets the socket and a description of its route.
  /// - Returns: nil if the host or the credentials do not fit into the protocol.
  init?(
    loop: EventLoop, resolver: LoopResolver, proxy: SOCKSProxy, host: String, port: UInt16, timeout: Interval,
    onConnected: @escaping (consuming OwnedFD, String) -> Void, onFailed: @escaping (LinkFailure) -> Void
  ) {
    let address = InternetAddress(literal: host, port: port)
    guard
      let handshake = SOCKS5Handshake(
        to: address.map { .address($0.bytes) } ?? .name(host), port: port, user: proxy.user, password: proxy.password)
    else { return nil }
    self.loop = loop
    self.proxy = proxy
    self.handshake = handshake
    destination = address?.description ?? "\(host):\(port)"
    self.onConnected = onConnected
    self.onFailed = onFailed
    connector = SocketConnector(
      loop: loop, resolver: resolver, host: proxy.host, port: proxy.port, timeout: timeout,
      onConnected: { [unowned self] fd, _ in begin(fd) },
      onFailed: { onFailed(.proxy("the proxy cannot be reached: \($0.sentence)")) })
  }

  deinit { stop() }

  private func begin(_ socket: consuming OwnedFD) {
    connector = nil
    let raw = socket.raw
    fd = consume socket
    timer = loop.startTimer(after: Self.patience) { [unowned self] in fail("took too long") }
    attempt { () throws(Errno) in
      watch = try loop.watch(raw, for: .read) { [unowned self] _ in attempt { () throws(Errno) in try read(raw) } }
      try send(handshake.greeting, to: raw)
    }
  }

  private func read(_ raw: CInt) throws(Errno) {
    guard let bytes = try Descriptors.read(raw, atMost: 512) else { return }
    guard !bytes.isEmpty else { return fail("closed the connection") }
    switch handshake.receive(bytes) {
    case .wait: break
    case .send(let bytes): try send(bytes, to: raw)
    case .done: succeed()
    case .failed(let words): fail(words)
    }
  }

  /// Nothing else is on its way out, so that the few bytes fit.
  private func send(_ bytes: [UInt8], to raw: CInt) throws(Errno) {
    if try Sockets.send(raw, bytes) != bytes.count { fail("stopped reading") }
  }

  private func attempt(_ body: () throws(Errno) -> Void) {
    do throws(Errno) { try body() } catch { fail("broke the connection: \(error.text)") }
  }

  private func succeed() {
    stop()
    guard let fd = fd.take() else { return }
    onConnected(fd, "\(destination) through \(proxy.place)")
  }

  private func fail(_ words: String) {
    stop()
    fd = nil
    onFailed(.proxy("the proxy at \(proxy.place), asked for \(destination), \(words)"))
  }

  private func stop() {
    if let watch = watch.take() { loop.unwatch(watch) }
    if let timer = timer.take() { loop.cancelTimer(timer) }
  }
}
