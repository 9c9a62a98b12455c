import Glibc
import JSON
import TestSupport
import Testing

/// The daemon as a service of systemd: what it is given, and what it says of itself (sd_notify(3), sd_listen_fds(3)).
@Suite("As a service")
struct ServiceTests {
  private static let nowhere = "[account home]\njid = alice@example.test\npassword = secret-a\nserver = 127.0.0.1:1\n"

  /// A configuration that leaves all places to the environment, and the environment that systemd would give.
  private func variables(_ folder: TemporaryFolder) throws -> [String: String] {
    [
      "STATE_DIRECTORY": try folder.makeFolder("state"), "RUNTIME_DIRECTORY": try folder.makeFolder("run"),
      "CREDENTIALS_DIRECTORY": try folder.makeFolder("credentials"),
    ]
  }

  @Test(
    "it says when it serves, how its accounts are, that it reads its configuration again, and that it stops",
    arguments: [false, true])
  func notifications(isAbstract: Bool) throws {
    let folder = try TemporaryFolder("service")
    try folder.reportingLogs {
      let name = folder.file("notify")
      let variables = try variables(folder)
      let daemon = try SupervisedDaemon(
        configuration: try folder.write("confab.conf", Self.nowhere), in: folder,
        notify: isAbstract ? "@" + name : name, variables: variables)
      try daemon.said("READY", "1")
      let client = try SocketClient(path: folder.file("run/socket"))
      _ = try client.greeting()
      let status = try daemon.said { $0.text("STATUS").hasPrefix("home is waiting: ") }
      #expect(status.text("STATUS") == "home is waiting: " + (try client.account().text("reason")))
      try daemon.signal(SIGHUP)
      #expect(try daemon.said("RELOADING", "1").text("MONOTONIC_USEC").hasSuffix("000"))
      try daemon.said("READY", "1")
      try client.ask("reload")
      try daemon.said("RELOADING", "1")
      try daemon.said("READY", "1")
      try daemon.signal(SIGTERM)
      #expect(try daemon.said("STOPPING", "1").text("STATUS") == "stopping")
      #expect(try daemon.end() == 0)
      #expect(daemon.saidBesides().allSatisfy { $0["WATCHDOG"] == nil })
    }
  }

  @Test("it says that its loop turns, where that is asked of this very process")
  func watchdog() throws {
    let folder = try TemporaryFolder("service")
    try folder.reportingLogs {
      let configuration = try folder.write("confab.conf", Self.nowhere)
      var variables = try variables(folder)
      variables["WATCHDOG_USEC"] = "20000"
      for owner in [nil, "%p"] {
        variables["WATCHDOG_PID"] = owner
        let daemon = try SupervisedDaemon(
          configuration: configuration, in: folder, notify: "@" + folder.file("watch"), variables: variables)
        for _ in 1...5 { try daemon.said("WATCHDOG", "1") }
        try daemon.signal(SIGTERM)
        #expect(try daemon.end() == 0)
      }
      variables["WATCHDOG_PID"] = "1"
      let other = try SupervisedDaemon(
        configuration: configuration, in: folder, notify: "@" + folder.file("other"), variables: variables)
      try other.said("READY", "1")
      try other.signal(SIGTERM)
      #expect(try other.end() == 0)
      try other.said("STOPPING", "1")
      #expect(other.saidBesides().allSatisfy { $0["WATCHDOG"] == nil })
    }
  }

  @Test("a passed socket needs no path, and stays at a reload")
  func passedAlone() throws {
    let folder = try TemporaryFolder("service")
    try folder.reportingLogs {
      let path = folder.file("passed")
      let daemon = try SupervisedDaemon(
        configuration: try folder.write("confab.conf", Self.nowhere), in: folder, notify: folder.file("notify"),
        listen: path, variables: ["HOME": folder.path, "XDG_RUNTIME_DIR": "", "XDG_STATE_HOME": ""])
      let client = try SocketClient(path: path)
      _ = try client.greeting()
      try client.ask("reload")
      _ = try SocketClient(path: path).greeting()
      try daemon.signal(SIGTERM)
      #expect(try daemon.end() == 0)
    }
  }

  @Test("it serves the socket that it is passed, keeps its log in the state directory, and reads a credential")
  func everythingPassed() throws {
    let folder = try TemporaryFolder("service")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder, accounts: ["alice": "secret-a"])
      let variables = try variables(folder)
      try folder.write("credentials/password_home", "secret-a\n", mode: 0o400)
      let configuration = try folder.write(
        "confab.conf",
        """
        [account home]
        jid = alice@example.test
        password-file = ${CREDENTIALS_DIRECTORY}/password_home
        server = 127.0.0.1:\(server.directTLSPort)
        tls = direct
        ca-file = \(server.authority)

        """)
      let path = folder.file("passed")
      // What is asked before it has begun waits in the socket.
      let daemon = try SupervisedDaemon(
        configuration: configuration, in: folder, notify: folder.file("notify"), listen: path, variables: variables)
      let client = try SocketClient(path: path)
      _ = try client.greeting()
      try client.waitUntilOnline()
      try daemon.said("STATUS", "home is online")
      try client.ask("send bob@example.test hello")
      #expect(TestFiles.names(in: folder.file("state")).contains("lock"))
      #expect(TestFiles.names(in: folder.file("run")).isEmpty)
      try daemon.signal(SIGTERM)
      #expect(try daemon.end() == 0)
      // It is systemd's, and the next daemon gets it.
      #expect(TestFiles.exists(path))
    }
  }
}
