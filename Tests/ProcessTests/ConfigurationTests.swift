import Glibc
import JSON
import TestSupport
import Testing

/// The configuration: what is wrong with it is said, and a running daemon takes a new one.
@Suite("The configuration")
struct ConfigurationTests {
  private static let account = "[account a]\njid = a@example.test\npassword = secret\n"

  /// Runs `confabd` on a configuration that is wrong, or only looked at.
  private func run(_ text: String, _ more: [String] = [], mode: mode_t = 0o600) throws -> Program.Finished {
    let folder = try TemporaryFolder("configuration")
    let file = try folder.write("confab.conf", text, mode: mode)
    let done = try Program.run([Products.program("confabd"), "--config", file] + more)
    #expect(!done.errorText.contains("secret"))
    #expect(done.errorText.isEmpty || done.errorText.contains(file), "\(done.errorText)")
    return done
  }

  @Test(
    "what is wrong is said with line, key and what was expected, and ends with 78",
    arguments: [
      ("[daemon]\nsnap-interval = soon\n", ":2:", "snap-interval"),
      ("[daemon]\n\n; comment\ncolour = red\n", ":4:", "colour"),
      ("[account a]\njid = not a jid\npassword = secret\n", "", "jid"),
      ("[daemon]\nallow-uid = alice\n", ":2:", "allow-uid"),
      ("[daemon]\nsocket-group = no_such_group\n", ":2:", "socket-group"),
      ("[daemon]\nsocket = relative\n", ":2:", "absolute"),
      ("[daemon]\nsocket = ${CONFAB_NO_SUCH_VARIABLE}/socket\n", ":2:", "CONFAB_NO_SUCH_VARIABLE"),
      ("[account a]\njid = a@example.test\njid = b@example.test\n", ":3:", "jid"),
      ("[nonsense]\n", ":1:", "nonsense"),
      ("[account a]\njid = a@example.test\ntls = plain\n", ":3:", "tls"),
      ("[socket alerts]\npath = /x\n", ":1:", "rights"),
      ("[daemon]\non-stop = stay\n", ":2:", "detach or close"),
      ("[daemon]\nno equals sign\n", ":2:", ""),
    ])
  func errors(text: String, place: String, word: String) throws {
    for more in [[], ["--check"]] {
      let done = try run(text, more)
      #expect(done.status == .exited(78))
      #expect(done.errorText.contains(place) && done.errorText.contains(word), "\(done.errorText)")
      #expect(done.errorText.contains("expected") || word == "not yet" || !word.contains("-"), "\(done.errorText)")
    }
  }

  @Test("a missing file, and one with a password that others can read, are refused")
  func files() throws {
    let missing = try Program.run([Products.program("confabd"), "--config", "/nonexistent/confab.conf"])
    #expect(missing.status == .exited(78))
    #expect(missing.errorText.contains("/nonexistent/confab.conf"))
    #expect(try run("[daemon]\nsocket = /tmp/x/s\ndata = /tmp/x\n" + Self.account, ["--check"]).status == .exited(0))
    let readable = try run(Self.account, ["--check"], mode: 0o644)
    #expect(readable.status == .exited(78))
    #expect(readable.errorText.contains("644"))
    #expect(try Program.run([Products.program("confabd"), "--nonsense"]).status == .exited(64))
    #expect(try Program.run([Products.program("confabd"), "--version"]).text.hasPrefix("confabd "))
  }

  @Test("a configuration that others can change runs nothing, and the error names the path and the remedy")
  func changeable() throws {
    let folder = try TemporaryFolder("configuration")
    let witness = folder.file("ran")
    let conf = try folder.makeFolder("conf")
    let places = "[daemon]\nsocket = \(folder.file("s/socket"))\ndata = \(folder.file("data"))\n"
    let file = try folder.write(
      "conf/confab.conf", places + "[account a]\njid = a@example.test\npassword-command = touch \(witness)\n")
    for (path, mode, back) in [(file, "0666", "0600"), (conf, "0777", "0700"), (folder.path, "0777", "0700")] {
      try runCommand("chmod", mode, path)
      for more in [[], ["--check"]] {
        let done = try Program.run([Products.program("confabd"), "--config", file] + more)
        #expect(done.status == .exited(78))
        #expect(done.errorText.contains("others can change \(path) (mode \(mode.dropFirst())"), "\(done.errorText)")
        #expect(done.errorText.contains("chmod go-w \(path)\n"), "\(done.errorText)")
      }
      try runCommand("chmod", back, path)
    }
    #expect(!TestFiles.exists(witness))
    #expect(try Program.run([Products.program("confabd"), "--check", "--config", file]).status == .exited(0))
  }

  @Test("a running daemon keeps its settings when others can change its configuration")
  func changeableAtReload() throws {
    try withScriptedServer { world throws in
      try runCommand("chmod", "0666", world.daemon.configurationPath)
      let refused = try world.client.request("reload")
      #expect(!refused.isOK && "\(refused)".contains("chmod go-w"), "\(refused)")
    }
  }

  @Test("a password file that everybody can read is refused, in words, and works once it is not")
  func passwordFile() throws {
    let folder = try TemporaryFolder("configuration")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      let file = try folder.write("password", "secret-a\n", mode: 0o644)
      var account = server.account("alice")
      account.password = nil
      account.more = ["password-file = \(file)"]
      let daemon = try Daemon(in: folder, accounts: [account])
      let refused = try daemon.status { $0.text("state") == "refused" }
      #expect(refused.text("reason").contains("mode 644"))
      #expect(!server.waitingEvents().contains { $0.text("stage") == "response" })
      try folder.write("password", "secret-a\n", mode: 0o600)
      let client = try daemon.client()
      try client.ask("connect")
      try client.waitUntilOnline()
    }
  }

  @Test("reload says what changed, adds and removes accounts, and keeps the old ones' history")
  func reload() throws {
    try withScriptedServer { world throws in
      let server = world.server
      try world.client.ask("send bob@example.test before")
      let alice = server.account("alice")
      var second = server.account("bob")
      second.name = "second"
      second.more = ["resource = second"]
      try world.daemon.configure(
        accounts: [alice, second], settings: ["snap-interval = 2h", "dns-server = 127.0.0.1:5353"])
      let added = try world.client.ask("reload").final
      #expect(added["changed"]?.array?.map(\.string) == ["snap-interval", "dns-server", "account second"])
      #expect(added["restart"]?.array?.isEmpty == true)
      try world.client.waitUntilOnline()
      #expect(try world.client.ask("status").data.count == 2)
      #expect(try world.client.request("send bob@example.test which").error == "account-needed")
      #expect(try world.client.ask("status account=second").data.count == 1)

      try world.daemon.configure(accounts: [second], settings: ["snap-interval = 2h", "dns-server = 127.0.0.1:5353"])
      #expect(try world.client.ask("reload").final["changed"]?.array?.map(\.string) == ["account alice"])
      try server.event("end")
      try world.daemon.configure(accounts: [alice])
      try world.client.ask("reload")
      try world.client.waitUntilOnline()
      #expect(try world.client.history("bob@example.test").map { $0.text("text") } == ["before"])
    }
  }

  @Test("a bad file leaves the old one in force, by reload and by SIGHUP")
  func badReload() throws {
    try withScriptedServer { world throws in
      try TestFiles.write(world.daemon.configurationPath, Array("[daemon]\nsnap-interval = soon\n".utf8))
      let refused = try world.client.request("reload")
      #expect(!refused.isOK)
      #expect(refused.final.text("reason").contains("confab.conf:2:"))
      try world.daemon.signal(SIGHUP)
      #expect(try world.client.ask("send wait=sent bob@example.test still here").isOK)

      // A good one again: SIGHUP takes it.
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=resection,connection")
      try world.daemon.configure(accounts: [world.server.account("alice")], settings: ["snap-interval = 1h"])
      try world.daemon.signal(SIGHUP)
      #expect(try watcher.event("resection").text("conversation") == "bob@example.test")
      #expect(world.daemon.log.contains("rejected the new configuration"))
      #expect(try world.client.ask("status").data.first?["account"]?.text("state") == "online")
    }
  }
}
