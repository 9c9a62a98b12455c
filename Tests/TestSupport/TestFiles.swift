package import Glibc

/// Whole files, as tests need them.
package enum TestFiles {
  /// A file's bytes; nil where it cannot be read.
  package static func read(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// The same as text.
  package static func text(_ path: String) -> String? {
    read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// True if a file can be read and has a text in it, which is not empty. The C library looks: a segment is 64 MiB long.
  package static func contains(_ path: String, _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    return unsafe (read(path) ?? []).withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while let start = unsafe UnsafeRawBufferPointer(rebasing: rest).baseAddress, unsafe rest.count >= wanted.count {
        guard let found = unsafe memchr(start, CInt(wanted[0]), unsafe rest.count - wanted.count + 1) else {
          return false
        }
        if unsafe memcmp(found, wanted, wanted.count) == 0 { return true }
        unsafe rest = rest.dropFirst(UnsafeRawPointer(found) - start + 1)
      }
      return false
    }
  }

  /// The last few thousand characters of a file.
  package static func tail(_ path: String, bytes: Int = 6000) -> String {
    String(decoding: (read(path) ?? []).suffix(bytes), as: UTF8.self)
  }

  package static func write(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o600) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TestFailure("open \(path): errno \(errno)") }
    defer { close(descriptor) }
    guard fchmod(descriptor, mode) == 0 else { throw TestFailure("chmod \(path): errno \(errno)") }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw TestFailure("write \(path): errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  /// True if there is something at a path.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// The names in a folder, sorted; none where there is no such folder.
  package static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe $0.prefix { $0 != 0 }.map(\.self) }
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// All files below a folder, as paths.
  package static func below(_ folder: String) -> [String] {
    names(in: folder).flatMap { name in
      let path = folder + "/" + name
      return isFolder(path) ? below(path) : [path]
    }
  }

  /// Removes a file, or a folder with all that is in it; links are removed, never followed.
  package static func removeTree(_ path: String) {
    if isFolder(path) {
      for name in names(in: path) { removeTree(path + "/" + name) }
      _ = unsafe rmdir(path)
    } else {
      _ = unsafe unlink(path)
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
