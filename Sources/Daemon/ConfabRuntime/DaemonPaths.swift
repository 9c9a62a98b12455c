import ConfabConfiguration
import Syscalls

/// The paths of the daemon's files (docs/PROTOCOL.md, "Connection"; confab.conf(5)).
struct DaemonPaths {
  /// The path of the main socket; nil if systemd passed the socket and nothing else gives its path.
  let socket: String?
  let data: String

  /// Why a place cannot be known.
  struct Unknown: Error, CustomStringConvertible {
    let description: String
  }

  /// - Parameter passed: the sockets that systemd passed; if the main one is among them, it needs no path.
  init(
    _ configuration: Configuration, environment: [String: String], passed: [Activation.PassedSocket] = []
  ) throws(Unknown) {
    let settings = configuration.daemon
    if let path = settings.socket {
      socket = path
    } else if let directory = Self.first(environment["RUNTIME_DIRECTORY"]) {
      socket = directory + "/socket"
    } else if let directory = Self.present(environment["XDG_RUNTIME_DIR"]) {
      socket = directory + "/confab/socket"
    } else if Self.hasMain(passed, configuration) {
      socket = nil
    } else {
      throw Unknown(description: "no path for the socket: set socket = in [daemon], or XDG_RUNTIME_DIR")
    }
    if let path = settings.data {
      data = path
    } else if let directory = Self.first(environment["STATE_DIRECTORY"]) {
      data = directory
    } else if let directory = Self.present(environment["XDG_STATE_HOME"]) {
      data = directory + "/confab"
    } else if let home = Self.present(environment["HOME"]) {
      data = home + "/.local/state/confab"
    } else {
      throw Unknown(description: "no path for the data: set data = in [daemon], or HOME")
    }
    if let socket { try Self.check(configuration.sockets, main: socket) }
  }

  /// The directory of the data, of the log in it, or of one of these sockets, that others can change.
  func problem(withSockets sockets: [SocketSettings]) -> FileTrust.Problem? {
    [data, data + "/log"].lazy.compactMap {
      FileTrust.problem(withDirectory: $0, stake: "the conversations and what is sent")
    }.first
      ?? sockets.lazy.compactMap(\.path).compactMap {
        FileTrust.problem(withDirectory: Paths.parent(of: $0), stake: "the socket that clients connect to")
      }.first
  }

  private static func hasMain(_ passed: [Activation.PassedSocket], _ configuration: Configuration) -> Bool {
    let matched = try? Activation.match(passed, configuration.servedSockets())
    return matched?.contains { $0.1.name == nil } ?? false
  }

  /// A path that only shows to be the main socket's when that is known.
  private static func check(_ sockets: [SocketSettings], main: String) throws(Unknown) {
    let main = SocketSettings.plainPath(main)
    for socket in sockets where socket.path.map(SocketSettings.plainPath) == main {
      throw Unknown(
        description: "[socket \(socket.name ?? "")] path: expected a path of its own, found that of the main socket")
    }
  }

  /// The first of a list of directories that systemd gives, separated by colons.
  private static func first(_ list: String?) -> String? {
    present(list?.split(separator: ":", omittingEmptySubsequences: false).first.map(String.init))
  }

  private static func present(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
