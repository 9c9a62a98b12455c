package import Syscalls

/// Why a Unix socket cannot be served.
package enum UnixListenerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Somebody answers there: another daemon runs (exit 75).
  case inUse(path: String)
  /// Longer than the kernel takes.
  case pathTooLong(path: String, limit: Int)
  /// Others could put a socket of theirs in the place of ours.
  case directoryWritableByOthers(directory: String)
  case notADirectory(directory: String)
  /// Something that is no socket stands there; it is not touched.
  case notASocket(path: String)
  case system(Errno)

  /// A sentence for the administrator.
  package var description: String {
    switch self {
    case .inUse(let path): "another process already answers on the socket \(path)"
    case .pathTooLong(let path, let limit): "the socket's path is longer than \(limit) bytes: \(path)"
    case .directoryWritableByOthers(let directory):
      "others can write to \(directory), the socket's directory; let only its owner write there (chmod go-w)"
    case .notADirectory(let directory): "\(directory), which should hold the socket, is not a directory"
    case .notASocket(let path): "\(path) exists and is not a socket; move it away"
    case .system(let error): error.description
    }
  }
}
