import JSON
import TestSupport
import Testing

/// A history with rooms moves to another machine: `confab log export` and `import`, and the room's archive afterwards.
@Suite("Moving rooms to another machine")
struct MovedRoomTests {
  private static let confab = Products.program("confab")
  private static let kinds = ["team@rooms.example.test", "team@plain.example.test"]

  @Test("what was imported of a room is known again when it is joined, and is read as far as it was", arguments: kinds)
  func moved(room: String) throws {
    let folder = try TemporaryFolder("moved-room")
    try folder.reportingLogs {
      let pair = try RoomTests.Pair(in: folder, room: room)
      try talk(in: pair)
      #expect(try pair.alice.client().request("read \(room)").isOK)
      try pair.say("news", by: pair.bob)
      try pair.wait(for: 13, at: pair.alice)
      let before = try pair.texts(pair.alice)
      #expect(before.count == 13 && before.last == "news", "\(before)")
      let unread = try self.unread(pair.alice, in: room)
      #expect(try pair.alice.terminate() == .exited(0))

      let moved = try move(pair.alice, to: "moved", in: pair, folder)
      #expect(try moved.client().request("join wait=joined \(room)").isOK)
      try pair.say("after", by: pair.bob)
      try pair.wait(for: 14, at: moved)
      #expect(try pair.texts(moved) == before + ["after"])
      #expect(try self.unread(moved, in: room) == unread + 1)
    }
  }

  /// What each of two people says before the move, by turns.
  private func talk(in pair: RoomTests.Pair) throws {
    for number in 1...6 {
      try pair.say("alice \(number)", by: pair.alice)
      try pair.say("bob \(number)", by: pair.bob)
    }
    try pair.wait(for: 12, at: pair.alice)
  }

  private func unread(_ daemon: Daemon, in room: String) throws -> Int64 {
    let rooms = try daemon.client().request("conversations").data.compactMap { $0["conversation"] }
    return rooms.first { $0.text("jid") == room }?["unread"]?.integer ?? 0
  }

  /// A daemon of alice's with what a log has, imported into a new one.
  private func move(
    _ daemon: Daemon, to home: String, in pair: RoomTests.Pair, _ folder: TemporaryFolder
  ) throws -> Daemon {
    let (file, data) = (folder.path + "/lines", folder.path + "/moved-data")
    try TestFiles.write(file, Array(try log("export", "--data", daemon.dataPath).utf8))
    let account = ["--account=alice", "--jid=alice@example.test"]
    let imported = try log("import", "--jsonl", file, "--data", data, account[0], account[1])
    #expect(imported.hasSuffix(" 0 were here already, 0 lines were wrong\n"), "\(imported)")
    return try pair.daemon("alice", "secret-a", folder, home: home, data: data)
  }

  /// Runs `confab log`; what it wrote.
  private func log(_ arguments: String...) throws -> String {
    let done = try Program.run([Self.confab, "log"] + arguments)
    #expect(done.status == .exited(0), "\(arguments): \(done.errorText)")
    return done.text
  }
}
