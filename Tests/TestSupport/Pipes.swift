import Glibc
import Syscalls

/// Pipes that exec closes and whose ends block, as the programs at them expect.
enum Pipes {
  /// The caller owns both descriptors.
  static func make() throws -> (reader: CInt, writer: CInt) {
    let ends = try Descriptors.pipe().split { reader, writer in (reader: reader.release(), writer: writer.release()) }
    for end in [ends.reader, ends.writer] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) & ~O_NONBLOCK) }
    return ends
  }
}
