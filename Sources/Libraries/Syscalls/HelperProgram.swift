import CLinux
import Glibc

/// A program of ours that does one thing for this process, with two descriptors and nothing else: no arguments, no
/// environment, no terminal. It is killed where this object goes before it has ended.
///
/// The owner is one thread.
package final class HelperProgram {
  /// Readable once it has ended. pidfd_open(2)
  package var exit: CInt { exitDescriptor.raw }
  private let exitDescriptor: OwnedFD
  private let process: pid_t
  private var status: CInt?

  /// Starts it.
  ///
  /// - Parameters:
  ///   - socket: becomes its descriptor 0, and is lent for this call; as `file`, which becomes 1. posix_spawn(3)
  package init(path: String, socket: CInt, file: CInt) throws(Errno) {
    var started: pid_t = 0
    try systemCall("posix_spawn", object: path) { unsafe clinux_spawn_confined(path, socket, file, &started) }
    do throws(Errno) {
      exitDescriptor = OwnedFD(taking: try systemCall("pidfd_open") { clinux_pidfd_open(started) })
    } catch {
      _ = Glibc.kill(started, SIGKILL)
      _ = waitpid(started, nil, 0)
      throw error
    }
    process = started
  }

  deinit {
    guard status == nil else { return }
    // Until it is reaped, its number is not used again.
    kill()
    _ = waitpid(process, nil, 0)
  }

  /// Ends it at once. kill(2)
  package func kill() {
    if status == nil { _ = Glibc.kill(process, SIGKILL) }
  }

  /// How it has ended; nil: it has not. waitpid(2)
  package func reap() -> ShellCommand.Termination? {
    if status == nil {
      var ended: CInt = 0
      if unsafe waitpid(process, &ended, WNOHANG) == process { status = ended }
    }
    return status.map(ShellCommand.Termination.init(waitStatus:))
  }
}
