import JSON
import TestSupport
import Testing

/// `confab log export` and `import`, the real programs, from one data directory to another, and what a real server's archive
/// shows afterwards.
@Suite("Moving to another machine")
struct MoveTests {
  private static let confab = Products.program("confab")

  @Test("what was imported is known again out of the archive, and the archive's is known again by an import")
  func prosody() throws {
    let folder = try TemporaryFolder("move")
    try folder.reportingLogs { try move(at: Prosody(in: folder), in: folder) }
  }

  @Test("the same at ejabberd")
  func ejabberd() throws {
    let folder = try TemporaryFolder("move")
    try folder.reportingLogs { try move(at: Ejabberd(in: folder), in: folder) }
  }

  private func move(at server: some AccountServer, in folder: TemporaryFolder) throws {
    let alice = try start("alice", at: server, in: folder)
    try talk(alice, with: start("bob", at: server, in: folder), start("tablet", of: "alice", at: server, in: folder))
    let before = try texts(alice.client())
    #expect(before.count == 14)
    #expect(try alice.terminate() == .exited(0))
    let (file, data) = (folder.path + "/lines", folder.path + "/moved-data")
    try TestFiles.write(file, Array(try log("export", "--data", alice.dataPath).utf8))
    let account = ["--account=alice", "--jid=Alice@Example.TEST."]
    let imported = try log("import", "--jsonl", file, "--data", data, account[0], account[1])
    #expect(imported == "14 messages imported, 0 were here already, 0 lines were wrong\n")
    let moved = try start("moved", of: "alice", at: server, in: folder, data: data)
    let client = try moved.client()
    try client.waitForArchive()
    #expect(try client.account()["archive"]?["taken"]?.integer == 0)
    #expect(try texts(client) == before)
    #expect(try moved.terminate() == .exited(0))

    let fresh = try start("fresh", of: "alice", at: server, in: folder)
    let watcher = try fresh.client()
    try watcher.ask("watch since=0 kinds=message")
    let came = try before.map { _ in try watcher.event("message")["message"]?.text("text") ?? "" }
    #expect(came.sorted() == before.sorted())
    #expect(try fresh.terminate() == .exited(0))
    let known = try log("import", "--jsonl", file, "--data", fresh.dataPath)
    #expect(known == "0 messages imported, 14 were here already, 0 lines were wrong\n")
  }

  @Test("what was corrected, retracted or reacted to before the export stays as it was")
  func changed() throws {
    let folder = try TemporaryFolder("move")
    try folder.reportingLogs { try moveChanged(at: Prosody(in: folder), in: folder) }
  }

  private func moveChanged(at server: some AccountServer, in folder: TemporaryFolder) throws {
    let (alice, bob) = try (start("alice", at: server, in: folder), start("bob", at: server, in: folder))
    let (asked, bobs, watcher) = try (alice.client(), bob.client(), alice.client())
    try change(from: asked, to: "bob@example.test")
    try watcher.ask("watch kinds=message,reaction")
    try change(from: bobs, to: "alice@example.test")
    let first = try #require(try asked.historyWithBob().first)["id"]?.integer ?? 0
    _ = try watcher.event("message") { $0["message"]?.text("text") == "the end" }
    try asked.ask("react \(first) 👍")
    try asked.ask("send wait=sent timeout=60s bob@example.test really the end")
    let before = try shown(asked)
    #expect(before.count == 13, "\(before)")
    #expect(try alice.terminate() == .exited(0))

    let (file, data) = (folder.path + "/lines", folder.path + "/moved-data")
    try TestFiles.write(file, Array(try log("export", "--data", alice.dataPath).utf8))
    _ = try log("import", "--jsonl", file, "--data", data, "--account=alice", "--jid=alice@example.test")
    let moved = try start("moved", of: "alice", at: server, in: folder, data: data)
    let client = try moved.client()
    try client.waitForArchive()
    #expect(try shown(client) == before)
  }

  /// Sends a message that stays, one that is corrected twice, one that is corrected back, and two that are retracted.
  private func change(from client: SocketClient, to jid: String) throws {
    func send(_ text: String, _ options: String = "") throws -> Int64 {
      try client.ask("send wait=sent timeout=60s \(options)\(jid) \(text)").final["id"]?.integer ?? 0
    }
    _ = try send("untouched")
    for texts in [["one", "two", "three"], ["back", "and forth", "back"], ["gone"], ["changed", "and gone"]] {
      let id = try send(texts[0])
      for text in texts.dropFirst() { _ = try send(text, "replace=\(id) ") }
      if texts.last?.hasSuffix("gone") == true { try client.ask("retract \(id)") }
    }
    _ = try send("the end")
  }

  /// The messages with what became of them, and the earlier texts, by position.
  private func shown(_ client: SocketClient) throws -> [String] {
    try client.historyWithBob().map { message in
      let versions = try client.request("versions \(message["id"]?.integer ?? 0)").data
        .map { $0["version"]?.text("text") ?? "" }
      let reactions = (message["reactions"]?.array ?? []).map { $0.text("emoji") }
      let marks = ["mine", "edited", "retracted"].filter { message[$0] != nil && message[$0]?.bool != false }
      return "\(message.text("text")) \(versions) \(reactions) \(marks)"
    }
  }

  /// A daemon that is online.
  private func start(
    _ name: String, of user: String? = nil, at server: some AccountServer, in folder: TemporaryFolder,
    data: String? = nil
  ) throws -> Daemon {
    let daemon = try Daemon(name, in: folder, accounts: [server.account(user ?? name)], data: data)
    try daemon.client().waitUntilOnline()
    return daemon
  }

  /// Alice and bob talk, alice writes from another device to bob and to herself, and at the end bob sends the same text
  /// twice.
  private func talk(_ alice: Daemon, with bob: Daemon, _ tablet: Daemon) throws {
    let (asked, bobs, tablets, watcher) = try (alice.client(), bob.client(), tablet.client(), alice.client())
    try watcher.ask("watch kinds=message")
    for number in 1...3 {
      try asked.ask("send wait=sent timeout=60s bob@example.test mine \(number)")
      try bobs.ask("send alice@example.test bob's \(number)")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "bob's \(number)" }
      try tablets.ask("send bob@example.test tablet \(number)")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "tablet \(number)" }
      try tablets.ask("send alice@example.test note \(number)")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "note \(number)" }
    }
    for _ in 1...2 {
      try bobs.ask("send alice@example.test again")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "again" }
    }
  }

  private func texts(_ client: SocketClient) throws -> [String] {
    try (client.historyWithBob() + client.wholeHistory("alice@example.test")).map { $0.text("text") }
  }

  /// Runs `confab log`; what it wrote.
  private func log(_ arguments: String...) throws -> String {
    let done = try Program.run([Self.confab, "log"] + arguments)
    #expect(done.status == .exited(0), "\(arguments): \(done.errorText)")
    return done.text
  }
}
