import Syscalls

/// A Unix socket's place in the file system: made by rules that keep others out, and left as it was found.
struct SocketPlace {
  let path: String
  /// The file that bind(2) made, to know it again.
  private let made: FileStatus?

  /// Makes the directory (0700) where it is missing, clears a dead socket away, binds `fd` (0600).
  init(binding fd: CInt, path: String) throws(UnixListenerError) {
    self.path = path
    guard path.utf8.count <= Sockets.longestUnixPath else {
      throw .pathTooLong(path: path, limit: Sockets.longestUnixPath)
    }
    do {
      try SocketPlace.prepareDirectory(Paths.parent(of: path))
      try SocketPlace.clear(path)
      // Before bind, so that the file never has another mode; the umask can only take more away.
      try Paths.setMode(fd, 0o600)
      try Sockets.bindUnix(fd, path: path)
      made = try Paths.linkStatus(path)
      try Sockets.listen(fd)
    } catch let error as UnixListenerError {
      throw error
    } catch let error as Errno {
      throw error.isInUse ? .inUse(path: path) : .system(error)
    } catch {
      throw .inUse(path: path)  // nothing else is thrown above
    }
  }

  /// Removes the file, if it is still the one that we made.
  func remove() {
    guard let made, let now = try? Paths.linkStatus(path), now.isSameFile(as: made) else { return }
    try? Paths.remove(path)
  }

  private static func prepareDirectory(_ directory: String) throws {
    guard let status = try Paths.status(directory) else {
      return try Paths.makeDirectory(directory, mode: 0o700)
    }
    guard status.kind == .directory else { throw UnixListenerError.notADirectory(directory: directory) }
    if status.isWritableByOthers && !status.isSticky {
      throw UnixListenerError.directoryWritableByOthers(directory: directory)
    }
  }

  /// Removes a socket on which nobody answers. Two daemons that start at the same instant on one path are told apart
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
