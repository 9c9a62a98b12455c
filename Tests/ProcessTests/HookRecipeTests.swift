import JSON
import TestSupport
import Testing

/// The hooks of docs/RUNNING.md, as they stand there, run by a real daemon at a real server. Programs that a desktop has
/// are stand-ins, which write down what they are given; `example.org` is `example.test` here.
@Suite("Hooks of the documents", .serialized)
struct HookRecipeTests {
  private static let room = "team@rooms.example.test"

  /// Alice with a hook of the documents, and Bob.
  private struct Place {
    let folder: TemporaryFolder
    /// It runs as long as this is here.
    let prosody: Prosody
    let alice: Daemon
    let bob: Daemon
    var home: String { folder.file("home") }

    init(_ folder: TemporaryFolder, _ recipe: String, sleep: String = "exit 0") throws {
      self.folder = folder
      prosody = try Prosody(in: folder, rooms: true)
      let (home, programs) = (try folder.makeFolder("home"), try folder.makeFolder("programs"))
      try runCommand("mkdir", "-p", home + "/.config/confab")
      for name in ["notify-send", "espeak-ng", "msmtp", "sleep"] {
        let record = name == "notify-send" || name == "sleep" ? "printf '<%s>' \"$@\"; echo" : "cat; echo ."
        let script = "#!/bin/sh\n{ \(record); } >> '\(folder.file(name))'\n" + (name == "sleep" ? sleep : "") + "\n"
        try TestFiles.write(programs + "/" + name, Array(script.utf8))
        try runCommand("chmod", "+x", programs + "/" + name)
      }
      var account = prosody.account("alice")
      account.more = [try HookRecipeTests.block("[hook \(recipe)]")]
      let shipped = Products.program("confab").dropLast("/confab".count)
      alice = try Daemon(
        "alice", in: folder, accounts: [account],
        environment: ["HOME": home, "USER": "alice", "LANG": "C.UTF-8", "PATH": "\(programs):\(shipped):/usr/bin:/bin"])
      bob = try Daemon("bob", in: folder, accounts: [prosody.account("bob")])
      for daemon in [alice, bob] { try daemon.client().waitUntilOnline() }
      try alice.client().waitForArchive()
    }

    func say(_ text: String, to jid: String = "alice@example.test") throws {
      #expect(try bob.client().request("send wait=sent \(jid) \(text)").isOK)
    }

    /// Waits until the record of a stand-in is as it should be; its text.
    func recorded(_ name: String, _ isDone: (String) -> Bool) throws -> String {
      let text = { TestFiles.text(folder.file(name)) ?? "" }
      #expect(try alice.wait(at: folder.path) { isDone(text()) }, "\(text())\n\(alice.log.suffix(2000))")
      return text()
    }
  }

  private static func block(_ words: String) throws -> String {
    try DocumentedScriptTests.block(words).replacing("example.org", with: "example.test")
  }

  private func here(_ recipe: String, sleep: String = "exit 0", _ body: (Place) throws -> Void) throws {
    let folder = try TemporaryFolder("recipes")
    try folder.reportingLogs { try body(try Place(folder, recipe, sleep: sleep)) }
  }

  @Test("the desktop gets a notice of each message, whatever is in it, and of an invitation; none of my own")
  func desktop() throws {
    try here("desktop") { place in
      try place.alice.client().ask("send wait=sent bob@example.test mine")
      try place.say("it's <b>\"$(touch pwned)\"</b>; `id` & more")
      #expect(try place.bob.client().request("join create=yes wait=joined \(Self.room)").isOK)
      #expect(try place.bob.client().request("invite \(Self.room) alice@example.test").isOK)
      let lines = try place.recorded("notify-send") { $0.contains("invited") }.split(separator: "\n")
      #expect(lines.count == 2)
      // Versions of jq differ in how they write an apostrophe.
      #expect(
        lines.first?.replacing("&apos;", with: "&#39;") == """
          <-a><Confab><--><bob@example.test><it&#39;s &lt;b&gt;&quot;$(touch pwned)&quot;&lt;/b&gt;; `id` &amp; more>
          """)
      #expect(lines.last == "<-a><Confab><--><\(Self.room)><You are invited.>")
      #expect(TestFiles.text(place.home + "/pwned") == nil)
    }
  }

  @Test("the bot answers each question in the room once")
  func bot() throws {
    try here("bot") { place in
      let (alice, bob) = (try place.alice.client(), try place.bob.client())
      #expect(try bob.request("join create=yes wait=joined \(Self.room)").isOK)
      #expect(try alice.request("join wait=joined \(Self.room)").isOK)
      let watcher = try place.bob.client()
      try watcher.ask("watch kinds=message in=\(Self.room)")
      for text in ["!ping", "hello", "!ping"] { try place.say(text, to: Self.room) }
      for _ in 0..<2 { _ = try watcher.event("message") { $0["message"]?.text("text") == "pong" } }
      let history = try bob.wholeHistory(Self.room)
      let asked = history.filter { $0.text("text") == "!ping" }.map { $0["id"]?.integer }
      let answers = history.filter { $0.text("text") == "pong" }
      #expect(answers.map { $0["reply_to"]?["id"]?.integer } == asked)
    }
  }

  @Test("a conversation is read aloud, one message after the other")
  func aloud() throws {
    try here("aloud") { place in
      for text in ["one", "two", "three"] { try place.say(text) }
      let spoken = try place.recorded("espeak-ng") { $0.contains("three") }
      #expect(spoken == ["one", "two", "three"].map { "bob@example.test: \($0)\n.\n" }.joined())
    }
  }

  @Test("what is unread after an hour is mailed, what was read meanwhile is not")
  func mail() throws {
    try here("mail", sleep: "until [ -e ~/awake ]; do /bin/sleep 0.05; done") { place in
      let script = try Self.block("mail-unread <<")
      let written = try Program.run(
        ["bash", "-c", script], environment: ["HOME": place.home, "PATH": "/usr/bin:/bin"])
      #expect(written.status == .exited(0), "\(written.errorText)")
      try place.say("read in time")
      _ = try place.recorded("sleep") { !$0.isEmpty }
      #expect(try place.alice.client().request("read bob@example.test").isOK)
      try place.say("to be mailed")
      try TestFiles.write(place.home + "/awake", [])
      let mail = try place.recorded("msmtp") { $0.contains("\n.\n") }
      #expect(
        mail == """
          To: alice@example.net
          Subject: Unread for an hour
          Content-Type: text/plain; charset=utf-8

          bob@example.test wrote:

          to be mailed
          .

          """)
      let pauses = try place.recorded("sleep") { $0.split(separator: "\n").count == 2 }.split(separator: "\n")
      #expect(pauses.allSatisfy { Int($0.dropFirst().dropLast()).map { (3500...3600).contains($0) } == true })
    }
  }

  @Test("a hook that fails is named by status, by the doctor and in the journal, with the place")
  func failing() throws {
    let folder = try TemporaryFolder("recipes")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      var account = prosody.account("alice")
      account.more = ["[hook broken]", "on = online", "command = true", "[hook worse]", "on = message"]
      account.more += ["command = echo no such display >&2; exit 3"]
      let alice = try Daemon("alice", in: folder, accounts: [account])
      try alice.client().waitUntilOnline()
      let bob = try Daemon("bob", in: folder, accounts: [prosody.account("bob")])
      try bob.client().waitUntilOnline()
      #expect(try bob.client().request("send wait=sent alice@example.test hello").isOK)
      try alice.wait(toSay: "[hook worse] command: exit status 3: no such display; event ")
      let hooks = try alice.client().request("status").final["hooks"]?.array ?? []
      #expect(hooks.map { $0.text("name") } == ["broken", "worse"])
      #expect(hooks.last?["pending"]?.integer == 1 && hooks.last?.text("error") == "exit status 3: no such display")
      let confab = { (words: String) in
        try Program.run([Products.program("confab"), "--socket", alice.socketPath, words]).text
      }
      let status = try confab("status")
      #expect(status.contains("Hook broken: ok\n"), "\(status)")
      #expect(status.contains("Hook worse: 1 event waits; fails since "), "\(status)")
      #expect(try confab("doctor").contains("[hook worse] fails since "))
    }
  }
}
