/// A Unix socket that is served: the main one of `[daemon]`, or one of a `[socket NAME]` section.
package struct SocketSettings: Equatable, Sendable {
  /// The section's name; nil for the main socket.
  package var name: String?
  /// Its path; nil: the main socket's default.
  package var path: String?
  package var rights = SocketRights.full
  /// The accounts that may be used; empty: all.
  package var accounts: [String] = []
  /// With the right `send`: the JIDs that may be written to, as written; empty: all.
  package var recipients: [String] = []
  /// With the right `send`: how much may be sent; nil: without end.
  package var rate: SendRate?
  /// With a value: of what is sent by it; nil: that of the conversation.
  package var encryption: EncryptionSetting?
  package var access = SocketAccess()

  package init(name: String? = nil, path: String? = nil) {
    self.name = name
    self.path = path
  }

  /// A path as two that are spelled differently and are plainly the same have in common: `/run//x/./y` is `/run/x/y`.
  package static func plainPath(_ path: String) -> String {
    "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}

/// `rights =`: what may be asked on a socket.
package enum SocketRights: String, CaseIterable, Sendable {
  case full, send, read
}

/// The users of a socket besides the daemon's own and root, and the file modes that follow.
package struct SocketAccess: Equatable, Sendable {
  /// `allow-uid =`, in the order of the file.
  package var users: [UInt32] = []
  /// `socket-group =`.
  package var group: SocketGroup?

  package init(users: [UInt32] = [], group: SocketGroup? = nil) {
    self.users = users
    self.group = group
  }

  /// True if no user and no group is named.
  package var isOwnersAlone: Bool { users.isEmpty && group == nil }

  /// Decides by what the kernel says of a peer, whatever the modes let through.
  ///
  /// - Parameters:
  ///   - user: the peer's (SO_PEERCRED).
  ///   - groups: the peer's own and its supplementary ones (SO_PEERGROUPS).
  ///   - owner: the daemon's user.
  package func admits(user: UInt32, groups: [UInt32], owner: UInt32) -> Bool {
    if user == owner || user == 0 || users.contains(user) { return true }
    return group.map { groups.contains($0.id) } ?? false
  }

  /// Users who are named by number may be in no group of ours, so the modes let all come as far as that decision.
  package var socketMode: UInt32 { users.isEmpty ? group == nil ? 0o600 : 0o660 : 0o666 }
  /// The mode of the directory, if the daemon makes it.
  package var directoryMode: UInt32 { users.isEmpty ? group == nil ? 0o700 : 0o750 : 0o755 }
  /// The group that what the daemon makes is given to; nil: left as it is.
  package var owningGroup: UInt32? { users.isEmpty ? group?.id : nil }

  /// The mode of a directory with sockets of all these: the widest.
  package static func directory(of all: [SocketAccess]) -> (mode: UInt32, group: UInt32?) {
    let groups = Set(all.compactMap(\.owningGroup))
    let mode = groups.count > 1 ? 0o755 : all.map(\.directoryMode).max() ?? 0o700
    return (mode, mode == 0o750 ? groups.first : nil)
  }
}

/// A group of the system.
package struct SocketGroup: Equatable, Sendable {
  /// The group as written: a name or a number.
  package var name: String
  package var id: UInt32

  package init(name: String, id: UInt32) {
    self.name = name
    self.id = id
  }
}
