import JSON
import TestSupport
import Testing

/// `confab log export` and `import`, the real programs, from one data directory to another, and what a real server's archive
/// shows afterwards.
@Suite("Moving to another machine")
struct MoveTests {
  private static let confab = Products.program("confab")

  /// Mine, bob's, and what I said by another device; the history of it.
  private func talk(_ world: World<Prosody>) throws -> [String] {
    let (bob, tablet) = (
      try world.bob(), try Peer("alice", password: "secret-a", at: world.server, in: world.folder, priority: -1)
    )
    let watcher = try world.daemon.client()
    try watcher.ask("watch kinds=message")
    for number in 1...3 {
      let mine = try world.client.sendToBob("mine \(number)")
      try world.client.ask("wait for=sent timeout=60s \(mine.id ?? 0)")
      try bob.send("bob's \(number)", to: "alice@example.test")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "bob's \(number)" }
      try tablet.send("tablet \(number)", to: "bob@example.test")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "tablet \(number)" }
    }
    // What one device sends twice, under two ids, is two.
    for _ in 1...2 {
      try bob.send("again", to: "alice@example.test")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "again" }
    }
    return try texts(world.client)
  }

  private func texts(_ client: SocketClient) throws -> [String] {
    try client.historyWithBob().map { $0.text("text") }
  }

  /// Runs `confab log`; what it wrote.
  private func log(_ arguments: String...) throws -> String {
    let done = try Program.run([Self.confab, "log"] + arguments)
    #expect(done.status == .exited(0), "\(arguments): \(done.errorText)")
    return done.text
  }

  /// A daemon of the same account over another data directory, when it has seen the archive.
  private func start(_ name: String, _ world: World<Prosody>, data: String? = nil) throws -> Daemon {
    let daemon = try Daemon(name, in: world.folder, accounts: [world.server.account("alice")], data: data)
    let client = try daemon.client()
    try client.waitUntilOnline()
    try client.waitForArchive()
    return daemon
  }

  @Test("what was imported is known again out of the archive, and the archive's is known again by an import")
  func move() throws {
    try withProsody { world in
      let before = try talk(world)
      #expect(before.count == 11)
      #expect(try world.daemon.terminate() == .exited(0))
      let (file, data) = (world.folder.path + "/lines", world.folder.path + "/moved")
      try TestFiles.write(file, Array(try log("export", "--data", world.daemon.dataPath).utf8))
      let account = ["--account=alice", "--jid=Alice@Example.TEST."]
      let imported = try log("import", "--jsonl", file, "--data", data, account[0], account[1])
      #expect(imported == "11 messages imported, 0 were here already, 0 lines were wrong\n")
      let moved = try start("second", world, data: data)
      let client = try moved.client()
      #expect(try texts(client) == before)
      #expect(try client.account()["archive"]?["taken"]?.integer == 0)
      #expect(try moved.terminate() == .exited(0))

      let fresh = try start("third", world)
      let watcher = try fresh.client()
      try watcher.ask("watch since=0 kinds=message")
      let came = try before.map { _ in try watcher.event("message")["message"]?.text("text") ?? "" }
      #expect(came.sorted() == before.sorted())
      #expect(try fresh.terminate() == .exited(0))
      let known = try log("import", "--jsonl", file, "--data", fresh.dataPath)
      #expect(known == "0 messages imported, 11 were here already, 0 lines were wrong\n")
    }
  }
}
