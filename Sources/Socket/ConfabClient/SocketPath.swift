package import Syscalls

/// The search for the daemon's socket.
package enum SocketPath {
  /// For a daemon of the whole system.
  package static let system = "/run/confab/socket"

  /// A path to connect to, and who may answer there.
  package struct Choice: Equatable, Sendable {
    package var path: String
    /// Chosen by default: only a daemon of this user, of root, or of whoever root gave the system's folder to may answer.
    package var isDefault: Bool
    /// The user's own path, if the system's was chosen because nothing is there.
    package var missing: String?
    /// The user who answered there before: nobody else may from then on; nil: nobody has.
    package var owner: UInt32?

    package init(path: String, isDefault: Bool, missing: String? = nil) {
      (self.path, self.isDefault, self.missing) = (path, isDefault, missing)
    }

    /// Returns the error message if nothing answers at the path.
    ///
    /// - Parameter error: of connect(2).
    package func failure(_ error: Errno) -> String {
      let paths = error.isMissing ? missing.map { "\($0) and \(path)" } : nil
      return "\(paths ?? path): \(error.text)"
    }

    /// Why whoever answers is not trusted; nil: it is.
    ///
    /// - Parameter peer: the user at the other end of the connection (SO_PEERCRED).
    package func distrust(of peer: UInt32) -> String? {
      if let owner, owner != peer {
        return "another user (\(peer), not \(owner) as before) answers at \(path); leave confab and start it again"
      }
      guard isDefault, ![0, ProcessEnvironment.userID, systemUser].contains(peer) else { return nil }
      return "\(path): the user \(peer) answers there, not your daemon"
    }

    private var systemUser: UInt32? {
      guard path == SocketPath.system else { return nil }
      return ((try? Paths.status(Paths.parent(of: path))) ?? nil)?.owner
    }
  }

  /// The path to connect to: as told, then `$CONFAB_SOCKET`, then `$XDG_RUNTIME_DIR/confab/socket` if it exists, then
  /// the system's. Empty variables count as unset.
  package static func choose(
    option: String?, variable: (String) -> String?, exists: (String) -> Bool
  ) -> Choice {
    if let option { return Choice(path: option, isDefault: false) }
    if let path = variable("CONFAB_SOCKET"), !path.isEmpty { return Choice(path: path, isDefault: false) }
    if let folder = variable("XDG_RUNTIME_DIR"), !folder.isEmpty {
      let path = folder + "/confab/socket"
      return exists(path) ? Choice(path: path, isDefault: true) : Choice(path: system, isDefault: true, missing: path)
    }
    return Choice(path: system, isDefault: true)
  }
}
