/// Modes and groups of what a listener makes; the umask has no part in them.
package struct SocketModes: Equatable, Sendable {
  package var socket: UInt32 = 0o600
  /// The mode of the directory, if it is missing; an existing one keeps its own.
  package var directory: UInt32 = 0o700
  /// The groups they are given to; nil: the process's own.
  package var socketGroup: UInt32?
  package var directoryGroup: UInt32?

  /// For the process's own user alone.
  package init() {}

  package init(socket: UInt32, directory: UInt32, socketGroup: UInt32? = nil, directoryGroup: UInt32? = nil) {
    (self.socket, self.directory) = (socket, directory)
    (self.socketGroup, self.directoryGroup) = (socketGroup, directoryGroup)
  }
}
