import Clocks
import Reactor
import Syscalls

/// One address being connected to.
final class ConnectAttempt {
  private let loop: EventLoop
  private var fd: OwnedFD?
  private var watch: Watch?
  private var timer: TimerID?

  /// - Parameter ended: called once, from the loop: nil when the connection is there.
  init(
    loop: EventLoop, address: InternetAddress, timeout: Interval, ended: @escaping (LinkFailure?) -> Void
  ) throws(Errno) {
    self.loop = loop
    let fd = try Sockets.startConnecting(to: address)
    let raw = fd.raw
    self.fd = consume fd
    watch = try loop.watch(raw, for: .write) { [unowned self] _ in
      let error = Sockets.pendingError(raw, "connect", object: address.description)
      stop()
      ended(error.map { SocketConnector.failure($0, at: address) })
    }
    timer = loop.startTimer(after: timeout) { [unowned self] in
      stop()
      ended(.timedOut(step: "connecting to \(address)"))
    }
  }

  deinit { stop() }

  /// Hands over the socket, no longer watched.
  func takeSocket() -> OwnedFD? {
    stop()
    return fd.take()
  }

  private func stop() {
    if let watch = watch.take() { loop.unwatch(watch) }
    if let timer = timer.take() { loop.cancelTimer(timer) }
  }
}
