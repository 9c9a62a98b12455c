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
    case .inUse(let path): "somebody already answers on the socket \(path)"
    case .pathTooLong(let path, let limit): "the socket's path is longer than \(limit) bytes: \(path)"
    case .directoryWritableByOthers(let directory):
      "others can write to \(directory), the socket's directory; make it writable for its owner alone (chmod go-w)"
    case .notADirectory(let directory): "\(directory) is to hold the socket but is no directory"
    case .notASocket(let path): "\(path) is there already and is no socket"
    case .system(let error): error.description
    }
  }
}
