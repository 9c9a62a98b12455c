import Glibc
import Syscalls
import TestSupport
import Testing

/// `confab log` beside a daemon that writes continuously.
@Suite("The log of a busy daemon")
struct BusyLogTests {
  /// Sends a few messages at a time, as fast as they are stored.
  private static let sender = """
    import random, socket, sys
    link = socket.socket(socket.AF_UNIX)
    link.connect(sys.argv[1])
    answers = link.makefile("rb")
    answers.readline()
    while True:
        link.sendall(b"".join(b"send bob@example.test " + b"x" * random.randint(1, 3000) + b"\\n" for _ in range(4)))
        for _ in range(4): answers.readline()
    """

  @Test("is sound whenever it is read, and has no torn tail")
  func verify() throws {
    try withDaemon { daemon, client in
      try client.ask("send bob@example.test first")
      let nothing = try Files.openForReading("/dev/null")
      let sender = try ChildProcess(
        ["python3", "-c", Self.sender, daemon.socketPath], input: nothing.raw, output: nothing.raw, error: nothing.raw)
      for round in 0..<8 {
        let log = [Products.program("confab"), "log"]
        let verified = try Program.run(log + ["verify", "--data", daemon.dataPath])
        #expect(verified.status == .exited(0) && verified.text.hasSuffix(": sound\n"), "\(round): \(verified.text)")
        #expect(verified.text.split(separator: "\n").count == 1, "\(round): \(verified.text)")
      }
      #expect(sender.status == nil)
      sender.kill(SIGKILL)
    }
  }
}
