import Testing

@Suite("confab without a command")
struct InterfaceTests {
  private func prepared(isTerminal: Bool = true, _ environment: [String: String] = ["TERM": "xterm"]) -> FakeDaemon {
    let daemon = FakeDaemon([
      FakeDaemon.greeting, .takes, .lines([#"{"ok":true}"#]), .takes, .lines([#"{"ok":true}"#]), .takes,
      .lines([#"{"ok":true}"#]),
    ])
    daemon.isTerminal = isTerminal
    daemon.environment = environment
    return daemon
  }

  @Test("on a terminal it becomes the UI, and passes socket, account and mode on")
  func terminal() {
    let plain = prepared()
    _ = plain.run()
    #expect(plain.interfaces == [[]])
    let full = prepared()
    _ = full.run("--socket", "/s", "--account=home", "--plain")
    #expect(full.interfaces == [["--plain", "--socket=/s", "--account=home"]])
  }

  @Test("a UI that cannot be started is one sentence, and the overview comes instead")
  func missing() {
    let daemon = prepared()
    #expect(daemon.run() == 0)
    #expect(daemon.complaints == ["confab: no UI"])
    #expect(daemon.output.contains("No account is configured."))
  }

  @Test(
    "a terminal that cannot be drawn on gets a sentence and the overview, or the plain mode", arguments: ["dumb", ""])
  func dumb(name: String) {
    let drawn = prepared(["TERM": name])
    #expect(drawn.run() == 0)
    #expect(drawn.interfaces.isEmpty && drawn.complaints.count == 1)
    #expect(drawn.output.contains("No account is configured."))
    let plain = prepared(["TERM": name])
    _ = plain.run("--plain")
    #expect(plain.interfaces == [["--plain"]])
  }

  @Test(
    "no terminal, --no-ui and --json give the overview without a word",
    arguments: [(false, []), (true, ["--no-ui"]), (true, ["--json"])] as [(Bool, [String])])
  func overview(isTerminal: Bool, arguments: [String]) {
    let daemon = prepared(isTerminal: isTerminal)
    #expect(daemon.run(arguments) == 0)
    #expect(daemon.interfaces.isEmpty && daemon.complaints.isEmpty)
    #expect(daemon.requests.count == (arguments == ["--json"] ? 2 : 3))
  }

  @Test("--no-ui and --plain go with no command")
  func withCommand() {
    let daemon = FakeDaemon()
    #expect(daemon.run("--plain", "status") == 64 && daemon.complaints.count == 1)
  }

  @Test("one word that is no command opens the conversation of that name on a terminal, and is an error elsewhere")
  func name() {
    let person = prepared()
    _ = person.run("--account=home", "Ben")
    #expect(person.interfaces == [["--account=home", "--open=Ben"]])
    let script = prepared(isTerminal: false)
    #expect(script.run("Ben") == 64 && script.interfaces.isEmpty)
    #expect(script.complaints == ["confab: unknown command 'Ben'; see confab --help"])
    #expect(prepared().run("--json", "Ben") == 64)
  }

  @Test(
    "a command with a slip of the fingers is refused with the one that is near",
    arguments: [("sned", "send"), ("histroy", "history"), ("docter", "doctor")])
  func near(typed: String, meant: String) {
    let daemon = FakeDaemon()
    #expect(daemon.run(typed, "bob@example.org", "hi") == 64)
    #expect(daemon.complaints == ["confab: unknown command '\(typed)'; did you mean '\(meant)'? See confab --help"])
    let help = FakeDaemon()
    #expect(help.run("help", typed) == 64 && help.complaints == daemon.complaints)
  }

  @Test("help keys asks the UI for its table")
  func keys() {
    let daemon = prepared()
    _ = daemon.run("help", "keys")
    #expect(daemon.interfaces == [["--keys"]])
  }
}
