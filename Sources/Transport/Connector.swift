import Clocks
import NameService
import Reactor
import Syscalls

/// One attempt to reach a host: both families asked for, each address tried in turn, IPv6 first where it is there in
/// time.
///
/// It calls one of its two handlers once, from the loop, unless it is dropped before.
final class Connector {
  private let loop: EventLoop
  private let host: String
  private let port: UInt16
  private let timeout: Interval
  private let onConnected: (consuming OwnedFD, InternetAddress) -> Void
  private let onFailed: (LinkFailure) -> Void

  private var candidates: [InternetAddress] = []
  private var unanswered: Set<AddressFamily> = [.v6, .v4]
  private var attempt: Attempt?
  private var headStart: TimerID?
  /// The failure that tells most, so far.
  private var failure: LinkFailure?
  private var isDone = false

  /// How long IPv4 addresses wait for IPv6 ones (RFC 8305, section 3).
  private static let headStartLength = Interval.milliseconds(50)

  /// - Parameter timeout: for each address.
  init(
    loop: EventLoop, resolver: LoopResolver, host: String, port: UInt16, timeout: Interval,
    onConnected: @escaping (consuming OwnedFD, InternetAddress) -> Void, onFailed: @escaping (LinkFailure) -> Void
  ) {
    self.loop = loop
    self.host = host
    self.port = port
    self.timeout = timeout
    self.onConnected = onConnected
    self.onFailed = onFailed
    for family in AddressFamily.allCases {
      resolver.addresses(of: host, family) { [weak self] in self?.answered(family, $0) }
    }
  }

  deinit { cancel() }

  /// Stops; no handler is called any more.
  func cancel() {
    isDone = true
    attempt = nil
    if let timer = headStart.take() { loop.cancelTimer(timer) }
  }

  private func answered(_ family: AddressFamily, _ answer: AddressAnswer) {
    guard !isDone else { return }
    unanswered.remove(family)
    switch answer {
    case .addresses(let found):
      candidates += found.compactMap { InternetAddress(bytes: $0.bytes, port: port, scope: $0.scope) }
    case .none: break
    case .failed(let words): note(.resolution("cannot find the address of \(host): \(words)"))
    }
    guard attempt == nil else { return }
    if family == .v4, unanswered.contains(.v6), !candidates.isEmpty { return waitForIPv6() }
    next()
  }

  private func waitForIPv6() {
    headStart = loop.startTimer(after: Connector.headStartLength) { [unowned self] in
      headStart = nil
      if attempt == nil { next() }
    }
  }

  private func next() {
    if let timer = headStart.take() { loop.cancelTimer(timer) }
    attempt = nil
    guard !candidates.isEmpty else {
      if unanswered.isEmpty { fail() }
      return
    }
    let address = candidates.removeFirst()
    do throws(Errno) {
      attempt = try Attempt(loop: loop, address: address, timeout: timeout) { [unowned self] in ended(address, $0) }
    } catch {
      note(Connector.failure(error, at: address))
      loop.afterwards { [weak self] in self?.nextUnlessDone() }
    }
  }

  private func nextUnlessDone() {
    if !isDone, attempt == nil { next() }
  }

  private func ended(_ address: InternetAddress, _ failure: LinkFailure?) {
    if let failure {
      note(failure)
      return next()
    }
    guard let fd = attempt?.takeSocket() else { return }
    cancel()
    onConnected(fd, address)
  }

  private func fail() {
    isDone = true
    onFailed(failure ?? .resolution("\(host) has no address"))
  }

  /// Keeps the most telling failure: that somebody's machine refused, rather than that there is no IPv6 here.
  private func note(_ new: LinkFailure) {
    if let failure, Connector.rank(failure) > Connector.rank(new) { return }
    failure = new
  }

  private static func rank(_ failure: LinkFailure) -> Int {
    switch failure {
    case .refused: 3
    case .timedOut: 2
    case .unreachable: 1
    case .resolution, .cut, .broken, .tls, .backlog: 0
    }
  }

  /// A failed connect(2) as a link's failure.
  static func failure(_ error: Errno, at address: InternetAddress) -> LinkFailure {
    if error.isRefused { return .refused(address: address.description) }
    if error.isTimedOut { return .timedOut(step: "connecting to \(address)") }
    return .unreachable(Errno(error.code, error.operation, object: address.description))
  }
}

/// One address being connected to.
private final class Attempt {
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
      ended(error.map { Connector.failure($0, at: address) })
    }
    timer = loop.startTimer(after: timeout) { [unowned self] in
      stop()
      ended(.timedOut(step: "connecting to \(address)"))
    }
  }

  deinit { stop() }

  /// Hands the socket on, watched by nobody.
  func takeSocket() -> OwnedFD? {
    stop()
    return fd.take()
  }

  private func stop() {
    if let watch = watch.take() { loop.unwatch(watch) }
    if let timer = timer.take() { loop.cancelTimer(timer) }
  }
}
