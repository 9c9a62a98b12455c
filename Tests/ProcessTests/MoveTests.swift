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
