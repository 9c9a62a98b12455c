import Glibc
import Syscalls
import TestSupport
import Testing

@Suite("Commands of the shell")
struct ShellCommandTests {
  private func run(
    _ text: String, time: Int64 = 60_000, output: Int = 100
  ) throws -> (ending: ShellCommand.Termination, output: String, complaint: String) {
    let finished = try ShellCommand(text, limits: .init(time: time, output: output)).run()
    return (
      finished.termination, String(decoding: finished.output, as: UTF8.self),
      String(decoding: finished.errorOutput, as: UTF8.self)
    )
  }

  @Test("give what they print, and how they ended")
  func endings() throws {
    let good = try run("printf 'a\\nb'; echo no >&2")
    #expect(good.ending == .exited(0) && good.output == "a\nb" && good.complaint == "no\n")
    #expect(try run("exit 3").ending == .exited(3))
    #expect(try run("kill -TERM $$").ending == .killed(signal: SIGTERM))
    let unknown = try run("confab-no-such-command")
    #expect(unknown.ending == .exited(127) && unknown.complaint.contains("not found"))
  }

  @Test("read nothing, have our environment and signals as a fresh program expects them, and none of our files")
  func surroundings() throws {
    #expect(try run("cat; echo $?").output == "0\n")
    #expect(try run("echo $PATH", output: 10_000).output == "\(ProcessEnvironment.current["PATH"] ?? "")\n")
    let pipe = try Descriptors.pipe()
    // A number that the command takes for no file of its own.
    let ours = fcntl(pipe.first.raw, F_DUPFD_CLOEXEC, 100)
    defer { close(ours) }
    #expect(try run("ls /proc/self/fd | grep -cxE '[012]|\(ours)'").output == "3\n")
    SignalFD.ignoreFailedWrites()
    // Signals 1 to 28: the library keeps two higher ones to itself.
    #expect(try run("grep -E '^Sig(Blk|Ign)' /proc/self/status | grep -c '0000000$'").output == "2\n")
    #expect(try run("test $(ps -o pgid= $$) = $$").ending == .exited(0))
  }

  @Test("are bounded in what they print: the beginning of the output and the end of the complaints are kept")
  func bounds() throws {
    let long = try run("seq 1 20000; seq 1 20000 >&2", output: 5)
    #expect(long.ending == .exited(0) && long.output == "1\n2\n3")
    #expect(long.complaint.hasSuffix("\n19999\n20000\n") && long.complaint.utf8.count == 4096)
    let endless = try run("yes", output: 2)
    #expect(endless.ending == .wroteTooMuch && endless.output == "y\n")
    #expect(try run("yes >&2").ending == .wroteTooMuch)
  }

  @Test("are killed with all of their group when they take too long")
  func time() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("fifo")
    _ = try runCommand("mkfifo", path)
    let reader = OwnedFD(taking: unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    #expect(try run("tail -f /dev/null >'\(path)' & wait", time: 500).ending == .tookTooLong)
    // At its end once nobody has it open for writing.
    _ = Readiness.wait(forReading: [reader.raw], until: .seconds(60))
    #expect(try Descriptors.read(reader.raw, atMost: 1) == [])
  }

  @Test("do not wait for what they leave in the background")
  func background() throws {
    #expect(try run("tail -f /dev/null & echo $!").ending == .exited(0))
  }

  @Test("can be ended by another thread")
  func kill() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("fifo")
    _ = try runCommand("mkfifo", path)
    let command = ShellCommand("echo >'\(path)'; tail -f /dev/null", limits: .init(time: 60_000, output: 9))
    let killer = try WorkerThread(name: "killer")
    try killer.run {
      // Back once the command runs.
      _ = TestFiles.read(path)
      command.kill()
    }
    #expect(try command.run().termination == .killed(signal: SIGKILL))
    command.kill()
  }
}
