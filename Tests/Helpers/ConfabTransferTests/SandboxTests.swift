import Glibc
import HelperProtocol
import Syscalls
import TestSupport
import Testing

@Suite("The sandbox of confab-transfer")
struct SandboxTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func attempt(_ way: String, _ path: String = "") throws -> TestSupport.ExitStatus {
    try Program.run([Products.program("confab-escape"), way, path]).status
  }

  /// Of system calls that it has no use for.
  private static let killed = TestSupport.ExitStatus.killed(signal: SIGSYS)

  @Test("Its own work goes on")
  func ownWork() throws {
    #expect(try attempt("nothing") == .exited(0))
    for path in ["/etc/hosts", "/etc/resolv.conf", "/etc/ssl/openssl.cnf"] {
      #expect(try attempt("read", path) == .exited(0), "\(path)")
    }
    #expect(try attempt("list", "/etc/ssl/certs") == .exited(0))
  }

  @Test("No other file can be read, if the kernel has Landlock", .enabled(if: Confinement.canLimitFiles))
  func reading() throws {
    let own = try folder.write("log", "secret")
    for path in [own, "/etc/passwd", "/proc/self/environ", "/proc/1/status", "/dev/null", folder.path, "/usr/bin/env"] {
      #expect(try attempt("read", path) == .exited(EACCES), "\(path)")
    }
    #expect(try attempt("list", folder.path) == .exited(EACCES))
    #expect(try attempt("list", "/") == .exited(EACCES))
  }

  @Test(
    "No file can be written, made or changed", arguments: ["write", "create", "remove", "rename", "link", "permit"])
  func writing(way: String) throws {
    let own = try folder.write("file", "x")
    let path = ["create", "link"].contains(way) ? own + "2" : own
    #expect(try attempt(way, path) == Self.killed)
    #expect(TestFiles.names(in: folder.path) == ["file"])
  }

  @Test(
    "No program or thread can be started, nobody signalled, no other socket made, no code loaded, no limit raised",
    arguments: ["start", "become", "kill", "unix", "netlink", "listen", "code", "thread", "limits", "priority"])
  func calls(way: String) throws {
    #expect(try attempt(way, "/usr/bin/true") == Self.killed)
  }

  @Test("Memory and the size of the file are bounded")
  func bounds() throws {
    #expect(try attempt("memory") == .exited(ENOMEM))
    let grown = try Program.run([
      "/bin/sh", "-c", "exec \"$0\" grow x >\"$1\"", Products.program("confab-escape"), folder.file("f"),
    ])
    #expect(grown.status == .exited(EFBIG))
  }

  @Test("The program gets two descriptors, no environment and no arguments, and its end is told")
  func start() throws {
    let script = try folder.writeProgram(
      "script", "#!/bin/sh\n/bin/ls -l /proc/$$/fd\n/usr/bin/tr '\\0' ' ' </proc/$$/environ\necho $#\nexit 7\n")
    let file = try Files.inMemory([])
    let process = try TransferProcess(TransferRequest(.get(limit: 1), url: ""), file: file.raw, program: script)
    let events = try Mover.events(of: process)
    #expect(events == [.failed(TransferFailure(.program, "confab-transfer ended early (status 7)"))])
    let text = String(decoding: try Files.readAll(file.raw, limit: 1 << 20) ?? [], as: UTF8.self)
    let links = text.split(separator: "\n").filter { $0.contains(" -> ") }
    #expect(links.contains { $0.contains(" 0 -> socket:") } && links.contains { $0.contains(" 1 -> /memfd:") })
    #expect(links.contains { $0.contains(" 2 -> /dev/null") })
    // The shell's own script is the fourth.
    #expect(links.count == 4)
    #expect(!text.contains("HOME=") && !text.contains("PATH=/root") && text.hasSuffix("0\n"))
  }

  @Test("A program that says something else, or that more follows, is not believed")
  func lies() throws {
    for (bytes, reason) in [
      ("\\000\\000\\000\\002\\172\\000", "confab-transfer sent something else than events"),
      ("\\377\\377\\377\\377", "confab-transfer sent something else than events"),
      ("\\000\\000", "confab-transfer ended early (status 0)"),
    ] {
      let script = try folder.writeProgram("script", "#!/bin/sh\nprintf '\(bytes)' >&0\nread line\n")
      let file = try Files.inMemory([])
      let process = try TransferProcess(TransferRequest(.get(limit: 1), url: ""), file: file.raw, program: script)
      guard case .failed(let failure) = try Mover.events(of: process).last else { throw TestFailure("no failure") }
      #expect(failure.cause == .program)
      #expect(failure.reason == reason)
    }
    let file = try Files.inMemory([])
    #expect(throws: Errno.self) {
      try TransferProcess(TransferRequest(.get(limit: 1), url: ""), file: file.raw, program: folder.file("none"))
    }
  }

  @Test("A program that is killed is told of; one whose owner goes is killed")
  func kills() throws {
    let script = try folder.writeProgram("script", "#!/bin/sh\necho $$ >&1\nread line\nread line\n")
    let file = try Files.inMemory([])
    var process: TransferProcess? = try TransferProcess(
      TransferRequest(.get(limit: 1), url: ""), file: file.raw, program: script)
    #expect(kill(try number(in: file.raw), SIGKILL) == 0)
    let events = try Mover.events(of: try #require(process))
    #expect(events == [.failed(TransferFailure(.program, "confab-transfer ended early (signal 9)"))])
    process = nil
    let other = try Files.inMemory([])
    process = try TransferProcess(TransferRequest(.get(limit: 1), url: ""), file: other.raw, program: script)
    let number = try number(in: other.raw)
    #expect(TestFiles.exists("/proc/\(number)"))
    process = nil
    #expect(!TestFiles.exists("/proc/\(number)"))
  }

  /// The process's own number, once it has written it.
  private func number(in file: CInt) throws -> pid_t {
    let deadline = Deadline.seconds(60)
    while !deadline.hasPassed {
      let text = String(decoding: try Files.readAll(file, limit: 100) ?? [], as: UTF8.self)
      if text.hasSuffix("\n"), let number = pid_t(text.dropLast()) { return number }
      sched_yield()
    }
    throw TestFailure("the script does not start")
  }

  @Test("A person who starts it is told who does")
  func byHand() throws {
    let done = try Program.run([Mover.program])
    #expect(done.status == .exited(64))
    #expect(done.errorText == "confab-transfer is started by confabd\n")
  }
}
