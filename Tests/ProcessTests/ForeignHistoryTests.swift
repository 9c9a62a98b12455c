import JSON
import TestSupport
import Testing

/// `confab import` of what real clients have just written, beside the archive of the server that they used.
@Suite("The history of profanity and of mcabber")
struct ForeignHistoryTests {
  private static let texts = ["Grüße, <i>Bob</i> & Co", "one", "same", "same", "two"]

  private let folder: TemporaryFolder
  private let server: Prosody

  init() throws {
    folder = try TemporaryFolder("foreign")
    server = try Prosody(in: folder, accounts: ["bob": "secret-b", "dave": "secret-d"])
  }

  @Test("profanity's is known by ids, before and after a catch-up of the archive")
  func profanity() throws {
    try folder.reportingLogs {
      let dave = try OtherClient.profanity("dave", password: "secret-d", at: server, in: folder)
      try talk(dave, say: "/msg bob@example.test ")
      try dave.enter("/quit")
      try dave.terminal.close()
      try expectOnce("profanity", at: dave.home + "/.local/share/profanity/database")
    }
  }

  @Test("mcabber's, which has no ids, is known by sender, text and time, before and after a catch-up of the archive")
  func mcabber() throws {
    try folder.reportingLogs {
      let dave = try OtherClient.mcabber("dave", password: "secret-d", at: server, in: folder)
      try dave.enter("/add bob@example.test")
      // Shows the conversation.
      try dave.enter("/roster search bob@example.test")
      try dave.enter("")
      try talk(dave, say: "/say_to bob@example.test ")
      try dave.enter("/quit")
      try dave.terminal.close()
      try expectOnce("mcabber", at: dave.home + "/histo")
    }
  }

  /// The client says two things to bob, who says three.
  private func talk(_ client: OtherClient, say: String) throws {
    let bob = try daemon("bob", of: "bob")
    let (asked, watcher) = (try bob.client(), try bob.client())
    try watcher.ask("watch kinds=message")
    func hear(_ text: String) throws {
      try client.enter(say + text)
      _ = try watcher.event("message") { $0["message"]?.text("text") == text }
    }
    try hear(Self.texts[0])
    for text in Self.texts[1...3] { try asked.ask("send wait=sent timeout=60s dave@example.test \(text)") }
    try client.terminal.wait(for: "same")
    try hear(Self.texts[4])
    #expect(try bob.terminate() == .exited(0))
  }

  /// Imports into a log that has the archive, which adds nothing, and into an empty one, to which the archive adds nothing.
  private func expectOnce(_ client: String, at path: String) throws {
    let fetched = try daemon("fetched", of: "dave")
    try fetched.client().waitForArchive()
    let before = try texts(fetched)
    #expect(before.sorted() == Self.texts.sorted())
    #expect(try fetched.terminate() == .exited(0))
    let known = try importHistory(client, path, "--data", fetched.dataPath)
    #expect(known.contains("\n0 messages imported, 5 were here already, 0 were unreadable\n"), "\(known)")

    let data = folder.path + "/imported-data"
    let imported = try importHistory(client, path, "--data", data, "--account=dave", "--jid=dave@example.test")
    #expect(imported.contains("\n5 messages imported, 0 were here already, 0 were unreadable\n"), "\(imported)")
    let moved = try daemon("moved", of: "dave", data: data)
    try moved.client().waitForArchive()
    #expect(try moved.client().account()["archive"]?["taken"]?.integer == 0)
    #expect(try texts(moved).sorted() == Self.texts.sorted())
    #expect(try moved.terminate() == .exited(0))
  }

  private func daemon(_ name: String, of user: String, data: String? = nil) throws -> Daemon {
    let daemon = try Daemon(name, in: folder, accounts: [server.account(user)], data: data)
    try daemon.client().waitUntilOnline()
    return daemon
  }

  private func texts(_ daemon: Daemon) throws -> [String] {
    try daemon.client().wholeHistory("bob@example.test").map { $0.text("text") }
  }

  /// Runs `confab import`; its output.
  private func importHistory(_ client: String, _ path: String, _ options: String...) throws -> String {
    let done = try Program.run([Products.program("confab"), "import", client, path] + options)
    #expect(done.status == .exited(0), "\(done.errorText)")
    return done.text
  }
}
