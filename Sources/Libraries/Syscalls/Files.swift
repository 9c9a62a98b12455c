import CLinux
import Glibc

/// Calls on regular files and directories, by descriptors and by names below a directory's descriptor.
///
/// Descriptors are lent for the duration of the call. A `name` is one component: it is never followed where it is a
/// symbolic link. `path` is only for errors.
package enum Files {
  /// The attributes of an open file.
  package struct Attributes: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case regular, directory, other }

    package var kind: Kind
    package var inode: UInt64
    /// Nanoseconds since 1970; nil if the file system does not keep it.
    package var birth: Int64?
    /// In bytes.
    package var size: UInt64
    /// The permission bits.
    package var mode: UInt32
    /// The user that owns it.
    package var owner: UInt32
    /// The names that it has; 0 if it was removed.
    package var links: UInt32
    /// The file system that it is in.
    package var device: UInt64
  }

  /// How to open a file.
  package enum Access: Sendable {
    case read, readWrite
    /// Makes it with mode 0600; it is there already: EEXIST.
    case createNew
    /// Creates the file, or opens an existing one.
    case createOrOpen

    var flags: CInt {
      switch self {
      case .read: O_RDONLY
      case .readWrite: O_RDWR
      case .createNew: O_RDWR | O_CREAT | O_EXCL
      case .createOrOpen: O_RDWR | O_CREAT
      }
    }
  }

  /// Opens the directory `path`. open(2)
  package static func openDirectory(_ path: String) throws(Errno) -> OwnedFD {
    OwnedFD(
      taking: try systemCall("open", object: path) { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
  }

  /// Opens the directory `name` below `directory`. openat(2)
  package static func openDirectory(
    _ name: String, in directory: CInt, followingLinks: Bool = false
  ) throws(Errno) -> OwnedFD {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
    return OwnedFD(
      taking: try call("openat", on: name, in: directory) { unsafe openat(directory, name, flags) })
  }

  /// Calls the system for `name` below `directory`; an error names the whole path.
  private static func call(
    _ operation: StaticString, on name: String, in directory: CInt, _ body: () -> CInt
  ) throws(Errno) -> CInt {
    do throws(Errno) {
      return try systemCall(operation, directory, object: name, body)
    } catch {
      guard let folder = Paths.target("/proc/self/fd/\(directory)") else { throw error }
      throw Errno(error.code, error.operation, object: "\(folder)/\(name)")
    }
  }

  /// Opens a file named by a user, through symbolic links. open(2)
  package static func openForReading(_ path: String) throws(Errno) -> OwnedFD {
    OwnedFD(taking: try systemCall("open", object: path) { unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC) })
  }

  /// Makes a file without a name in the directory `path`, gone when it is closed. open(2)
  package static func openTemporary(in path: String) throws(Errno) -> OwnedFD {
    OwnedFD(taking: try systemCall("open", object: path) { unsafe clinux_temporary_file(path) })
  }

  /// Opens the file `name` below `directory`; a file that root makes is given to the directory's owner. openat(2)
  package static func open(_ name: String, in directory: CInt, _ access: Access) throws(Errno) -> OwnedFD {
    let file = OwnedFD(
      taking: try call("openat", on: name, in: directory) {
        unsafe openat(directory, name, access.flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      })
    if access.flags & O_CREAT != 0 { Ownership.follow(directory, of: file.raw) }
    return file
  }

  /// Makes the directory `path` with mode 0700; one that is there is left as it is. mkdir(2)
  package static func makeDirectory(_ path: String) throws(Errno) {
    try ignoringExisting { () throws(Errno) in try systemCall("mkdir", object: path) { unsafe mkdir(path, 0o700) } }
  }

  /// Makes a directory below `directory`; one that root makes is given to that directory's owner. mkdirat(2)
  package static func makeDirectory(_ name: String, in directory: CInt) throws(Errno) {
    try ignoringExisting { () throws(Errno) in
      _ = try call("mkdirat", on: name, in: directory) { unsafe mkdirat(directory, name, 0o700) }
      Ownership.follow(directory, of: try openDirectory(name, in: directory).raw)
    }
  }

  /// Renames within `directory`, replacing what has the new name. renameat(2)
  package static func rename(_ old: String, to new: String, in directory: CInt) throws(Errno) {
    _ = try call("renameat", on: old, in: directory) { unsafe renameat(directory, old, directory, new) }
  }

  /// Gives a file of `directory` a second name there. linkat(2)
  package static func link(_ old: String, as new: String, in directory: CInt) throws(Errno) {
    _ = try call("linkat", on: new, in: directory) { unsafe linkat(directory, old, directory, new, 0) }
  }

  /// Gives an open file that has no name one in `directory`; it has one already, or the file had one once: an error. One
  /// that root makes is given to that directory's owner. linkat(2)
  package static func name(_ fd: CInt, _ name: String, in directory: CInt) throws(Errno) {
    _ = try call("linkat", on: name, in: directory) {
      unsafe linkat(AT_FDCWD, "/proc/self/fd/\(fd)", directory, name, AT_SYMLINK_FOLLOW)
    }
    Ownership.follow(directory, of: fd)
  }

  /// Removes the file `name`. unlinkat(2)
  package static func remove(_ name: String, in directory: CInt) throws(Errno) {
    _ = try call("unlinkat", on: name, in: directory) { unsafe unlinkat(directory, name, 0) }
  }

  /// The attributes of the open file. statx(2)
  package static func attributes(_ fd: CInt) throws(Errno) -> Attributes {
    var status = clinux_file_status()
    try systemCall("statx", fd) { unsafe clinux_file_status(fd, "", &status) }
    return attributes(status)
  }

  /// The attributes of what `path` names, through symbolic links. statx(2)
  package static func attributes(path: String) throws(Errno) -> Attributes {
    var status = clinux_file_status()
    try systemCall("statx", object: path) { unsafe clinux_file_status(AT_FDCWD, path, &status) }
    return attributes(status)
  }

  private static func attributes(_ status: clinux_file_status) -> Attributes {
    let kind: Attributes.Kind =
      switch status.mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .other
      }
    return Attributes(
      kind: kind, inode: status.inode, birth: status.has_birth != 0 ? status.birth_nanoseconds : nil, size: status.size,
      mode: status.mode & 0o7777, owner: status.owner, links: status.links, device: status.device)
  }

  private static func ignoringExisting(_ body: () throws(Errno) -> Void) throws(Errno) {
    do throws(Errno) { try body() } catch { if !error.isExisting { throw error } }
  }
}

// Content
extension Files {
  /// Reads from `offset` on until `buffer` is full or the file ends; the count of bytes. pread(2)
  package static func read(
    _ fd: CInt, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    var count = 0
    while count < buffer.count {
      let start = try position(offset, count)
      let got = try systemCall("pread", fd, buffer.count - count) {
        unsafe pread(fd, buffer.baseAddress?.advanced(by: count), buffer.count - count, start)
      }
      if got == 0 { break }
      count += got
    }
    return count
  }

  /// Writes all of `bytes` at `offset`. pwrite(2)
  package static func write(_ fd: CInt, _ bytes: [UInt8], at offset: UInt64) throws(Errno) {
    var count = 0
    try write(fd, bytes, at: offset, taken: &count)
  }

  /// Writes all of `bytes` from `count` on, which says how many the kernel has taken, also where it fails. pwrite(2)
  package static func write(
    _ fd: CInt, _ bytes: [UInt8], at offset: UInt64, taken count: inout Int
  ) throws(Errno) {
    try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(Errno) in
      try unsafe write(fd, bytes, at: offset, taken: &count)
    }
  }

  /// Writes borrowed bytes at an offset.
  package static func write(_ fd: CInt, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(Errno) {
    var count = 0
    try unsafe write(fd, bytes, at: offset, taken: &count)
  }

  /// Writes all of `bytes` from the beginning of an empty file, and nothing where a whole block of them is zero: the file
  /// has a hole there, which takes no room. ftruncate(2), pwrite(2)
  package static func writeSparsely(_ fd: CInt, _ bytes: [UInt8]) throws(Errno) {
    try truncate(fd, to: UInt64(bytes.count))
    try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(Errno) in
      var start = 0
      while start < bytes.count {
        let end = min(start + holeSize, bytes.count)
        let block = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if unsafe block.contains(where: { $0 != 0 }) { try unsafe write(fd, block, at: UInt64(start)) }
        start = end
      }
    }
  }

  /// The size of the blocks of most file systems.
  private static let holeSize = 4096

  private static func write(
    _ fd: CInt, _ bytes: UnsafeRawBufferPointer, at offset: UInt64, taken count: inout Int
  ) throws(Errno) {
    while count < bytes.count {
      let start = try position(offset, count)
      let wrote = try systemCall("pwrite", fd, bytes.count - count) {
        unsafe pwrite(fd, bytes.baseAddress?.advanced(by: count), bytes.count - count, start)
      }
      if wrote == 0 { throw Errno(EIO, "pwrite") }
      count += wrote
    }
  }

  /// All of the open file, read from its beginning; nil if it is longer than `limit` bytes.
  package static func readAll(_ fd: CInt, limit: Int) throws(Errno) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let room = min(limit + 1 - bytes.count, 64 << 10)
      guard room > 0 else { return nil }
      let chunk = try read(fd, at: UInt64(bytes.count), count: room)
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }

  /// Makes durable the content and the size. fdatasync(2)
  package static func syncData(_ fd: CInt) throws(Errno) { try systemCall("fdatasync", fd) { fdatasync(fd) } }

  /// Takes what is durable from `offset` on out of the page cache, so that it is read from the disk. posix_fadvise(2)
  package static func forgetCached(_ fd: CInt, from offset: UInt64) throws(Errno) {
    let offset = try position(offset, 0)
    let code = posix_fadvise(fd, offset, 0, POSIX_FADV_DONTNEED)
    SyscallTrace.note("fadvise", fd, offset, result: Int(-code), code: code)
    if code != 0 { throw Errno(code, "posix_fadvise") }
  }

  /// Makes durable all of the file, or which names are in the directory. fsync(2)
  package static func sync(_ fd: CInt) throws(Errno) { try systemCall("fsync", fd) { fsync(fd) } }

  /// Cuts or extends the file. ftruncate(2)
  package static func truncate(_ fd: CInt, to size: UInt64) throws(Errno) {
    let size = try position(size, 0)
    try systemCall("ftruncate", fd, size) { ftruncate(fd, size) }
  }

  /// Reserves disk space for the first `size` bytes of the file without making it longer; false if the file system
  /// cannot, or if no file may be so long.
  /// fallocate(2)
  package static func reserve(_ fd: CInt, _ size: UInt64) throws(Errno) -> Bool {
    try preallocate(fd, size, keepSize: true)
  }

  /// Reserves disk space for the first `size` bytes of the file; new bytes are zero. False if the file system cannot,
  /// or if no file may be so long.
  /// fallocate(2)
  package static func extend(_ fd: CInt, to size: UInt64) throws(Errno) -> Bool {
    try preallocate(fd, size, keepSize: false)
  }

  /// The names in the open directory, without `.` and `..`, in no order. readdir(3)
  package static func names(in directory: CInt) throws(Errno) -> [String] {
    let own = try openDirectory(".", in: directory).release()
    guard let stream = unsafe fdopendir(own) else {
      let code = errno
      _ = OwnedFD(taking: own)
      throw Errno(code, "fdopendir")
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
    }
    if errno != 0 { throw Errno(errno, "readdir") }
    return names
  }

  /// Reads `count` bytes from `offset` on, fewer at the end. pread(2)
  package static func read(_ fd: CInt, at offset: UInt64, count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(Errno) {
        initialized = try unsafe read(fd, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private static func preallocate(_ fd: CInt, _ size: UInt64, keepSize: Bool) throws(Errno) -> Bool {
    let size = try position(size, 0)
    do throws(Errno) {
      try systemCall("fallocate", fd, size) { clinux_preallocate(fd, keepSize ? 1 : 0, Int64(size)) }
      return true
    } catch {
      // Over RLIMIT_FSIZE the write itself may still succeed.
      guard [EOPNOTSUPP, ENOSYS, EFBIG].contains(error.code) else { throw error }
      return false
    }
  }

  private static func position(_ offset: UInt64, _ more: Int) throws(Errno) -> Int {
    guard let start = Int(exactly: offset), start <= Int.max - more else { throw Errno(EFBIG, "offset") }
    return start + more
  }
}

extension Errno {
  /// The file system cannot be written (EROFS).
  package var isReadOnly: Bool { code == EROFS }
}
