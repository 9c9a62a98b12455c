import Glibc
import Syscalls
import TestSupport

/// The least that a durable answer takes if a sync is not to hold up the loop: one thread that takes requests from a socket
/// and answers them, another one that writes and syncs, and nothing else.
final class BareServer {
  private let client: CInt
  private let loop: WorkerThread
  private var answer = [UInt8](repeating: 0, count: 64)

  init(_ file: BareFile) throws {
    let (client, server) = try BareSends.pair()
    let (waiting, done) = try BareSends.pair()
    let writer = try WorkerThread(name: "bare writer")
    self.client = client
    loop = try WorkerThread(name: "bare loop")
    try loop.run {
      var bytes = [UInt8](repeating: 0x61, count: 64)
      while unsafe read(server, &bytes, bytes.count) > 0 {
        try? writer.run {
          try? file.write(1)
          _ = unsafe Glibc.write(done, [1], 1)
        }
        _ = (unsafe read(waiting, &bytes, 1), unsafe Glibc.write(server, bytes, bytes.count))
      }
      for end in [server, waiting, done] { close(end) }
    }
  }

  deinit { close(client) }

  /// Asks, and waits until the answer is there.
  func ask() throws {
    guard unsafe write(client, answer, answer.count) == answer.count, unsafe read(client, &answer, answer.count) > 0
    else { throw TestFailure("the bare server: errno \(errno)") }
  }
}
