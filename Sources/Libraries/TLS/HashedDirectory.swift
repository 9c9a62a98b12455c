import Glibc

/// A directory in which OpenSSL finds a certificate by the hash of its subject: `5ad8a5d6.0`.
enum HashedDirectory {
  /// True if the directory contains at least one such name.
  static func hasCertificates(_ path: String) -> Bool {
    guard let directory = unsafe opendir(path) else { return false }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let isHash = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe isHashName($0) }
      if isHash { return true }
    }
    return false
  }

  /// Eight hexadecimal digits, a dot, a digit.
  private static func isHashName(_ name: UnsafeRawBufferPointer) -> Bool {
    guard unsafe name[8] == UInt8(ascii: "."), unsafe (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name[9]) else {
      return false
    }
    return unsafe name[..<8].allSatisfy { isxdigit(CInt($0)) != 0 }
  }
}
