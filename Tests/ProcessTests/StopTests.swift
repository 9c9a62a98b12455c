import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// The end of a daemon, orderly or not, and the start of the next.
@Suite("Stopping and starting")
struct StopTests {
  @Test(
    "SIGTERM, SIGINT, SIGQUIT and SIGXCPU acknowledge what is stored, close the stream and TLS, and end with 0",
    arguments: [SIGTERM, SIGINT, SIGQUIT, SIGXCPU])
  func orderly(signal: Int32) throws {
    try withScriptedServer { world throws in
      for number in 1...50 { try world.deliver("in \(number)", id: "m\(number)") }
      _ = try world.client.ask("watch since=0 kinds=message")
      _ = try world.client.event("message") { $0["message"]?.text("text") == "in 50" }
      try world.daemon.signal(signal)
      let last = try world.server.event("acknowledged") { $0["h"] == $0["sent"] }
      #expect(last["h"]?.integer ?? 0 >= 50)
      try world.server.event("end")
      #expect(try world.server.event("closed").text("how") == "tls-close")
      #expect(try world.daemon.waitForEnd() == .exited(0))
      #expect(!TestFiles.exists(world.daemon.socketPath))
      // The next one starts from the checkpoint, and reads next to nothing.
      try world.daemon.start()
      #expect(world.daemon.log.contains(", and 0 later records"))
      #expect(try world.daemon.client().history("bob@example.test").count == 50)
    }
  }

  @Test("no signal that means nothing to the daemon ends it")
  func foreignSignals() throws {
    try withDaemon { daemon, client in
      let numbers = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPIPE, SIGXFSZ, SIGPWR, SIGSTKFLT]
      for number in numbers + [34, 64] {
        try daemon.signal(number)
        #expect(try client.request("ping").isOK, "signal \(number)")
      }
      #expect(try daemon.terminate() == .exited(0))
    }
  }

  /// A command that sends a signal to the program behind it, at its first attempt to open its configuration.
  private func signalling(_ signal: String, at path: String) -> [String] {
    [
      "strace", "-f", "-qq", "-o", "/dev/null", "-P", path, "-e", "trace=openat",
      "-e", "inject=openat:signal=\(signal):when=1",
    ]
  }

  @Test(
    "a signal that comes before the configuration is read does not end the daemon, and SIGHUP has its effect later",
    .enabled(if: DiskTests.canTrace, "strace may not be used here"), arguments: ["HUP", "USR1", "IO"])
  func early(signal: String) throws {
    let folder = try TemporaryFolder("early")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder, wrapper: signalling(signal, at: folder.file("daemon/confab.conf")))
      #expect(try daemon.client().request("ping").isOK)
      if signal == "HUP" { try daemon.wait(toSay: "reloaded the configuration") }
      try daemon.kill()
    }
  }

  @Test(
    "SIGTERM before the configuration is read ends the daemon orderly",
    .enabled(if: DiskTests.canTrace, "strace may not be used here"))
  func earlyStop() throws {
    let folder = try TemporaryFolder("early")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      try daemon.terminate()
      let path = daemon.configurationPath
      let done = try Program.run(
        signalling("TERM", at: path) + [Products.program("confabd"), "--config", path])
      #expect(done.status == .exited(0), "\(done.errorText)")
      #expect(done.errorText.contains("stopped"))
    }
  }

  @Test("what was asked before SIGTERM is answered, and what was answered is there")
  func answeredBeforeTheEnd() throws {
    try withDaemon { daemon, client in
      try client.send(bytes: Array((1...200).map { "send bob@example.test \($0)\n" }.joined().utf8))
      let first = try client.answer()
      #expect(first.isOK)
      try daemon.signal(SIGTERM)
      let answered = try client.lines().compactMap { $0["id"]?.integer } + [first.id ?? 0]
      #expect(try daemon.waitForEnd() == .exited(0))
      try daemon.start()
      let kept = Set(try daemon.client().history("bob@example.test").compactMap { $0["id"]?.integer })
      #expect(Set(answered).isSubset(of: kept))
    }
  }

  @Test("SIGTERM ends a daemon that is not connected, or in the middle of signing in")
  func withoutConnection() throws {
    for stage in ["connect", "tls-header", "auth", "bind"] {
      try withScriptedServer(online: false, prepare: { try $0.rule(on: stage) }) { world throws in
        try world.server.event(stage == "connect" ? "connected" : stage == "tls-header" ? "header" : "received") {
          !["auth", "bind"].contains(stage) || $0.text("stage") == stage
        }
        #expect(try world.daemon.terminate() == .exited(0))
      }
    }
    try withDaemon { daemon, _ throws in #expect(try daemon.terminate() == .exited(0)) }
  }

  @Test("a second daemon on the same data, or on the same socket, is refused with 75")
  func second() throws {
    try withDaemon { daemon, client in
      let text = try #require(TestFiles.text(daemon.configurationPath))
      for (line, other) in [
        ("socket = \(daemon.socketPath)", "socket = \(daemon.home)/other"),
        ("data = \(daemon.dataPath)", "data = \(daemon.home)/otherdata"),
      ] {
        let file = daemon.home + "/second.conf"
        try TestFiles.write(file, Array(text.replacing(line, with: other).utf8))
        let done = try Program.run([Products.program("confabd"), "--config", file])
        #expect(done.status == .exited(75))
        #expect(done.errorText.contains("another daemon"))
      }
      #expect(try client.request("ping").isOK)
      #expect(try daemon.client().request("ping").isOK)
    }
  }

  @Test("a lock that its holder gives back is waited for, as a killed daemon's helper does")
  func lockGivenBack() throws {
    try withDaemon { daemon, _ in
      try daemon.terminate()
      let lock = OwnedFD(taking: unsafe open(daemon.dataPath + "/lock", O_RDWR | O_CLOEXEC))
      #expect(flock(lock.raw, LOCK_EX | LOCK_NB) == 0)
      let process = try daemon.launch()
      let watch = try FolderWatch(daemon.home)
      let hasData = try watch.wait(until: .seconds(60), turn: 5, orEndOf: process) {
        TestFiles.names(in: "/proc/\(process.processID)/fd").contains {
          Paths.target("/proc/\(process.processID)/fd/\($0)") == daemon.dataPath
        }
      }
      #expect(hasData)
      flock(lock.raw, LOCK_UN)
      #expect(try watch.wait(until: .seconds(60), orEndOf: process) { (try? daemon.client()) != nil })
    }
  }

  @Test("a socket file on which nobody answers is replaced, anything else is not")
  func staleSocket() throws {
    try withDaemon { daemon, _ in
      try daemon.kill()
      #expect(TestFiles.exists(daemon.socketPath))
      try daemon.start()
      #expect(try daemon.client().request("ping").isOK)
      #expect(try daemon.terminate() == .exited(0))
      try TestFiles.write(daemon.socketPath, Array("precious".utf8))
      let done = try Program.run([Products.program("confabd"), "--config", daemon.configurationPath])
      #expect(done.status != .exited(0))
      #expect(TestFiles.text(daemon.socketPath) == "precious")
    }
  }

  @Test("a damaged or missing checkpoint costs time, not data")
  func checkpoint() throws {
    try withDaemon { daemon, client in
      for number in 1...20 { try client.ask("send bob@example.test \(number)") }
      let drafted = try client.ask("draft carol@example.test kept")
      #expect(drafted.isOK)
      #expect(try daemon.terminate() == .exited(0))
      let file = try #require(TestFiles.below(daemon.dataPath).first { $0.contains("checkpoint") })
      var bytes = try #require(TestFiles.read(file))
      bytes[bytes.count / 2] ^= 0x40
      try TestFiles.write(file, bytes)
      try daemon.start()
      #expect(daemon.log.contains("ignored the checkpoint"))
      let again = try daemon.client()
      #expect(try again.history("bob@example.test").count == 20)
      #expect(try again.ask("draft carol@example.test").final.text("text") == "kept")
    }
  }
}
