import ConfabClient
import Syscalls

/// Connects the command line to its daemon, and after a cut to no other one.
final class Dialer {
  /// How long to look for a daemon again after a cut, in steps: it may be starting anew.
  private static let redials = 50
  private static let redialMilliseconds: Int32 = 100

  /// By the option that says where the socket is.
  private var addresses: [String: DaemonAddress] = [:]

  /// - Parameters:
  ///   - socket: the option; nil: the environment decides.
  ///   - isRepeat: whether the daemon may be about to come back.
  func dial(_ socket: String?, _ watching: Bool, _ isRepeat: Bool) throws(TransportFailure) -> any LineTransport {
    var address = addresses[socket ?? ""] ?? DaemonAddress { Self.path(socket) }
    let choice = address.choice
    let transport = try Self.connect(choice, attempts: isRepeat ? Self.redials : 1)
    if let owner = transport.owner { address.keep(choice, owner: owner) }
    addresses[socket ?? ""] = address
    if watching { transport.endWithReader(of: StandardStreams.output) }
    return transport
  }

  private static func path(_ option: String?) -> SocketPath.Choice {
    SocketPath.choose(option: option, variable: ProcessEnvironment.variable) { path in
      ((try? Paths.status(path)) ?? nil) != nil
    }
  }

  private static func connect(_ choice: SocketPath.Choice, attempts: Int) throws(TransportFailure) -> SocketTransport {
    var attempts = attempts
    while true {
      do {
        return try SocketTransport(choice)
      } catch {
        attempts -= 1
        guard attempts > 0, [.noDaemon, .silent].contains(error.kind) else { throw error }
        _ = try? Descriptors.wait(toRead: -1, milliseconds: redialMilliseconds)
      }
    }
  }
}
