import Settings

/// Where the daemon keeps its things (CONTRACT, "Connection" and section 2).
struct Places {
  let socket: String
  let data: String

  /// Why a place cannot be known.
  struct Unknown: Error, CustomStringConvertible {
    let description: String
  }

  init(_ settings: DaemonSettings, environment: [String: String]) throws(Unknown) {
    if let path = settings.socket {
      socket = path
    } else if let directory = Self.first(environment["RUNTIME_DIRECTORY"]) {
      socket = directory + "/socket"
    } else if let directory = Self.present(environment["XDG_RUNTIME_DIR"]) {
      socket = directory + "/confab/socket"
    } else {
      throw Unknown(description: "nowhere to put the socket: set socket = in [daemon], or XDG_RUNTIME_DIR")
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
      throw Unknown(description: "nowhere to put the data: set data = in [daemon], or HOME")
    }
  }

  /// The first of a list of directories that systemd gives, separated by colons.
  private static func first(_ list: String?) -> String? {
    present(list?.split(separator: ":", omittingEmptySubsequences: false).first.map(String.init))
  }

  private static func present(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
