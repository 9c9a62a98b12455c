import ConfabAccounts
import ConfabConfiguration
import Transport

/// The configuration that is served, and how another one takes its place.
final class ServedConfiguration {
  private(set) var current: Configuration
  private let listeners: Listeners
  /// The path of the main socket, until the next start; nil if systemd passed the socket and its path is unknown.
  private let mainSocket: String?
  private let read: () -> ConfigurationOutcome

  init(
    _ configuration: Configuration, _ listeners: Listeners, mainSocket: String?,
    read: @escaping () -> ConfigurationOutcome
  ) {
    (current, self.listeners, self.mainSocket, self.read) = (configuration, listeners, mainSocket, read)
  }

  /// Reads the configuration, and serves its sockets.
  func reload() -> ConfigurationOutcome {
    let outcome = read()
    guard case .read(let new) = outcome else { return outcome }
    do throws(UnixListenerError) {
      try listeners.serve(new.servedSockets(main: mainSocket))
      current = new
      return outcome
    } catch {
      return .refused("\(error)")
    }
  }
}
