import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// Each block of README.md and docs/RUNNING.md, run as it stands there, against a real daemon and a real server. One
/// substitution holds for all: the server's host is example.test, where the documents say example.org.
@Suite("Scripts of the documents")
struct DocumentedScriptTests {
  /// How a block is run.
  private enum Way {
    /// By bash, which stops at the first failure; texts are replaced by others first.
    case shell([(String, String)] = [])
    /// By bash; it goes on until it is ended.
    case endless
    /// A part of confab.conf, which `confabd --check` reads.
    case configuration
    /// The line of tmux.conf, of which tmux runs what is in `#( )`.
    case tmux
    /// By hand, at a home of its own.
    case byHand
    /// Into a log that is not there yet.
    case importing
    /// By the daemon: `HookRecipeTests`.
    case hook
    /// Not here, for this reason.
    case skipped(String)
  }

  private struct Block: Sendable {
    let page: String
    let text: String
  }

  private static let blocks: [Block] = ["README.md", "docs/RUNNING.md"].flatMap { page in
    let text = TestFiles.text("\(Products.repository)/\(page)") ?? ""
    let parts = text.split(separator: "```\n", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { Block(page: page, text: String($0.element)) }
  }

  private static let transcript = "shows what is typed and answered; the commands in it are those of other blocks"
  private static let systemd = "needs systemd and root; UnitTests and Tests/Support/service_in_machine start the units"

  /// Words that are in one block alone, and how that is run.
  private static let ways: [(words: String, way: Way)] = [
    ("make demo ", .skipped("builds and installs; it is the demo that shows all of this")),
    ("alice$ echo", .skipped(transcript)), ("www-data$ ", .skipped(transcript)),
    ("$ make deb", .skipped("Tests/Support/newcomer_in_machine types it, word by word, in a machine of its own")),
    ("confab setup --enable-service", .skipped(systemd)),
    ("journalctl --user -u confabd\n", .skipped(systemd)), ("systemctl --user daemon-reload", .skipped(systemd)),
    ("systemd-sysusers", .skipped(systemd)), ("sudo confab log verify", .skipped(systemd)),
    ("[hook desktop]", .hook), ("[hook bot]", .hook), ("[hook aloud]", .hook), ("[hook mail]", .hook),
    ("mail-unread <<", .hook),
    (
      "confab --no-ui",
      // `watch` has no end, and ids are those of this log.
      .shell([("confab watch  ", "confab watch & watcher=$!"), ("8120", "$THEIRS"), ("8121", "$MINE")])
    ),
    ("confab join --create=yes --nick=al", .shell()), ("confab send --key=\"backup-", .shell()),
    ("echo \"send ops@", .shell()),
    ("confab encrypt bob@", .skipped("its fingerprints are cut off; EncryptionTests of the engine asks each of these")),
    ("--as=orders", .skipped("needs a device of Bob's that was verified; the block of --as=bot is run, and is alike")),
    ("--as=archive", .endless), ("--as=bot", .endless),
    ("key=\"away-", .endless), ("set -g status-right", .tmux), ("confabd --check", .byHand),
    ("proxy = 127.0.0.1:9050", .configuration), ("[socket alerts]", .configuration),
    ("confab log import --jsonl history.jsonl --account home --jid", .importing),
  ]

  /// The text of the one block with these words.
  static func block(_ words: String) throws -> String {
    let found = blocks.filter { $0.text.contains(words) }
    guard found.count == 1 else { throw TestFailure("\(found.count) blocks have “\(words)”") }
    return found[0].text
  }

  @Test("each block of README and RUNNING is in the table of this test, once")
  func complete() {
    #expect(Self.blocks.count > 15)
    for block in Self.blocks {
      let rows = Self.ways.filter { block.text.contains($0.words) }
      #expect(rows.count == 1, "\(block.page): \(rows.map(\.words)): \(block.text)")
    }
    for (words, way) in Self.ways {
      #expect(Self.blocks.count { $0.text.contains(words) } == 1, "\(words)")
      if case .skipped(let reason) = way { #expect(!reason.isEmpty) }
    }
  }

  // MARK: - A place to run them

  /// Alice's home, with a contact Bob who has written to her.
  private struct Place {
    let world: World<Prosody>
    let bob: Daemon
    let environment: [String: String]

    init(_ folder: TemporaryFolder) throws {
      let prosody = try Prosody(
        in: folder, accounts: ["alice": "secret-a", "bob": "secret-b", "ops": "secret-o"], rooms: true)
      world = try World(prosody, in: folder)
      let account = Daemon.Account(
        "bob", password: "secret-b", port: prosody.directTLSPort, tls: "direct", authority: prosody.authority)
      bob = try Daemon("bob", in: folder, accounts: [account])
      try bob.client().waitUntilOnline()
      let run = try folder.makeFolder("run")
      try runCommand("mkdir", "-m", "700", run + "/confab")
      try runCommand("ln", "-s", world.daemon.socketPath, run + "/confab/socket")
      environment = Self.environment(home: try folder.makeFolder("home"), run: run)
      try makeFriends()
    }

    static func environment(home: String, run: String) -> [String: String] {
      let folder = Products.program("confab").dropLast("/confab".count)
      return [
        "HOME": home, "XDG_RUNTIME_DIR": run, "LANG": "C.UTF-8", "USER": "alice",
        "PATH": "\(folder):/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
      ]
    }

    /// Both see each other's presence; bob has asked, and was asked.
    private func makeFriends() throws {
      let (alice, other) = (try world.daemon.client(), try bob.client())
      for client in [alice, other] { _ = try client.request("watch kinds=roster") }
      #expect(try alice.request("add name=Bob bob@example.test").isOK)
      _ = try other.event("roster") { $0["contact"]?["request"]?.bool == true }
      #expect(try other.request("accept alice@example.test").isOK && other.request("add alice@example.test").isOK)
      _ = try alice.event("roster") { $0["contact"]?["request"]?.bool == true }
      #expect(try alice.request("accept bob@example.test").isOK)
      _ = try alice.event("roster") { $0["contact"]?.text("subscription") == "both" }
    }

    /// What bob says to alice, as she has it.
    func hear(_ text: String) throws -> JSONValue {
      let client = try world.daemon.client()
      _ = try client.request("watch kinds=message")
      _ = try bob.client().request("send alice@example.test \(text)")
      return try client.event("message") { $0["message"]?.text("text") == text }["message"] ?? .null
    }

    /// Runs a script, whose first failure ends it.
    @discardableResult
    func run(_ script: String, more: [String: String] = [:], input: String = "") throws -> Program.Finished {
      let path = try world.folder.write("script", "set -eu -o pipefail\ncd \"$HOME\"\n" + script)
      let done = try Program.run(
        ["bash", path], input: Array(input.utf8), environment: environment.merging(more) { $1 })
      #expect(done.status == .exited(0), "\(script)\n\(done.text)\n\(done.errorText)")
      return done
    }

    func texts(_ jid: String) throws -> [String] {
      try world.daemon.client().request("history \(jid)").data.compactMap { $0["message"]?.text("text") }
    }
  }

  private func here(_ body: (Place) throws -> Void) throws {
    let folder = try TemporaryFolder("documents")
    try folder.reportingLogs { try body(try Place(folder)) }
  }

  private static func script(_ words: String) throws -> String {
    guard case .shell(let edits)? = ways.first(where: { $0.words == words })?.way else {
      throw TestFailure("no script has “\(words)”")
    }
    let text = try block(words).replacing("example.org", with: "example.test")
    return try edits.reduce(text) { text, edit in
      guard text.contains(edit.0) else { throw TestFailure("\(edit.0) is not in the block") }
      return text.replacing(edit.0, with: edit.1)
    }
  }

  // MARK: - README

  @Test("the commands of every day do what their comments say")
  func everyDay() throws {
    try here { place in
      let id = try place.hear("hello Alice")["id"]?.integer ?? 0
      let mine = try place.world.client.request("send wait=sent bob@example.test at one").final["id"]?.integer ?? 0
      let done = try place.run(
        try Self.script("confab --no-ui") + "kill $watcher\n", more: ["THEIRS": "\(id)", "MINE": "\(mine)"])
      #expect(done.text.contains("hello Alice"))
      #expect(try place.texts("bob@example.test").contains("at one, not at noon"))
      let status = try place.world.daemon.client().request("status").data.first?["account"]
      #expect(status?["presence"]?.text("status") == "back at ten")
    }
  }

  @Test("the scripts store, wait, send once for a key, and read standard input")
  func scripts() throws {
    try here { place in
      for _ in 0..<2 { try place.run(try Self.script("confab send --key=\"backup-")) }
      let texts = try place.texts("ops@example.test")
      #expect(texts.contains { $0.hasPrefix("disk on ") } && texts.contains { $0.contains("Filesystem") })
      // Twice with --wait, once with the key.
      #expect(texts.count { $0 == "backup done" } == 3)
    }
  }

  @Test("the line of nc, and what is right instead of it, carry a harmless text; only the right ones any other")
  func untrusted() throws {
    try here { place in
      let script = try Self.script("echo \"send ops@")
      try place.run(script, more: ["SUBJECT": "hi", "from": "bob@example.test"])
      #expect(try place.texts("ops@example.test") == ["hi", "hi"] && place.texts("bob@example.test") == ["hi"])
      try place.run(script, more: ["SUBJECT": "x\nremove bob@example.test", "from": "bob@example.test"])
      #expect(try place.texts("ops@example.test").suffix(2) == ["x", "x\nremove bob@example.test"])
    }
  }

  @Test("the one line of the first page sends")
  func oneLine() throws {
    let text = try #require(TestFiles.text("\(Products.repository)/README.md"))
    let line = try #require(text.split(separator: "`").first { $0.hasPrefix("echo \"send bob@") })
    try here { place in
      try place.run(String(line).replacing("example.org", with: "example.test"))
      #expect(try place.texts("bob@example.test") == ["backup done"])
    }
  }

  // MARK: - RUNNING

  /// Runs a script that has no end until something has happened.
  private func running(_ words: String, _ place: Place, _ until: () throws -> Void) throws {
    let block = try Self.block(words).replacing("example.org", with: "example.test")
    let path = try place.world.folder.write("endless", "exec >/dev/null 2>&1\ncd \"$HOME\"\n" + block)
    let null = try Files.openForReading("/dev/null")
    let script = try ChildProcess(
      ["bash", path], environment: place.environment, input: null.raw, output: null.raw, error: null.raw)
    defer {
      _ = try? Program.run(["pkill", "-KILL", "-P", "\(script.processID)"])
      script.kill(SIGKILL)
      _ = try? script.wait()
    }
    try until()
  }

  @Test("the archive has what came, and the answering machine answers a contact once")
  func watchers() throws {
    try here { place in
      let bob = try place.bob.client()
      _ = try bob.request("watch kinds=message")
      try running("key=\"away-", place) {
        // The machine hears what comes after it has begun to watch, so bob says it until there is an answer.
        let deadline = Deadline.seconds(60)
        var isAnswered = false
        while !isAnswered, !deadline.hasPassed {
          _ = try bob.request("send wait=delivered alice@example.test are you there?")
          let history = try place.bob.client().request("history alice@example.test")
          isAnswered = history.data.contains { $0["message"]?.text("text") == "I am away until Monday." }
        }
        #expect(isAnswered)
        _ = try bob.request("send wait=delivered alice@example.test and now?")
      }
      #expect(try place.texts("bob@example.test").count { $0 == "I am away until Monday." } == 1)
      let file = place.environment["HOME", default: ""] + "/messages.jsonl"
      try running("--as=archive", place) {
        let deadline = Deadline.seconds(60)
        while TestFiles.text(file)?.contains("after the watcher") != true, !deadline.hasPassed {
          _ = try bob.request("send wait=delivered alice@example.test after the watcher")
        }
      }
      let line = try #require(TestFiles.text(file)?.split(separator: "\n").first)
      #expect(try JSONParser.parse(Array(line.utf8))["id"] != nil)
    }
  }

  @Test("the bot answers each question in a room once, and never itself, under another nick or from another device")
  func bot() throws {
    try here { place in
      let (room, alice) = ("team@rooms.example.test", try place.world.daemon.client())
      let bob = try place.bob.client()
      #expect(try bob.request("join create=yes wait=joined \(room)").isOK)
      let other = try Daemon("other", in: place.world.folder, accounts: [place.world.server.account("alice")])
      try other.client().waitUntilOnline()
      #expect(try other.client().request("join wait=joined \(room)").isOK)
      var asked: [Int64?] = []
      /// Bob asks until there is an answer: the bot hears what comes after it has begun to watch.
      func ask() throws {
        let watcher = try place.bob.client()
        try watcher.ask("watch kinds=message in=\(room)")
        for _ in 0..<30 {
          asked.append(try bob.request("send wait=delivered \(room) !ping").final["id"]?.integer)
          let answer = try? watcher.event("message", until: .seconds(2)) { $0["message"]?.text("text") == "pong" }
          if answer != nil { return }
        }
        Issue.record("the bot says nothing")
      }
      try running("--as=bot", place) {
        try ask()
        #expect(try alice.request("join wait=joined nick=somebody \(room)").isOK)
        #expect(try alice.request("send wait=delivered \(room) !ping").isOK)
        #expect(try other.client().request("send wait=delivered \(room) !ping").isOK)
        try ask()
      }
      let answers = try bob.wholeHistory(room).filter { $0.text("text") == "pong" }
      let answered = answers.map { $0["reply_to"]?["id"]?.integer }
      #expect(answered.allSatisfy(asked.contains) && Set(answered).count == answered.count)
    }
  }

  @Test("tmux's line counts what is unread, and mentions apart: none, then one")
  func tmux() throws {
    let line = try Self.block("set -g status-right")
    let command = try #require(line.split(separator: "#(").last?.split(separator: ")").first)
    try here { place in
      #expect(try place.run(String(command)).text == "0 unread, 0 mentions\n")
      _ = try place.hear("hello")
      #expect(try place.run(String(command)).text == "1 unread, 0 mentions\n")
    }
  }

  @Test("a configuration by hand is accepted, and its daemon gets online")
  func byHand() throws {
    try here { place in
      let server = place.world.server
      let (home, run) = (try place.world.folder.makeFolder("byhand"), try place.world.folder.makeFolder("byrun"))
      let more = "\nserver = 127.0.0.1:\(server.directTLSPort)\ntls = direct\nca-file = \(server.authority)\n"
      let script = try Self.block("confabd --check").replacing("@example.org\n", with: "@example.test" + more)
        .replacing(
          "\nconfabd\n",
          with: """

            confabd & daemon=$!
            until confab ping; do :; done
            confab status --for=online --timeout=60s
            kill $daemon
            wait $daemon

            """)
      let environment = Place.environment(home: home, run: run)
      let done = try place.run(script, more: environment, input: "secret-a\n")
      #expect(done.text.contains("home  alice@example.test  online"))
      for words in ["proxy = 127.0.0.1:9050", "[socket alerts]"] {
        let block = try Self.block(words)
        let account = "[account home]\njid = alice@example.test\npassword-file = ~/.config/confab/password\n"
        let text = block.hasPrefix("[account home]") ? block : account + block
        let file = try place.world.folder.write("part.conf", text)
        let check = try Program.run(
          [Products.program("confabd"), "--check", "--config", file], environment: environment)
        #expect(check.status == .exited(0), "\(words): \(check.errorText)")
      }
    }
  }

  @Test("the file by hand is imported into a log that is not there yet, and is read up to my message")
  func importing() throws {
    let folder = try TemporaryFolder("importing")
    let environment = Place.environment(home: try folder.makeFolder("home"), run: try folder.makeFolder("run"))
    let path = try folder.write("script", "set -eu\ncd \"$HOME\"\n" + Self.block("--account home --jid"))
    let done = try Program.run(["bash", path], environment: environment)
    #expect(done.status == .exited(0) && done.text.hasPrefix("3 messages imported"), "\(done.text)\(done.errorText)")
    let export = try Program.run([Products.program("confab"), "log", "export"], environment: environment)
    let read = export.text.split(separator: "\n").filter { $0.contains(#""read":true"#) }
    #expect(read.count == 1 && read.first?.contains("At one.") == true, "\(export.text)")
  }
}
