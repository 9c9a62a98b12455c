import Glibc

/// The lock on an open file, released when its owner goes away. flock(2)
///
/// A program that is just being started has the descriptor, too, until its exec, and would keep a lock that ends by
/// closing; so this one is released in words.
package struct FileLock: ~Copyable, Sendable {
  private let file: OwnedFD

  private init(file: consuming OwnedFD) { self.file = file }

  /// Locks the file, which nobody else then locks; nil if somebody has it.
  package static func take(_ file: consuming OwnedFD) throws(Errno) -> FileLock? {
    let raw = file.raw
    let isFree = try nonBlockingCall("flock", raw) { flock(raw, LOCK_EX | LOCK_NB) } != nil
    return isFree ? FileLock(file: file) : nil
  }

  /// The file's descriptor; valid as long as this owner lives.
  package var raw: CInt { file.raw }

  deinit { flock(file.raw, LOCK_UN) }
}
