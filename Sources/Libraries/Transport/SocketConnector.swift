import Clocks
import Reactor
import Syscalls

/// One attempt to reach a host, over whichever family works first (RFC 8305, "Happy Eyeballs"): both families are asked
/// for at once, the addresses are tried alternately with a short delay from one to the next, and the first connection
/// ends all the others.
///
/// It calls one of its two handlers once, from the loop, unless it is dropped before.
final class SocketConnector {
  private let loop: EventLoop
  private let host: String
  private let port: UInt16
  private let timeout: Interval
  private let allows: (InternetAddress) -> Bool
  private let onConnected: (consuming OwnedFD, InternetAddress) -> Void
  private let onFailed: (LinkFailure) -> Void

  private var queue = AddressQueue()
  private var unanswered: Set<AddressFamily> = [.v6, .v4]
  private var attempts: [InternetAddress: ConnectAttempt] = [:]
  /// Until it ends no further address is tried, unless an attempt fails.
  private var delay: TimerID?
  /// The failure that tells most, so far.
  private var failure: LinkFailure?
  private var isDone = false

  /// How long IPv4 addresses wait for IPv6 ones (RFC 8305, section 3).
  private static let resolutionDelay = Interval.milliseconds(50)
  /// How long an attempt is alone before the next one joins it (section 5). With the attempts' own time-out it bounds
  /// how many there are at a time.
  private static let attemptDelay = Interval.milliseconds(250)

  /// - Parameters:
  ///   - timeout: for each address.
  ///   - allows: says which addresses may be connected to; others count for none.
  init(
    loop: EventLoop, resolver: LoopResolver, host: String, port: UInt16, timeout: Interval,
    allows: @escaping (InternetAddress) -> Bool = { _ in true },
    onConnected: @escaping (consuming OwnedFD, InternetAddress) -> Void, onFailed: @escaping (LinkFailure) -> Void
  ) {
    self.loop = loop
    self.host = host
    self.port = port
    self.timeout = timeout
    self.allows = allows
    self.onConnected = onConnected
    self.onFailed = onFailed
    for family in AddressFamily.allCases {
      resolver.addresses(of: host, family) { [weak self] in self?.answered(family, $0) }
    }
  }

  deinit { cancel() }

  /// Stops; no handler is called any more.
  private func cancel() {
    isDone = true
    attempts = [:]
    stopDelay()
  }

  private func answered(_ family: AddressFamily, _ answer: AddressAnswer) {
    guard !isDone else { return }
    unanswered.remove(family)
    switch answer {
    case .addresses(let found):
      let addresses = found.compactMap { InternetAddress(bytes: $0.bytes, port: port, scope: $0.scope) }
      queue.add(addresses.filter(allows), family)
    case .none: break
    case .failed(let words): note(.resolution("cannot find the address of \(host): \(words)"))
    }
    if attempts.isEmpty {
      if unanswered.contains(.v6), !queue.isEmpty { wait(SocketConnector.resolutionDelay) } else { next() }
    } else if delay == nil {
      next()
    }
  }

  /// Tries the next reachable address; fails if none is left.
  private func next() {
    stopDelay()
    while let address = queue.next() {
      if begin(address) { return wait(SocketConnector.attemptDelay) }
    }
    if attempts.isEmpty, unanswered.isEmpty { fail() }
  }

  private func begin(_ address: InternetAddress) -> Bool {
    do throws(Errno) {
      attempts[address] = try ConnectAttempt(loop: loop, address: address, timeout: timeout) { [unowned self] in
        ended(address, $0)
      }
      return true
    } catch {
      note(SocketConnector.failure(error, at: address))
      return false
    }
  }

  private func wait(_ interval: Interval) {
    stopDelay()
    delay = loop.startTimer(after: interval) { [unowned self] in next() }
  }

  private func stopDelay() {
    if let timer = delay.take() { loop.cancelTimer(timer) }
  }

  private func ended(_ address: InternetAddress, _ failure: LinkFailure?) {
    let attempt = attempts.removeValue(forKey: address)
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

  /// Keeps the most telling failure: that a host refused, rather than that there is no IPv6 here.
  private func note(_ new: LinkFailure) {
    if let failure, SocketConnector.rank(failure) > SocketConnector.rank(new) { return }
    failure = new
  }

  private static func rank(_ failure: LinkFailure) -> Int {
    switch failure {
    case .refused: 3
    case .timedOut: 2
    case .unreachable: 1
    case .resolution, .cut, .broken, .tls, .proxy, .backlog: 0
    }
  }

  /// A failed connect(2) as a link's failure.
  static func failure(_ error: Errno, at address: InternetAddress) -> LinkFailure {
    if error.isRefused { return .refused(address: address.description) }
    if error.isTimedOut { return .timedOut(step: "connecting to \(address)") }
    return .unreachable(Errno(error.code, error.operation, object: address.description))
  }
}
