import Glibc

/// The lock on an open file, released when its owner goes away. flock(2)
///
/// A child between fork and exec shares the descriptor, and would keep the lock past close(2); so the lock is released
/// explicitly.
package struct FileLock: ~Copyable, Sendable {
  private let file: OwnedFD

  private init(file: consuming OwnedFD) { self.file = file }

  /// Locks the file; nil if another open file has the lock.
  package static func take(_ file: consuming OwnedFD) throws(Errno) -> FileLock? {
    let raw = file.raw
    let isFree = try nonBlockingCall("flock", raw) { flock(raw, LOCK_EX | LOCK_NB) } != nil
    return isFree ? FileLock(file: file) : nil
  }

  /// The file's descriptor; valid as long as this owner lives.
  package var raw: CInt { file.raw }

  deinit { flock(file.raw, LOCK_UN) }
}
