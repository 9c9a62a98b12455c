import Glibc
import Syscalls

/// Pipes that exec closes and whose ends block, as the programs at them expect.
package enum Pipes {
  /// Who writes to a program that has ended is told so, and does not end with all tests. Programs that are started have
  /// the signal as they expect it.
  private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  /// The caller owns both descriptors.
  package static func make() throws -> (reader: CInt, writer: CInt) {
    _ = ignoresBrokenPipes
    let ends = try Descriptors.pipe().split { reader, writer in (reader: reader.release(), writer: writer.release()) }
    for end in [ends.reader, ends.writer] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) & ~O_NONBLOCK) }
    return ends
  }
}
