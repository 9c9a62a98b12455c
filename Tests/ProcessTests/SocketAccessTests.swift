import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// Who may use which socket, as the kernel and the daemon see it.
@Suite("Access to the sockets")
struct SocketAccessTests {
  /// What `ls -l` shows of a file.
  private func look(_ path: String) -> (mode: mode_t, group: gid_t)? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? (status.st_mode & 0o7777, status.st_gid) : nil
  }

  /// What a user gets at a socket; `nc` ends when the daemon closes.
  private func ask(_ path: String, user: Int, groups: String = "--clear-groups", _ lines: String...) throws
    -> [JSONValue]
  {
    let done = try Program.run(
      ["setpriv", "--reuid=\(user)", "--regid=\(user)", groups, "nc", "-NU", path],
      input: Array(lines.map { $0 + "\n" }.joined().utf8))
    return try done.output.split(separator: 0x0A).map { try JSONParser.parse(Array($0)) }
  }

  private func daemon(
    _ folder: TemporaryFolder, _ settings: [String] = [], _ sections: [String] = [], wrapper: [String] = []
  ) throws -> Daemon {
    for name in ["alerts", "eyes"] { _ = try folder.makeFolder(name, mode: 0o755) }
    try folder.letOthersThrough()
    // A folder that others may go through, and a daemon whose sections come behind its account's.
    var account = try Daemon.Account.unreachable()
    account.more = sections
    return try Daemon(in: folder, accounts: [account], settings: settings, wrapper: wrapper)
  }

  @Test("what the daemon makes has the modes of who may use it; a directory is as open as what is in it")
  func modes() throws {
    let folder = try TemporaryFolder("access")
    try folder.reportingLogs {
      _ = try folder.makeFolder("shut")
      let daemon = try daemon(
        folder, [],
        [
          "[socket users]", "path = \(folder.path)/u/users", "rights = read", "allow-uid = 65534",
          "[socket group]", "path = \(folder.path)/g/group", "rights = full", "socket-group = \(getegid())",
          "[socket both]", "path = \(folder.path)/b/both", "rights = full", "socket-group = \(getegid())",
          "allow-uid = 65534", "[socket own]", "path = \(folder.path)/o/own", "rights = send",
          "[socket beside]", "path = \(folder.path)/u/beside", "rights = send",
          "[socket shut]", "path = \(folder.path)/shut/socket", "rights = send", "allow-uid = 65534",
        ])
      #expect(look(daemon.socketPath)?.mode == 0o600)
      #expect(look(folder.file("shut"))?.mode == 0o700)
      // Whoever is greeted finds the lines of the start written.
      _ = try daemon.client()
      #expect(daemon.log.contains("cannot reach it: \(folder.file("shut")) has mode 700"))
      #expect(!daemon.log.contains("cannot reach it: \(folder.file("u"))"))
      let expected: [(String, mode_t, mode_t)] = [
        ("u/users", 0o755, 0o666), ("g/group", 0o750, 0o660), ("b/both", 0o755, 0o666), ("o/own", 0o700, 0o600),
        ("u/beside", 0o755, 0o600),
      ]
      for (name, directory, socket) in expected {
        #expect(look(folder.file(String(name.prefix(1))))?.mode == directory, "\(name)")
        #expect(look(folder.file(name))?.mode == socket, "\(name)")
      }
      #expect(look(folder.file("g"))?.group == getegid() && look(folder.file("g/group"))?.group == getegid())
      try daemon.terminate()
      #expect(look(folder.file("u/users")) == nil && look(folder.file("u")) != nil)
    }
  }

  @Test(
    "users by number, members of a group, and nobody else; each socket with its rights",
    .enabled(if: getuid() == 0, "only root may become other users"))
  func people() throws {
    let folder = try TemporaryFolder("access")
    try folder.reportingLogs {
      let main = folder.file("main/socket")
      let alerts = folder.file("alerts/socket")
      let eyes = folder.file("eyes/socket")
      // The main socket's own place is closed by its folder, so a section stands for it.
      let daemon = try daemon(
        folder, [],
        [
          "[socket main]", "path = \(main)", "rights = full", "allow-uid = 65534",
          "[socket alerts]", "path = \(alerts)", "rights = send", "to = ops@example.test", "rate = 2/h",
          "socket-group = staff", "[socket eyes]", "path = \(eyes)", "rights = read", "allow-uid = 65534",
          "socket-group = staff",
        ])
      let staff = try #require(Groups.id(of: "staff"))
      #expect(unsafe chmod(folder.file("alerts"), 0o755) == 0)
      // By number.
      #expect(try ask(main, user: 65534, "ping").map { $0["ok"]?.bool } == [nil, true])
      let stranger = try ask(main, user: 65533, "ping")
      #expect(stranger.map { $0.text("error") } == ["not-allowed"])
      #expect(stranger.first?["ok"]?.bool == false && stranger.first?["reason"] != nil)
      // The kernel keeps them out already where modes do.
      #expect(try ask(alerts, user: 65534, "ping").isEmpty)
      // By a supplementary group, and by the own one.
      let sent = try ask(
        alerts, user: 65533, groups: "--groups=\(staff)", "send ops@example.test one", "send boss@example.test two",
        "history ops@example.test", "send ops@example.test three", "send ops@example.test four")
      #expect(sent.first?.text("rights") == "send")
      #expect(sent.dropFirst().map { $0.text("error") } == ["", "not-allowed", "not-allowed", "", "limit"])
      #expect(sent.last?["retry_after"] != nil)
      let members = try ask(
        eyes, user: 65533, groups: "--groups=7,\(staff),8", "history ops@example.test", "draft a@b x")
      #expect(members.first?.text("rights") == "read")
      #expect(members.dropFirst().map { $0.text("error") } == ["", "", "", "not-allowed"])
      #expect(try ask(eyes, user: Int(staff), "ping").last?["ok"]?.bool == true, "its own group")
      #expect(try ask(eyes, user: 65534, "ping").last?["ok"]?.bool == true)
      #expect(try ask(eyes, user: 65533, groups: "--groups=7", "ping").map { $0.text("error") } == ["not-allowed"])
      #expect(try daemon.client().request("ping").isOK)
    }
  }

  @Test("sockets that systemd passed keep their modes, have the rights of their sections, and SO_PEERCRED decides")
  func activation() throws {
    let folder = try TemporaryFolder("access")
    try folder.reportingLogs {
      let home = folder.file("daemon")
      let (alerts, eyes) = (folder.file("alerts/socket"), folder.file("eyes/socket"))
      let daemon = try daemon(
        folder, [],
        [
          "[socket alerts]", "path = /nowhere/alerts", "rights = send", "[socket eyes]", "path = \(eyes)",
          "rights = read", "allow-uid = 65534", "[socket made]", "path = \(folder.path)/made", "rights = read",
        ],
        wrapper: [
          "python3", "-B", Products.support("activate.py"), "\(home)/socket", "alerts=\(alerts)", "\(eyes)", "--",
        ])
      #expect(try daemon.connect().greeting().text("rights") == "full")
      #expect(try SocketClient(path: alerts).greeting().text("rights") == "send")
      #expect(try SocketClient(path: eyes).greeting().text("rights") == "read")
      #expect(try SocketClient(path: folder.file("made")).greeting().text("rights") == "read")
      for path in ["\(home)/socket", alerts, eyes] { #expect(look(path)?.mode == 0o666) }
      guard getuid() == 0 else { return }
      #expect(try ask(alerts, user: 65534, "ping").map { $0.text("error") } == ["not-allowed"])
      #expect(try ask(eyes, user: 65534, "ping").last?["ok"]?.bool == true)
    }
  }

  @Test("what is passed and is no listening socket is told in the journal, and the configured socket is served")
  func wrongDescriptors() throws {
    let folder = try TemporaryFolder("access")
    try folder.reportingLogs {
      let pass = """
        import os, socket, sys
        ends = [os.open('/dev/null', 0)]
        ends += [socket.socket(socket.AF_UNIX, kind).detach() for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM)]
        raised = [os.dup2(end, 100 + index) for index, end in enumerate(ends)]
        for index, end in enumerate(raised): os.dup2(end, 3 + index, inheritable=True)
        os.closerange(6, 7)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='4')
        os.execvp(sys.argv[1], sys.argv[1:])
        """
      let daemon = try daemon(folder, wrapper: ["python3", "-c", pass])
      #expect(try daemon.client().request("ping").isOK)
      for number in 3...5 {
        #expect(daemon.log.contains("LISTEN_FDS: descriptor \(number) is no listening Unix socket"))
      }
      #expect(daemon.log.contains("LISTEN_FDS: descriptor 6 is not open"))
    }
  }

  @Test("a count of sockets that cannot be is told in the journal")
  func wrongCount() throws {
    let folder = try TemporaryFolder("access")
    let wrapper = ["sh", "-c", "LISTEN_PID=$$ LISTEN_FDS=4294967295 exec \"$0\" \"$@\""]
    let daemon = try daemon(folder, wrapper: wrapper)
    #expect(try daemon.client().request("ping").isOK)
    #expect(daemon.log.contains("LISTEN_FDS is '4294967295'"))
  }

  @Test("a passed socket that was named for a section that is not there ends with 78")
  func unknownName() throws {
    let folder = try TemporaryFolder("access")
    let configuration = try folder.write(
      "confab.conf",
      "[daemon]\nsocket = \(folder.path)/main\ndata = \(folder.path)/data\n[account a]\njid = a@b.test\npassword = x\n")
    let done = try Program.run([
      "python3", "-B", Products.support("activate.py"), "alarms=\(folder.path)/s", "--", Products.program("confabd"),
      "--config", configuration,
    ])
    #expect(done.status == .exited(78) && done.errorText.contains("[socket alarms]"), "\(done.errorText)")
  }

  @Test("a section's socket that somebody answers on, or in a directory that others can write to, is not served")
  func places() throws {
    let folder = try TemporaryFolder("access")
    let text =
      "[daemon]\nsocket = \(folder.path)/main\ndata = \(folder.path)/data\n[account a]\njid = a@b.test\npassword = x\n"
      + "[socket x]\nrights = read\npath = "
    let other = try Daemon(in: folder)
    for (path, status) in [(other.socketPath, 75), (try folder.makeFolder("open", mode: 0o700) + "/x", 78)]
      as [(String, Int32)]
    {
      _ = unsafe chmod(folder.file("open"), 0o777)
      let configuration = try folder.write("x.conf", text + path + "\n")
      let done = try Program.run([Products.program("confabd"), "--config", configuration])
      #expect(done.status == .exited(status), "\(done.errorText)")
      #expect(!TestFiles.exists(folder.file("main")), "nothing stays behind")
    }
    #expect(try other.client().request("ping").isOK)
  }
}

/// Sockets with rights while the daemon lives, dies and reads its configuration again.
@Suite("Sockets with rights")
struct SocketRightsTests {
  private func section(_ name: String, _ rights: String, _ folder: TemporaryFolder) -> [String] {
    ["[socket \(name)]", "path = \(folder.file(name))", "rights = \(rights)"]
  }

  @Test("who sent a message is in the log, and the socket that sent it may wait for it after kill -9")
  func audit() throws {
    try withScriptedServer { world throws in
      var account = world.server.account("alice")
      account.more = section("alerts", "send", world.folder)
      try world.daemon.configure(accounts: [account])
      #expect(try world.client.request("reload").final["changed"]?.array == [.string("socket alerts")])
      let script = try SocketClient(path: world.folder.file("alerts"))
      _ = try script.greeting()
      let own = try #require(try script.ask("send wait=sent bob@example.test from a script").id)
      let other = try #require(try world.client.ask("send bob@example.test from a person").id)
      try world.daemon.kill()
      try world.daemon.start()
      let again = try SocketClient(path: world.folder.file("alerts"))
      _ = try again.greeting()
      #expect(try again.ask("wait for=sent \(own)").final.text("state") == "sent")
      #expect(try again.request("wait for=sent \(other)").error == "not-found")
      let dump = try Program.run([Products.program("confab"), "log", "dump", "--data", world.daemon.dataPath]).text
      let lines = dump.split(separator: "\n")
      let audit = "uid=\(getuid()) pid=\(getpid())"
      #expect(lines.contains { $0.hasPrefix("\(own) message ") && $0.contains(audit + " socket=\"alerts\"") })
      #expect(lines.contains { $0.hasPrefix("\(other) message ") && $0.contains(audit) && !$0.contains("socket=") })
    }
  }

  @Test("a reload adds, changes and removes sockets, or says why it could not and leaves all as it was")
  func reload() throws {
    let folder = try TemporaryFolder("rights")
    try folder.reportingLogs {
      var account = try Daemon.Account.unreachable()
      let daemon = try Daemon(in: folder, accounts: [account])
      let client = try daemon.client()
      account.more = section("one", "send", folder) + section("two", "read", folder)
      try daemon.configure(accounts: [account])
      try client.ask("reload")
      let one = try SocketClient(path: folder.file("one"))
      #expect(try one.greeting().text("rights") == "send")
      #expect(try SocketClient(path: folder.file("two")).greeting().text("rights") == "read")
      // What cannot be made leaves everything as it was, the other new one too.
      try folder.write("file", "no socket")
      account.more = section("three", "read", folder) + section("file", "read", folder)
      try daemon.configure(accounts: [account])
      let refused = try client.request("reload")
      #expect(refused.error == "failed" && refused.final.text("reason").contains(folder.file("file")))
      #expect(try one.request("ping").isOK && !TestFiles.exists(folder.file("three")))
      // Another name for the same place, and other people.
      account.more = section("other", "full", folder)
      account.more[1] = "path = \(folder.file("two"))"
      account.more.append("allow-uid = 65534")
      try daemon.configure(accounts: [account])
      try client.ask("reload")
      #expect(try one.line() == nil)
      #expect(!TestFiles.exists(folder.file("one")))
      #expect(try SocketClient(path: folder.file("two")).greeting().text("rights") == "full")
      var status = stat()
      #expect(unsafe lstat(folder.file("two"), &status) == 0 && status.st_mode & 0o777 == 0o666)
      #expect(try client.request("ping").isOK)
    }
  }

  @Test("a reload makes sockets again that were removed, with their folder, and connections go on")
  func removedSockets() throws {
    let folder = try TemporaryFolder("rights")
    try folder.reportingLogs {
      var account = try Daemon.Account.unreachable()
      account.more = ["[socket one]", "path = \(folder.file("run/one"))", "rights = read"]
      let daemon = try Daemon(in: folder, accounts: [account])
      let client = try daemon.client()
      let one = try SocketClient(path: folder.file("run/one"))
      _ = try one.greeting()
      try Paths.remove(folder.file("run/one"))
      #expect(unsafe rmdir(folder.file("run")) == 0)
      try client.ask("reload")
      #expect(try SocketClient(path: folder.file("run/one")).greeting().text("rights") == "read")
      #expect(try Paths.status(folder.file("run"))?.mode == 0o700)
      #expect(try one.request("ping").isOK)

      try Paths.remove(daemon.socketPath)
      try daemon.signal(SIGHUP)
      // The file is there a moment before anybody listens on it.
      #expect(try daemon.wait(at: Paths.parent(of: daemon.socketPath)) { (try? daemon.client()) != nil })
      #expect(try daemon.client().request("ping").isOK && client.request("ping").isOK)
    }
  }
}
