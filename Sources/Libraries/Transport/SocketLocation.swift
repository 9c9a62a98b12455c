import Syscalls

/// A Unix socket's place in the file system: made by rules that keep others out, and left as it was found.
struct SocketLocation {
  let path: String
  /// The file that bind(2) made, to know it again.
  private let made: FileStatus?
  private let hasMadeDirectory: Bool

  /// Makes the directory where it is missing, clears a dead socket away, binds `fd` and listens.
  init(binding fd: CInt, path: String, _ modes: SocketModes) throws(UnixListenerError) {
    self.path = path
    guard path.utf8.count <= Sockets.longestUnixPath else {
      throw .pathTooLong(path: path, limit: Sockets.longestUnixPath)
    }
    do {
      hasMadeDirectory = try SocketLocation.prepareDirectory(Paths.parent(of: path), modes)
      try SocketLocation.clear(path)
      // Before bind, so that the file is never open to others by accident; no client can connect before listen.
      try Paths.setMode(fd, 0o600)
      try Sockets.bindUnix(fd, path: path)
      made = try Paths.linkStatus(path)
      do {
        try SocketLocation.set(path, modes.socket, modes.socketGroup)
        try Sockets.listen(fd)
      } catch {
        try? Paths.remove(path)
        throw error
      }
    } catch let error as UnixListenerError {
      throw error
    } catch let error as Errno {
      throw error.isInUse ? .inUse(path: path) : .system(error)
    } catch {
      throw .inUse(path: path)  // nothing else is thrown above
    }
  }

  /// True if the file is still the one that we made; true too if that cannot be found out.
  var isThere: Bool {
    do throws(Errno) { return try Paths.linkStatus(path).map(isOurs) ?? false } catch { return true }
  }

  private func isOurs(_ file: FileStatus) -> Bool { made.map(file.isSameFile) ?? false }

  /// Removes the file, if it is still the one that we made.
  func remove() {
    guard let now = try? Paths.linkStatus(path), isOurs(now) else { return }
    try? Paths.remove(path)
  }

  /// Gives the file other modes, if it is still the one that we made, and the directory, if we made it.
  func update(_ modes: SocketModes) throws(UnixListenerError) {
    do throws(Errno) {
      guard let now = try Paths.linkStatus(path), isOurs(now) else { return }
      if hasMadeDirectory { try Self.set(Paths.parent(of: path), modes.directory, modes.directoryGroup) }
      try Self.set(path, modes.socket, modes.socketGroup)
    } catch {
      throw .system(error)
    }
  }

  private static func set(_ path: String, _ mode: UInt32, _ group: UInt32?) throws(Errno) {
    // A service's system-call filter may have no chown(2), and needs none where the group is the process's own.
    if let group, try Paths.linkStatus(path)?.group != group { try Paths.setGroup(path, group) }
    try Paths.setMode(path, mode)
  }

  /// True if it made the directory.
  private static func prepareDirectory(_ directory: String, _ modes: SocketModes) throws -> Bool {
    guard let status = try Paths.status(directory) else {
      try Paths.makeDirectory(directory, mode: 0o700)
      try set(directory, modes.directory, modes.directoryGroup)
      return true
    }
    guard status.kind == .directory else { throw UnixListenerError.notADirectory(directory: directory) }
    // A sticky one, too: whoever is first makes the socket there.
    let isShared = status.mode & 0o020 != 0 && !Groups.isPrivate(status.group, of: status.owner)
    if status.mode & 0o002 != 0 || isShared {
      throw UnixListenerError.directoryWritableByOthers(directory: directory)
    }
    return false
  }

  /// Removes a stale socket. Two daemons that start at the same instant on one path are told apart
  /// by the lock of the data directory, which is taken first.
  private static func clear(_ path: String) throws {
    guard let status = try Paths.linkStatus(path) else { return }
    guard status.kind == .socket else { throw UnixListenerError.notASocket(path: path) }
    do throws(Errno) {
      _ = try Sockets.connectUnix(path: path)
    } catch {
      if error.isRefused { return try Paths.remove(path) }
      if error.isMissing { return }
    }
    throw UnixListenerError.inUse(path: path)
  }
}
