import Clocks
import ConfabAccounts
import Glibc
import Reactor
import Syscalls
import TestSupport
import Testing

@testable import ConfabRuntime

@Suite("Commands of hooks")
struct RunningHooksTests {
  /// Runs a command to its end.
  private func outcome(
    _ command: String, input: String = "{}\n", timeout: Interval = .minutes(1), environment: [String: String]? = nil
  ) throws -> HookOutcome {
    let loop = try EventLoop()
    var ended: HookOutcome?
    let surroundings = HookSurroundings(environment ?? ProcessEnvironment.current, socket: "/run/confab/socket")
    let hooks = RunningHooks(loop: loop, surroundings) { ended = $1 }
    hooks.start(HookRun(id: HookRunID(1), command: command, input: Array(input.utf8), timeout: timeout))
    while true {
      if let ended { return ended }
      try loop.turn()
    }
  }

  /// Returns the content of the file that the command writes; its name is in `$OUT`.
  private func output(
    _ command: String, input: String = "{}\n", environment: [String: String]? = nil
  ) throws -> String {
    let folder = try TemporaryFolder()
    let file = folder.file("out")
    #expect(try outcome("exec >'\(file)'; " + command, input: input, environment: environment) == .done)
    return TestFiles.text(file) ?? ""
  }

  @Test("The event is the standard input, whole and however long; who does not read it is not held up")
  func input() throws {
    let long = String(repeating: "x", count: 300_000) + "\n"
    #expect(try output("cat", input: long) == long)
    #expect(try outcome("exit 0", input: long) == .done)
  }

  @Test("The environment is small, the directory is the home, signals are those of a fresh program")
  func environment() throws {
    let folder = try TemporaryFolder()
    let ours = [
      "HOME": folder.path, "PATH": "/usr/bin:/bin", "USER": "alice", "LANG": "C.UTF-8", "SECRET": "x",
      "XDG_RUNTIME_DIR": "/run/user/1", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x", "DISPLAY": ":0",
      "CREDENTIALS_DIRECTORY": "/run/credentials", "NOTIFY_SOCKET": "/run/notify",
    ]
    let lines = try output("env | grep -v ^PWD= | sort; pwd", environment: ours).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "CONFAB_SOCKET=/run/confab/socket", "DBUS_SESSION_BUS_ADDRESS=unix:path=/x", "DISPLAY=:0",
        "HOME=\(folder.path)", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "USER=alice", "XDG_RUNTIME_DIR=/run/user/1",
        folder.path,
      ])
    let status = try output("grep -E '^Sig(Blk|Ign)' /proc/self/status | grep -c '0000000$'")
    #expect(status == "2\n")
  }

  @Test("A command has no descriptor of ours, even one that was left open at exec")
  func descriptors() throws {
    let pipe = try Descriptors.pipe()
    let ours = fcntl(pipe.first.raw, F_DUPFD, 100)
    defer { close(ours) }
    // ls has one of its own, of the directory.
    #expect(try output("ls /proc/self/fd").split(separator: "\n").map(String.init) == ["0", "1", "2", "3"])
  }

  @Test("Memory is bounded, core dumps are off, and the kernel takes a hook first")
  func memory() throws {
    #expect(try output("ulimit -d; ulimit -c; ulimit -n; cat /proc/self/oom_score_adj") == "262144\n0\n1024\n1000\n")
    guard case .failed(let reason) = try outcome("head -c 400m /dev/zero | tail -c 400m >/dev/null") else {
      Issue.record("It got the memory")
      return
    }
    #expect(reason.hasPrefix("exit status 1: "))
  }

  @Test("A command that hangs is killed with its group at its time, and says so")
  func hangs() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("fifo")
    _ = try runCommand("mkfifo", path)
    let reader = OwnedFD(taking: unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    let command = "tail -f /dev/null >'\(path)' & trap '' TERM; echo waiting >&2; wait"
    #expect(try outcome(command, timeout: .milliseconds(700)) == .failed("took longer than 700ms: waiting"))
    // At its end once nobody has it open for writing.
    #expect(try Descriptors.wait(toRead: reader.raw, milliseconds: 60_000) == .readable)
  }

  @Test("A command that floods is killed, on either output")
  func floods() throws {
    for command in ["yes", "yes >&2"] {
      guard case .failed(let reason) = try outcome(command) else {
        Issue.record("It may write")
        continue
      }
      #expect(reason.hasPrefix("wrote more than 64 KiB"))
    }
    #expect(try outcome("head -c 60000 /dev/zero") == .done)
  }

  @Test("A child that holds the pipes is not waited for, and is killed with the rest of its group")
  func forks() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("fifo")
    _ = try runCommand("mkfifo", path)
    let reader = OwnedFD(taking: unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    #expect(try outcome("exec 3>'\(path)'; tail -f /dev/null & exit 0") == .done)
    #expect(try Descriptors.wait(toRead: reader.raw, milliseconds: 60_000) == .readable)
  }

  @Test("A command that dies, fails or is not there says so, with the last line of its complaint made harmless")
  func dies() throws {
    #expect(try outcome("kill -SEGV $$") == .failed("ended by signal 11"))
    #expect(try outcome("printf 'one\\ntwo\\033[2J\\n\\n' >&2; exit 3") == .failed("exit status 3: two?[2J"))
    guard case .failed(let reason) = try outcome("confab-no-such-command") else {
      Issue.record("It is there")
      return
    }
    #expect(reason.hasPrefix("exit status 127: ") && reason.contains("not found"))
  }

  @Test("A run that is killed says nothing any more, even if it was killed before it began")
  func killed() throws {
    let loop = try EventLoop()
    var ended: [UInt64] = []
    let surroundings = HookSurroundings(ProcessEnvironment.current, socket: nil)
    let hooks = RunningHooks(loop: loop, surroundings) { id, _ in ended.append(id.number) }
    for number in [1, 2] as [UInt64] {
      let command = number == 1 ? "tail -f /dev/null" : "exit 0"
      hooks.start(HookRun(id: HookRunID(number), command: command, input: [], timeout: .minutes(1)))
      if number == 1 { hooks.kill(HookRunID(1)) }
    }
    while ended.isEmpty { try loop.turn() }
    #expect(ended == [2])
  }
}
