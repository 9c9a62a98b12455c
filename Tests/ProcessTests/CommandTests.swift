import Glibc
import JSON
import TestSupport
import Testing

/// `confab` as scripts run it, over the real daemon.
@Suite("Commands")
struct CommandTests {
  private func confab(
    _ daemon: Daemon, _ arguments: [String], input: String = ""
  ) throws -> Program.Finished {
    try Program.run(
      [Products.program("confab"), "--socket", daemon.socketPath] + arguments, input: Array(input.utf8))
  }

  @Test(
    "a file from standard input may be as long as what may wait to be uploaded, and one without an end ends in an error"
  )
  func longFile() throws {
    try withDaemon(settings: ["spool-size = 1M"]) { daemon, _ in
      let confab = "\(Products.program("confab")) --socket \(daemon.socketPath) send-file bob@example.test -"
      let endless = try Program.run(["sh", "-c", "yes | \(confab)"])
      #expect(endless.status == .exited(65) && endless.errorText.contains("more than 1048576 bytes"), "\(endless)")
      #expect(try Program.run(["sh", "-c", "yes | head -c 1048576 | \(confab)"]).status == .exited(0))
      let second = try Program.run(["sh", "-c", "yes | head -c 1 | \(confab)"])
      let avatar = try Program.run([
        "sh", "-c", "yes | \(confab.replacing("send-file bob@example.test", with: "avatar-set"))",
      ])
      #expect(avatar.status == .exited(65) && avatar.errorText.contains("an avatar may have"), "\(avatar)")
      #expect(second.status == .exited(75) && second.errorText.contains("spool-size"), "\(second)")
    }
  }

  @Test("what the disk does not take is no export, and no verdict")
  func fullDisk() throws {
    try withDaemon { daemon, client in
      _ = try client.ask("send bob@example.test hello")
      for command in ["export", "export --text", "dump", "verify"] {
        let log = "\(Products.program("confab")) log \(command) --data \(daemon.dataPath)"
        let full = try Program.run(["sh", "-c", "\(log) > /dev/full"])
        #expect(full.status == .exited(74) && full.errorText.contains("No space left"), "\(command)")
        // Who has read enough is another matter.
        #expect(try Program.run(["sh", "-c", "{ \(log); echo $? >&2; } | true"]).errorText == "0\n", "\(command)")
      }
    }
  }

  @Test("who goes away with a page unread leaves nothing behind")
  func goneReaders() throws {
    try withDaemon(settings: ["max-connections-per-uid = 4"]) { daemon, client in
      for _ in 0..<20 { try client.ask("send bob@example.test \(String(repeating: "long ", count: 8_000))") }
      for _ in 0..<10 {
        let command = "\(Products.program("confab")) --socket \(daemon.socketPath) --json history bob@example.test"
        // A connection that is just going away may still count.
        let deadline = Deadline.seconds(60)
        var head = ""
        while head.isEmpty, !deadline.hasPassed { head = try Program.run(["sh", "-c", "\(command) | head -c1"]).text }
        #expect(head == "{")
      }
    }
  }

  @Test("confab send sends its words, or its standard input to the byte")
  func send() throws {
    try withScriptedServer { world throws in
      let words = try confab(world.daemon, ["send", "bob@example.test", "backup", "done"])
      #expect(words.status == .exited(0), "\(words.errorText)")
      #expect(try world.server.received("message").contains(">backup done<"))
      let piped = try confab(world.daemon, ["send", "bob@example.test", "-"], input: "  two\n  lines \n")
      #expect(piped.status == .exited(0), "\(piped.errorText)")
      #expect(try world.server.received("message").contains(">  two\n  lines <"))
      let injected = "END\nsend eve@example.test gotcha\n{\"verb\":\"quit\"}\n"
      #expect(try confab(world.daemon, ["send", "bob@example.test", "-"], input: injected).status == .exited(0))
      #expect(try world.server.received("message").contains("END\nsend eve@example.test gotcha"))
      #expect(try world.client.history("eve@example.test").isEmpty)
    }
  }

  @Test("--json gives the daemon's lines, and a key makes a repeat safe")
  func json() throws {
    try withScriptedServer { world throws in
      let arguments = ["--json", "send", "--key=once", "--wait=sent", "bob@example.test", "hello"]
      let first = try JSONParser.parse(try confab(world.daemon, arguments).output.dropLast())
      let second = try JSONParser.parse(try confab(world.daemon, arguments).output.dropLast())
      #expect(first["ok"]?.bool == true)
      #expect(first.text("state") == "sent")
      #expect(second["id"] == first["id"])
      #expect(second["repeated"]?.bool == true)
      let history = try confab(world.daemon, ["--json", "history", "bob@example.test"]).text.split(separator: "\n")
      #expect(history.count == 2)
      for line in history { _ = try JSONParser.parse(Array(line.utf8)) }
      let shown = try confab(world.daemon, ["history", "bob@example.test"])
      #expect(shown.text.contains("hello"))
      #expect(!shown.text.contains("\u{1B}"))
    }
  }

  @Test("its exit codes tell what became of the request")
  func exitCodes() throws {
    try withScriptedServer { world throws in
      let absent = try Program.run([Products.program("confab"), "--socket", world.folder.file("nobody"), "ping"])
      #expect(absent.status == .exited(69))
      let codes: [(Int32, [String], String)] = [
        (0, ["ping"], ""), (0, ["status"], ""), (0, ["--help"], ""), (0, ["--version"], ""),
        (1, ["history", "--before=99999", "bob@example.test"], ""), (1, ["draft", "bob@example.test"], ""),
        (64, ["send", "not@@a.jid", "x"], ""), (64, ["send", "nobody", "x"], ""),
        (64, ["history", "--since=lately", "b@x"], ""),
        (64, ["no-such-verb"], ""), (64, ["quit"], ""), (64, ["unwatch"], ""), (64, ["read"], ""), (64, ["send"], ""),
        (64, ["send", "--nonsense=1", "bob@example.test", "x"], ""),
        (65, ["send", "bob@example.test", "-"], "a\u{0}b"), (65, ["send", "bob@example.test", "a\u{1}b"], ""),
        (65, ["send", "bob@example.test", "-"], String(repeating: "x", count: 60_001)),
      ]
      for (code, arguments, input) in codes {
        let done = try confab(world.daemon, arguments, input: input)
        #expect(done.status == .exited(code), "\(arguments): \(done.errorText)")
      }
      try world.server.command("set", [JSONMember("acknowledge", .bool(false))])
      let slow = try confab(world.daemon, ["send", "--wait=sent", "--timeout=50ms", "bob@example.test", "slow"])
      #expect(slow.status == .exited(3), "\(slow.errorText)")
      try world.server.command("set", [JSONMember("acknowledge", .bool(true))])
      try world.server.rule(
        on: "message",
        send: "<message type='error' id='${id}' from='${to}'><error type='cancel'>"
          + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>", then: .default)
      let failed = try confab(world.daemon, ["send", "--wait=delivered", "bob@example.test", "fails"])
      #expect(failed.status == .exited(2), "\(failed.errorText)")
      try world.client.ask("disconnect")
      try world.server.event("closed")
      let waiting = try confab(world.daemon, ["status", "--for=online", "--timeout=50ms"])
      #expect(waiting.status == .exited(75), "\(waiting.errorText)")
      let offline = try confab(world.daemon, ["add", "bob@example.test"])
      #expect(offline.status == .exited(75), "\(offline.errorText)")
      #expect(try confab(world.daemon, ["send", "bob@example.test", "queued"]).status == .exited(0))
    }
  }

  @Test("confab takes names, and options after arguments, and hints at more; status fits a terminal")
  func people() throws {
    try withScriptedServer { world throws in
      try world.server.send(
        "<iq type='set' id='p1'><query xmlns='jabber:iq:roster'><item jid='bob@example.test' name='Bob' "
          + "subscription='both'/></query></iq>")
      let watcher = try world.daemon.client()
      try watcher.ask("watch since=0 kinds=roster,read,message")
      _ = try watcher.event("roster")
      for text in ["one", "two"] { #expect(try confab(world.daemon, ["send", "bob", text]).status == .exited(0)) }
      let done = try confab(world.daemon, ["history", "BOB", "--limit=1", "--since=today", "--ids"])
      #expect(done.text.contains(" me: two") && !done.text.contains("one"))
      #expect(done.errorText.contains("older messages: confab --socket="))
      try world.deliver("three", id: "1")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "three" }
      #expect(try confab(world.daemon, ["unread"]).text.contains("Bob <bob@example.test>"))
      #expect(try confab(world.daemon, ["read", "--all"]).text == "0 unread, 0 mentions\n")
      _ = try watcher.event("read")
      _ = try confab(world.daemon, ["presence", "away", "back", "at", "ten"])
      let status = try confab(world.daemon, ["status"]).text
      #expect(status.contains("away (back at ten)"))
      #expect(status.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(status)")
    }
  }

  @Test("confab watch --reconnect continues after a restart of the daemon, and misses nothing")
  func reconnects() throws {
    try withDaemon { daemon, client in
      let (events, output) = try Pipes.make()
      let lines = LineReader(borrowing: events)
      let watcher = try ChildProcess(
        [
          Products.program("confab"), "--json", "--socket", daemon.socketPath, "watch", "--reconnect",
          "--kinds=message",
        ],
        input: 0, output: output, error: 2)
      close(output)
      defer {
        watcher.kill(SIGKILL)
        close(events)
      }
      let shows = { (text: String) in
        let deadline = Deadline.seconds(60)
        while let line = try lines.next(until: deadline), !String(decoding: line, as: UTF8.self).contains(text) {}
        #expect(!lines.isAtEnd, "\(text)")
      }
      try shows("caught-up")
      try client.ask("send bob@example.test before")
      try shows("before")
      #expect(try daemon.terminate() == .exited(0))
      try daemon.start()
      try daemon.client().ask("send bob@example.test after")
      try shows("after")
    }
  }

  @Test("somebody else's user is turned away with 77", .enabled(if: getuid() == 0, "only root may become other users"))
  func otherUser() throws {
    let folder = try TemporaryFolder("command")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      // Modes keep others out already; here they are opened, so that the daemon itself has to.
      for (path, mode) in [(folder.path, 0o755), (daemon.home, 0o755), (daemon.socketPath, 0o666)] as [(String, mode_t)]
      {
        #expect(unsafe chmod(path, mode) == 0)
      }
      let program = folder.file("confab")
      try TestFiles.write(program, try #require(TestFiles.read(Products.program("confab"))), mode: 0o755)
      let done = try Program.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program, "--socket", daemon.socketPath, "ping"])
      #expect(done.status == .exited(77), "\(done.errorText)")
      #expect(try daemon.client().request("ping").isOK)
    }
  }

  @Test("confab watch prints events for a pipe, and ends with its reader")
  func watch() throws {
    try withScriptedServer { world throws in
      try world.deliver("first", id: "1")
      let watcher = try world.daemon.client()
      try watcher.ask("watch since=0 kinds=message")
      _ = try watcher.event("message")
      let done = try Program.run(
        [
          "sh", "-c",
          "\(Products.program("confab")) --json --socket \(world.daemon.socketPath) watch --since=0 --kinds=message | sed -n '/first/{p;q}'",
        ])
      #expect(done.text.contains("\"first\""), "\(done.text) \(done.errorText)")
    }
  }
}
