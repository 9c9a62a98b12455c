import CLinux
import Glibc

/// A failed system call: which one, on what, and the error number it left.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of `errno` right after the call.
  package let code: CInt
  /// The call's name.
  package let operation: String
  /// The path or address the call was about; empty if there is none. Never a secret.
  package let object: String

  package init(_ code: CInt, _ operation: String, object: String = "") {
    self.code = code
    self.operation = operation
    self.object = object
  }

  /// The error in the system's words: `No such file or directory`.
  package var text: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let base = buffer.baseAddress, let text = unsafe clinux_error_text(code, base, buffer.count) else {
        return "error \(code)"
      }
      return unsafe String(cString: text)
    }
  }

  /// The error's symbol, `ENOENT`.
  package var name: String {
    guard let name = unsafe clinux_error_name(code) else { return "E\(code)" }
    return unsafe String(cString: name)
  }

  /// `open /x/y: No such file or directory`
  package var description: String {
    object.isEmpty ? "\(operation): \(text)" : "\(operation) \(object): \(text)"
  }
}

extension Errno {
  /// A file that should be there and is not.
  package static func missing(_ object: String) -> Errno { Errno(ENOENT, "open", object: object) }
  /// More bytes than can be sent in one go.
  package static func tooLong(_ object: String) -> Errno { Errno(EMSGSIZE, "send", object: object) }
  /// Nothing of that name (ENOENT), or a part of the path is no directory (ENOTDIR).
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// It is there already.
  package var isExisting: Bool { code == EEXIST }
  /// Not allowed (EACCES, EPERM).
  package var isDenied: Bool { code == EACCES || code == EPERM }
  /// No room: a full disk or a used-up quota.
  package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }
  /// The process or the system has no descriptor left.
  package var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }
  /// The address is taken.
  package var isInUse: Bool { code == EADDRINUSE }
  /// The file is a directory.
  package var isDirectory: Bool { code == EISDIR }
  /// The file is a symbolic link, which is not followed.
  package var isLink: Bool { code == ELOOP }
  /// True if a path that should be a directory is not one, or is a symbolic link that is not followed.
  package var isNoDirectory: Bool { code == ENOTDIR || code == ELOOP }
  /// True for a failed read that the disk or the file system causes, whoever asks.
  package var isOfDisk: Bool { [EIO, EBADMSG, EILSEQ, ENODATA, EUCLEAN].contains(code) }
  /// Nothing listens there.
  package var isRefused: Bool { code == ECONNREFUSED }
  /// The peer is gone: reset, aborted, or it no longer reads.
  package var isDisconnected: Bool { code == ECONNRESET || code == EPIPE || code == ECONNABORTED || code == ENOTCONN }
  /// The kernel gave up waiting for the peer.
  package var isTimedOut: Bool { code == ETIMEDOUT }
}
