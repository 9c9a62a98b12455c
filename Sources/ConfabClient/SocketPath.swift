/// Where a client looks for the daemon's socket.
package enum SocketPath {
  /// For a daemon of the whole system.
  package static let system = "/run/confab/socket"

  /// The path to connect to: as told, then `$CONFAB_SOCKET`, then `$XDG_RUNTIME_DIR/confab/socket` if it exists, then
  /// the system's. Empty variables count as unset.
  package static func choose(
    option: String?, variable: (String) -> String?, exists: (String) -> Bool
  ) -> String {
    if let option { return option }
    if let path = variable("CONFAB_SOCKET"), !path.isEmpty { return path }
    if let folder = variable("XDG_RUNTIME_DIR"), !folder.isEmpty {
      let path = folder + "/confab/socket"
      if exists(path) { return path }
    }
    return system
  }
}
