import CLinux

extension Files {
  /// A file with this content that is in memory only: it goes with its last descriptor. Programs that are started get
  /// it too, as `/dev/fd/NUMBER`. memfd_create(2)
  package static func inMemory(_ content: [UInt8]) throws(Errno) -> OwnedFD {
    let fd = OwnedFD(taking: try systemCall("memfd_create") { unsafe clinux_memory_file("confab") })
    try write(fd.raw, content, at: 0)
    return fd
  }

  /// Bytes that may still be written on the file system that holds `path`. statvfs(3)
  package static func freeBytes(_ path: String) throws(Errno) -> UInt64 {
    var bytes: UInt64 = 0
    try systemCall("statvfs", object: path) { unsafe clinux_free_bytes(path, &bytes) }
    return bytes
  }
}
