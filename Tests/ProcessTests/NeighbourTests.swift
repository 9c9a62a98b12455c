import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// Other users and programs of the same machine, who take what they can.
@Suite("Neighbours")
struct NeighbourTests {
  private static let other = 65534

  private func daemon(_ folder: TemporaryFolder, _ settings: [String]) throws -> Daemon {
    try folder.letOthersThrough()
    let daemon = try Daemon(in: folder, settings: settings)
    try runCommand("chmod", "755", folder.file("daemon"))
    return daemon
  }

  /// Lets a user connect so many times, and writes a text so often to each.
  private func crowd(
    _ folder: TemporaryFolder, _ daemon: Daemon, _ count: Int, user: Int, text: String = "", repeat times: Int = 1
  ) throws -> (process: HelperProcess, greeted: Int) {
    let process = try HelperProcess(
      "crowd.py", [daemon.socketPath, "\(count)", "\(user)", "--text=\(text)", "--repeat", "\(times)"],
      log: folder.file("crowd.log"))
    let greeted = try process.event("connected", until: .seconds(120))["greeted"]?.integer
    return (process, Int(try #require(greeted)))
  }

  private func descriptors(of daemon: Daemon) throws -> Int {
    TestFiles.names(in: "/proc/\(try #require(daemon.processID))/fd").count
  }

  @Test(
    "clients that go while they wait for thousands of answers are noticed: their descriptors and waits go with them")
  func gone() throws {
    let folder = try TemporaryFolder("gone")
    try folder.reportingLogs {
      let daemon = try daemon(folder, ["max-requests = 64"])
      let client = try daemon.client()
      let id = try #require(try client.request("send bob@example.test hello").id)
      // A try to connect has a descriptor, too.
      try client.ask("disconnect")
      let before = try descriptors(of: daemon)
      let wait = "wait for=displayed timeout=7d tag=\(String(repeating: "t", count: 500)) \(id)\n"
      let crowd = try crowd(folder, daemon, 300, user: Int(getuid()), text: wait, repeat: 200)
      #expect(crowd.greeted == 300)
      #expect(try descriptors(of: daemon) >= before + 300)
      crowd.process.stop()
      // Each is noticed in its turn, before what comes later is answered.
      while try descriptors(of: daemon) > before { _ = try client.request("ping") }
    }
  }

  @Test(
    "other users who take all connections leave the owner and root theirs",
    .enabled(if: getuid() == 0, "only root may become other users"))
  func places() throws {
    let folder = try TemporaryFolder("places")
    try folder.reportingLogs {
      let daemon = try daemon(folder, ["max-connections = 160", "allow-uid = \(Self.other)", "allow-uid = 65533"])
      let one = try crowd(folder, daemon, 200, user: Self.other)
      let two = try crowd(folder, daemon, 200, user: 65533)
      #expect(one.greeted == 80 && two.greeted == 60)
      let owner = try (0..<10).map { _ in try daemon.client() }
      for client in owner { #expect(try client.request("ping").isOK) }
      withExtendedLifetime((one, two)) {}
    }
  }

  @Test(
    "requests without an end, of thousands of connections, stay within the bounds",
    .enabled(if: getuid() == 0, "only root may become other users"))
  func memory() throws {
    let folder = try TemporaryFolder("unfinished")
    try folder.reportingLogs {
      let daemon = try daemon(folder, ["allow-uid = \(Self.other)"])
      let client = try daemon.client()
      let id = try #require(try client.request("send bob@example.test hello").id)
      let process = try #require(daemon.processID)
      let before = try ProcessUsage(of: process).anonymousKiB
      let wait = "wait for=displayed timeout=7d tag=\(String(repeating: "t", count: 900)) \(id)\n"
      let crowds = try [
        crowd(folder, daemon, 300, user: Self.other, text: wait, repeat: 200),
        crowd(
          folder, daemon, 300, user: Self.other, text: "send bob@example.test \(String(repeating: "x", count: 60_000))"),
      ]
      #expect(try client.request("ping").isOK)
      #expect(try client.request("send bob@example.test good bye").isOK)
      #expect(try ProcessUsage(of: process).anonymousKiB - before < 64 << 10)
      withExtendedLifetime(crowds) {}
    }
  }

  @Test(
    "a folder that others may write to, or own, holds neither the log nor a socket",
    .enabled(if: getuid() == 0, "only root may become other users"))
  func folders() throws {
    for (command, mode, name) in [
      ("chmod", "1777", "daemon/data"), ("chown", "65534", "daemon/data"), ("chown", "65534", "daemon/data/log"),
      ("chmod", "1777", "daemon"),
    ] {
      let folder = try TemporaryFolder("folders")
      let daemon = try daemon(folder, [])
      try daemon.terminate()
      try runCommand(command, mode, folder.file(name))
      #expect(try daemon.launch().wait() == .exited(78))
      #expect(daemon.log.contains("others can change \(folder.file(name))"))
    }
  }

  @Test("the soft limit of descriptors is raised to the hard one at the start")
  func limit() throws {
    let folder = try TemporaryFolder("limit")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder, wrapper: ["sh", "-c", "ulimit -Sn 64; ulimit -Hn 512; exec \"$@\"", "sh"])
      let process = try #require(daemon.processID)
      let limits = try #require(TestFiles.text("/proc/\(process)/limits"))
      let words = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }?.split(separator: " ")
      #expect(words?[3...4].map(String.init) == ["512", "512"])
      let clients = try (0..<100).map { _ in try daemon.client() }
      #expect(clients.count == 100)
    }
  }

  @Test(
    "`confab` says nothing to another user's program that answers at its default path",
    .enabled(if: getuid() == 0, "only root may become other users"))
  func impostor() throws {
    let folder = try TemporaryFolder("impostor")
    for name in ["run", "run/confab"] { _ = try folder.makeFolder(name, mode: 0o777) }
    try folder.letOthersThrough()
    #expect(unsafe chmod(folder.file("run/confab"), 0o777) == 0)
    let path = folder.file("run/confab/socket")
    let watch = try FolderWatch(folder.file("run/confab"))
    let (input, _) = try Pipes.make()
    let heard = unsafe open(folder.file("heard"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let impostor = try ChildProcess(
      ["setpriv", "--reuid=\(Self.other)", "--regid=\(Self.other)", "--clear-groups", "nc", "-lUk", path],
      input: input, output: heard, error: heard)
    defer { impostor.kill(SIGKILL) }
    // The kernel's mark of a socket that is listened on.
    let isListenedOn = try watch.wait(until: .seconds(60), orEndOf: impostor) {
      TestFiles.text("/proc/net/unix")?.split(separator: "\n").contains {
        $0.hasSuffix(" \(path)") && $0.contains(" 00010000 ")
      } ?? false
    }
    #expect(isListenedOn)
    let run = try Program.run(
      [Products.program("confab"), "send", "bob@example.test", "a secret"],
      environment: ["XDG_RUNTIME_DIR": folder.file("run"), "HOME": folder.path, "PATH": "/usr/bin:/bin"])
    #expect(run.status != .exited(0))
    #expect(run.errorText.contains("the user \(Self.other) answers there, not your daemon"), "\(run.errorText)")
    #expect(!TestFiles.contains(folder.file("heard"), "secret"))
  }

  @Test("certificate authorities that others can change are not believed")
  func authorities() throws {
    let folder = try TemporaryFolder("authorities")
    let daemon = try Daemon(in: folder)
    try daemon.terminate()
    var account = try Daemon.Account.unreachable()
    account.authority = try folder.write("ca.pem", TestFiles.text(account.authority) ?? "", mode: 0o666)
    try daemon.configure(accounts: [account])
    #expect(try daemon.launch().wait() == .exited(78))
    #expect(daemon.log.contains("others can change \(folder.file("ca.pem")) (mode 666)"))
  }

  @Test("certificate authorities in a FIFO into which nobody writes do not hang the daemon")
  func fifo() throws {
    let folder = try TemporaryFolder("fifo")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      let path = folder.file("ca.pem")
      _ = try runCommand("mkfifo", path)
      let account = Daemon.Account(
        "alice", password: "secret-a", port: server.directTLSPort, tls: "direct", authority: path)
      let daemon = try Daemon(in: folder, accounts: [account])
      let reason = try daemon.waitForState(["refused", "waiting"]).text("reason")
      #expect(reason.contains("it is not a regular file"), "\(reason)")
    }
  }
}
