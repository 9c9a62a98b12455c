import Bytes
import Clocks
import HelperProtocol
import Reactor
import Syscalls
import Transport

/// Connecting to one destination, which this waits for.
struct Dialling {
  let loop: EventLoop
  let resolver: LoopResolver
  /// The daemon's socket: its end ends the waiting.
  let owner: CInt

  /// For each address of a host.
  private static let longestAttempt = Interval.seconds(20)

  private final class Outcome {
    var socket: OwnedFD?
    var failure: TransferFailure?
    /// Addresses that were found and are not allowed.
    var refused: InternetAddress?
  }

  func connect(
    to destination: Destination, proxy: SOCKSProxy?, until deadline: Instant, patience: Interval
  ) throws(TransferFailure) -> OwnedFD {
    let outcome = Outcome()
    let connection = HostConnection(
      loop: loop, resolver: resolver, proxy: proxy, host: destination.host,
      port: destination.address.port, timeout: min(Self.longestAttempt, patience),
      allows: { address in
        let isAllowed = destination.allows(address.bytes)
        if !isAllowed { outcome.refused = address }
        return isAllowed
      },
      onConnected: { [loop] socket in
        outcome.socket = consume socket
        loop.stop()
      },
      onFailed: { [loop] failure in
        outcome.failure = outcome.refused.map { destination.refusal($0.host) } ?? TransferFailure(failure)
        loop.stop()
      })
    guard let connection else { throw TransferFailure(.url, "the proxy cannot be asked for \(destination.host)") }
    try withExtendedLifetime(connection) { () throws(TransferFailure) in try wait(outcome, until: deadline, patience) }
    guard let socket = outcome.socket.take() else {
      throw outcome.failure ?? TransferFailure(.time, "connecting to \(destination.host) took too long")
    }
    return socket
  }

  /// Runs the loop until there is an outcome, the time is up, or the daemon gone.
  private func wait(_ outcome: Outcome, until deadline: Instant, _ patience: Interval) throws(TransferFailure) {
    let timer = loop.startTimer(at: deadline) { [loop] in loop.stop() }
    defer { loop.cancelTimer(timer) }
    do throws(Errno) {
      let watch = try loop.watch(owner, for: .read) { [loop] _ in loop.stop() }
      defer { loop.unwatch(watch) }
      try loop.run()
    } catch {
      throw TransferFailure(.connection, "cannot wait for the network: \(error.text)")
    }
  }
}

extension TransferFailure {
  init(_ failure: LinkFailure) {
    switch failure {
    case .resolution: self.init(.name, failure.sentence)
    case .timedOut: self.init(.time, failure.sentence)
    default: self.init(.connection, failure.sentence)
    }
  }
}
