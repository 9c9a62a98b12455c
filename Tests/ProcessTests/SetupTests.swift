import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// `confab setup` with a real server, as a person and as a script would use it.
@Suite("Setting an account up")
struct SetupTests {
  /// A home of its own, in which nothing is yet.
  private struct Home {
    let folder: TemporaryFolder
    let environment: [String: String]

    init() throws {
      folder = try TemporaryFolder("setup")
      environment = [
        "HOME": try folder.makeFolder("home"), "XDG_RUNTIME_DIR": try folder.makeFolder("run"),
        "PATH": ProcessEnvironment.current["PATH"] ?? "",
      ]
    }

    func setup(_ arguments: [String], input: String) throws -> Program.Finished {
      let done = try Program.run(
        [Products.program("confab"), "setup"] + arguments, input: Array(input.utf8), environment: environment)
      #expect(!(done.text + done.errorText).contains("secret-"))
      return done
    }

    var files: [String] {
      TestFiles.below(folder.file("home")).map { String($0.dropFirst(folder.path.count)) }.sorted()
    }
  }

  private func options(_ server: some AccountServer) -> [String] {
    ["--server=127.0.0.1:\(server.directTLSPort)", "--tls", "direct", "--ca-file", server.authority, "--no-service"]
  }

  @Test("two lines on standard input make a configuration that works, and a message that came back")
  func fromInput() throws {
    let home = try Home()
    try home.folder.reportingLogs {
      let prosody = try Prosody(in: home.folder)
      let done = try home.setup(options(prosody), input: " Alice@example.test\nsecret-a\nnot looked at\n")
      #expect(done.status == .exited(0), "\(done.text)\(done.errorText)")
      #expect(done.text.contains("Sent to alice@example.test: Confab is set up.\nIt came back"))
      let place = home.folder.file("home/.config/confab")
      #expect(
        TestFiles.text(place + "/confab.conf") == """
          [account home]
          jid = Alice@example.test
          password-file = ~/.config/confab/password-home
          server = 127.0.0.1:\(prosody.directTLSPort)
          tls = direct
          ca-file = \(prosody.authority)

          """)
      #expect(TestFiles.text(place + "/password-home") == "secret-a\n")
      let modes = try Program.run(["stat", "-c", "%a", place, place + "/confab.conf", place + "/password-home"])
      #expect(modes.text == "700\n600\n600\n")
      let exported = try Program.run([Products.program("confab"), "log", "export"], environment: home.environment)
      #expect(try JSONParser.parse(exported.output.dropLast()).text("state") == "delivered")
      #expect(
        !home.files.contains {
          TestFiles.text(home.folder.path + $0)?.contains("secret-") == true && !$0.hasSuffix("/password-home")
        })
    }
  }

  @Test(
    "setup that is killed while it waits for its message leaves no daemon running",
    arguments: [SIGTERM, SIGHUP, SIGKILL])
  func killed(signal: Int32) throws {
    let home = try Home()
    try home.folder.reportingLogs {
      let server = try ScriptedServer(in: home.folder)
      let input = try Files.openForReading(home.folder.write("input", "alice@example.test\nsecret-a\n"))
      let null = try Files.openForReading("/dev/null")
      let setup = try ChildProcess(
        [Products.program("confab"), "setup"] + options(server), environment: home.environment, input: input.raw,
        output: null.raw, error: null.raw)
      try server.received("message")
      let client = try SocketClient(path: home.folder.file("run/confab/socket"))
      _ = try client.greeting()
      kill(setup.processID, signal)
      #expect(try setup.wait() == .killed(signal: signal))
      #expect(try client.line() == nil)
    }
  }

  @Test("a running daemon takes a second account at once; the rest of its configuration stays as it is")
  func secondAccount() throws {
    try withProsody { world throws in
      let file = world.daemon.configurationPath
      let before = try #require(TestFiles.text(file))
      let add = { (more: [String]) in
        try Program.run(
          [Products.program("confab"), "setup", "--config", file, "--name=second"] + options(world.server) + more,
          input: Array("bob@example.test\nsecret-b\n".utf8))
      }
      let done = try add([])
      #expect(done.status == .exited(0), "\(done.text)\(done.errorText)")
      #expect(TestFiles.text(file)?.hasPrefix(before + "\n[account second]\njid = bob@example.test\n") == true)
      try world.daemon.status("second") { $0.text("state") == "online" }
      let sent = try world.client.ask("history account=second bob@example.test").data.compactMap { $0["message"] }
      #expect(sent.map { $0.text("state") } == ["delivered"])
      let again = try add([])
      #expect(again.status == .exited(1))
      #expect(again.errorText.contains("--replace"))
      #expect(try add(["--replace", "--resource=desk"]).status == .exited(0))
      #expect(TestFiles.text(file)?.hasSuffix("resource = desk\n") == true)
    }
  }

  @Test("what goes wrong is said in words, and nothing is left behind")
  func failures() throws {
    let home = try Home()
    try home.folder.reportingLogs {
      let prosody = try Prosody(in: home.folder)
      let good = options(prosody)
      let port = try freePort()
      let failures: [(input: String, options: [String], status: Int32, words: String)] = [
        ("alice@example.test\nsecret-x\n", good, 1, "the password is wrong"),
        ("nobody@example.test\nsecret-x\n", good, 1, "the password is wrong"),
        ("a b@@c\nsecret-a\n", good, 1, "jid: expected an address"),
        ("example.test\nsecret-a\n", good, 1, "expected an address"),
        ("alice@example.test\n\n", good, 65, "the password is empty"),
        ("alice@example.test\nsecret-a\r\n", good, 65, "control character"),
        ("alice@example.test\nsecret-\u{0}a\n", good, 65, "control character"),
        ("\nsecret-a\n", good, 65, "the answer is empty"),
        ("alice@example.test", good, 64, "two lines"),
        ("alice@elsewhere.test\nsecret-a\n", good, 1, "TLS"),
        ("alice@example.test\nsecret-a\n", ["--server=127.0.0.1:\(prosody.startTLSPort)"], 1, "not trusted"),
        ("alice@example.test\nsecret-a\n", ["--server=127.0.0.1:\(port)"], 1, "nothing listens"),
        ("alice@example.test\nsecret-a\n", ["--tls=plain"], 1, "auto, starttls or direct"),
        ("alice@example.test\nsecret-a\n", ["--resource=a\npassword = b"], 64, "control character"),
        ("alice@example.test\nsecret-a\n", ["--name=a b"], 64, "--name"),
        ("alice@example.test\nsecret-a\n", ["--colour=red"], 64, "--colour"),
      ]
      for failure in failures {
        let done = try home.setup(failure.options, input: failure.input)
        let said = done.text + done.errorText
        #expect(done.status == .exited(failure.status), "\(failure) \(said)")
        #expect(said.contains(failure.words), "\(failure) \(said)")
      }
      #expect(home.files.isEmpty, "\(home.files)")
    }
  }

  @Test("a folder that others can change, or nobody can write, is refused before a password is read")
  func folders() throws {
    let home = try Home()
    let place = try home.folder.makeFolder("home/.config")
    try runCommand("chmod", "0777", place)
    let open = try home.setup(["--no-service"], input: "")
    #expect(open.status == .exited(1))
    #expect(open.errorText.contains("others can change \(place) (mode 777)"), "\(open.errorText)")
    #expect(open.errorText.contains("chmod go-w \(place)"), "\(open.errorText)")
    let file = try home.folder.write("home/file", "")
    let missing = try home.setup(["--no-service", "--config", file + "/confab.conf"], input: "")
    #expect(missing.status == .exited(1))
    #expect(missing.errorText.contains("\(file) is no directory that you can write"), "\(missing.errorText)")
    #expect(home.files == ["/home/file"])
  }

  @Test("what the daemon lacks beside a login that worked is what is said last")
  func noPlaceForData() throws {
    let home = try Home()
    try home.folder.reportingLogs {
      let prosody = try Prosody(in: home.folder)
      let local = try home.folder.write("home/.local", "")
      let done = try home.setup(options(prosody), input: "alice@example.test\nsecret-a\n")
      #expect(done.status == .exited(1))
      #expect(!done.errorText.contains("the login failed"), "\(done.errorText)")
      #expect(done.errorText.contains("cannot be created in \(local); nothing was written"), "\(done.errorText)")
      #expect(home.files == ["/home/.local"])
    }
  }

  @Test("at a terminal it asks, and does not show the password; Ctrl-C there writes nothing")
  func terminal() throws {
    let home = try Home()
    try home.folder.reportingLogs {
      let prosody = try Prosody(in: home.folder)
      let ask = { (password: String) in
        try Program.run(
          [
            "/usr/bin/python3", "-B", Products.support("terminal_answers.py"), "example.org): =alice@example.test",
            "(not shown): =\(password)", "--", Products.program("confab"), "setup",
          ] + options(prosody),
          environment: home.environment)
      }
      let givenUp = try ask("secr\u{3}")
      #expect(givenUp.status == .exited(1))
      #expect(givenUp.text.contains("cancelled") && home.files.isEmpty)
      let done = try ask("secret-a")
      #expect(done.status == .exited(0), "\(done.text)\(done.errorText)")
      #expect(done.text.contains("It came back") && !done.text.contains("secret"))
    }
  }

  @Test("at a terminal a second account without --name is asked for one")
  func secondName() throws {
    let home = try Home()
    try home.folder.reportingLogs {
      let prosody = try Prosody(in: home.folder)
      let setup = [Products.program("confab"), "setup"] + options(prosody)
      let first = try Program.run(
        setup, input: Array("alice@example.test\nsecret-a\n".utf8), environment: home.environment)
      #expect(first.status == .exited(0), "\(first.text)\(first.errorText)")
      let answers = ["(Enter gives up): =work", "example.org): =bob@example.test", "(not shown): =secret-b"]
      let second = try Program.run(
        ["/usr/bin/python3", "-B", Products.support("terminal_answers.py")] + answers + ["--"] + setup,
        environment: home.environment)
      #expect(second.status == .exited(0), "\(second.text)\(second.errorText)")
      #expect(second.text.contains("There is an account 'home' already."))
      let written = TestFiles.text(home.folder.file("home/.config/confab/confab.conf"))
      #expect(written?.contains("[account work]\njid = bob@example.test\n") == true, "\(written ?? "")")
      let unasked = try Program.run(
        setup, input: Array("bob@example.test\nsecret-b\n".utf8), environment: home.environment)
      #expect(unasked.status == .exited(1) && unasked.errorText.contains("--name=OTHER"))
    }
  }

  @Test("at a terminal it asks again for what was wrong alone: the address, the server, the password")
  func mending() throws {
    let home = try Home()
    try home.folder.reportingLogs {
      let prosody = try Prosody(in: home.folder)
      let port = try freePort()
      let answers = [
        "example.org): =a b@@c", "address again (Enter gives up): =alice@example.test",
        "password (not shown): =secret-x",
        "the address again (Enter gives up): =127.0.0.1:\(prosody.directTLSPort)",
        "password again (not shown; Enter gives up): =secret-a",
      ]
      let done = try Program.run(
        ["/usr/bin/python3", "-B", Products.support("terminal_answers.py")] + answers + [
          "--", Products.program("confab"), "setup", "--server=127.0.0.1:\(port)", "--tls", "direct", "--ca-file",
          prosody.authority, "--no-service",
        ], environment: home.environment)
      #expect(done.status == .exited(0), "\(done.text)\(done.errorText)")
      #expect(done.text.contains("It came back"))
      let written = TestFiles.text(home.folder.file("home/.config/confab/confab.conf"))
      #expect(written?.contains("server = 127.0.0.1:\(prosody.directTLSPort)\n") == true, "\(written ?? "")")
      #expect(written?.contains("127.0.0.1:\(port)") == false)
    }
  }
}
