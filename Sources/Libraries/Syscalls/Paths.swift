import Glibc

/// The status of a file.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case file, directory, socket, link, other }

  package let kind: Kind
  /// The permission bits with set-uid, set-gid and sticky: 0o0000 to 0o7777.
  package let mode: UInt32
  package let owner: UInt32
  package let group: UInt32
  /// In bytes.
  package let size: Int64
  package let device: UInt64
  package let inode: UInt64
  /// When its content was changed, in Unix seconds.
  package let modified: Int64

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .directory
    case S_IFSOCK: kind = .socket
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    mode = status.st_mode & 0o7777
    owner = status.st_uid
    group = status.st_gid
    size = Int64(status.st_size)
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    modified = Int64(status.st_mtim.tv_sec)
  }

  /// Somebody other than the owner may change it; in a directory without the sticky bit, replace what is in it.
  package var isWritableByOthers: Bool { mode & 0o022 != 0 }
  /// In a directory: only the owners of files may rename and remove them.
  package var isSticky: Bool { mode & 0o1000 != 0 }
  /// True if both are one file, by device and inode.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

/// Calls on names in the file system.
package enum Paths {
  /// The status of `path`, links followed; nil if nothing is there. stat(2)
  package static func status(_ path: String) throws(Errno) -> FileStatus? {
    try existing { () throws(Errno) in
      var status = stat()
      try systemCall("stat", object: path) { unsafe stat(path, &status) }
      return FileStatus(status)
    }
  }

  /// The status of `path` itself; nil if nothing is there. lstat(2)
  package static func linkStatus(_ path: String) throws(Errno) -> FileStatus? {
    try existing { () throws(Errno) in
      var status = stat()
      try systemCall("lstat", object: path) { unsafe lstat(path, &status) }
      return FileStatus(status)
    }
  }

  /// The status of an open descriptor. fstat(2)
  package static func status(of fd: CInt) throws(Errno) -> FileStatus {
    var status = stat()
    try systemCall("fstat", fd) { unsafe fstat(fd, &status) }
    return FileStatus(status)
  }

  /// The target of a symbolic link; nil if there is none. readlink(2)
  package static func target(_ path: String) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
      guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return nil }
      let count = unsafe readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
      return unsafe count > 0 ? String(validating: buffer.prefix(count), as: UTF8.self) : nil
    }
  }

  /// The path without symbolic links; nil if nothing is there. realpath(3)
  package static func real(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(validatingCString: found)
  }

  /// Makes a directory with exactly this mode, whatever the umask. mkdir(2), chmod(2)
  package static func makeDirectory(_ path: String, mode: UInt32) throws(Errno) {
    try systemCall("mkdir", object: path) { unsafe mkdir(path, mode) }
    try setMode(path, mode)
  }

  /// Sets the permission bits. chmod(2)
  package static func setMode(_ path: String, _ mode: UInt32) throws(Errno) {
    try systemCall("chmod", object: path) { unsafe chmod(path, mode) }
  }

  /// Sets the permission bits of an open file; on an unbound Unix socket, of the file that bind(2) will make. fchmod(2)
  package static func setMode(_ fd: CInt, _ mode: UInt32) throws(Errno) {
    try systemCall("fchmod", fd) { fchmod(fd, mode) }
  }

  /// Gives a file to a group. chown(2)
  package static func setGroup(_ path: String, _ group: UInt32) throws(Errno) {
    try systemCall("chown", object: path) { unsafe chown(path, .max, group) }
  }

  /// Removes a file; one that is gone already is no error. unlink(2)
  package static func remove(_ path: String) throws(Errno) {
    do throws(Errno) {
      try systemCall("unlink", object: path) { unsafe unlink(path) }
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// True if this process may make files in the directory. access(2)
  package static func isWritableDirectory(_ path: String) -> Bool {
    (try? systemCall("access", object: path) { unsafe access(path, W_OK | X_OK) }) != nil
  }

  /// The first of these files, by their names from the folder of this very program; nil if there is none.
  package static func beside(_ names: [String]) -> String? {
    guard let own = target("/proc/self/exe") else { return nil }
    return names.map { parent(of: own) + "/" + $0 }.first { (try? status($0)) ?? nil != nil }
  }

  /// The directory that holds `path`: `/run/confab` of `/run/confab/socket`, `/` of `/socket`, `.` of `socket`.
  package static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last name in `path`: `socket` of `/run/confab/socket`; `path` itself if there is none.
  package static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private static func existing(_ body: () throws(Errno) -> FileStatus) throws(Errno) -> FileStatus? {
    do throws(Errno) {
      return try body()
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}

/// A small file read in one piece.
package struct WholeFile: Sendable {
  package let bytes: [UInt8]
  /// The status of the file that was read; the path may name another file by now.
  package let status: FileStatus

  /// Reads at most `limit` bytes and one more, so that a longer file is recognised by its count. Links are followed, and a
  /// FIFO or a device does not block. open(2), fstat(2), read(2)
  package init(path: String, limit: Int) throws(Errno) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let fd = OwnedFD(taking: try systemCall("open", object: path) { unsafe open(path, flags) })
    var status = stat()
    try systemCall("fstat", fd.raw, object: path) { unsafe fstat(fd.raw, &status) }
    self.status = FileStatus(status)
    guard self.status.kind != .directory else { throw Errno(EISDIR, "read", object: path) }
    bytes = try Self.read(fd.raw, atMost: limit + 1)
  }

  /// Reads into one piece of memory, so that there is no other copy to be wiped.
  private static func read(_ fd: CInt, atMost most: Int) throws(Errno) -> [UInt8] {
    try unsafe Descriptors.bytes(atMost: most) { buffer throws(Errno) in
      var count = 0
      while count < most {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        guard let more = try unsafe Descriptors.read(fd, into: rest), more > 0 else { break }
        count += more
      }
      return count
    } ?? []
  }
}
