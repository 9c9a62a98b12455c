import TestSupport
import Testing

/// Three people talk in rooms of real servers while chance kills their daemons, cuts their links and restarts the server:
/// each message is once in every log that could have it, in the room's order. CONFAB_ROOM_KILLS says how many kills, and as
/// many cuts, there are, and a fifth as many restarts; CONFAB_SEED repeats a run.
@Suite("Rooms over kills, cuts and restarts", .serialized)
struct RoomLifeTests {
  private static let kills = Chance.count("CONFAB_ROOM_KILLS", usual: 5)

  @Test("three people in three rooms have each message once, in one order")
  func life() throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder, accounts: RoomLife.accounts, rooms: true)
      let others = ["team@lasting.example.test", "team@plain.example.test"]
      var life = try RoomLife(at: prosody, in: folder, others: others)
      for round in 1...max(1, Self.kills) {
        try life.talk()
        try life.kill()
        try life.cut()
        if round % 5 == 0 { try life.restart(prosody) }
      }
      try life.expectAll()
    }
  }

  /// It may take twice what goes again on a resumed stream: see docs/PROMISES.md. Its archive, as a daemon gets it that
  /// has nothing else, has that twice, too.
  @Test("so they have at ejabberd")
  func ejabberd() throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let server = try Ejabberd(in: folder, accounts: RoomLife.accounts, rooms: true)
      var life = try RoomLife(at: server, in: folder)
      for _ in 1...max(1, Self.kills) {
        try life.talk()
        try life.kill()
        try life.cut()
      }
      try life.expectAll { room in
        let reader = try RoomGuest("carol", at: server, in: folder, home: "reader")
        try reader.join(room, isNew: false)
        try reader.wait(for: Set(life.guests.flatMap { ($0.said[room] ?? []).map(\.text) }), in: room)
        return try reader.messages(in: room).map { $0.text("text") }
      }
    }
  }

  @Test("so they have in a room that is encrypted, at both servers", arguments: [true, false])
  func encrypted(isProsody: Bool) throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let server: any AccountServer =
        isProsody
        ? try Prosody(in: folder, accounts: RoomLife.accounts, rooms: true)
        : try Ejabberd(in: folder, accounts: RoomLife.accounts, forPeople: true, rooms: true)
      var life = try RoomLife(at: server, in: folder, encryption: "auto")
      for round in 1...max(1, Self.kills) {
        try life.talk()
        try life.kill()
        try life.cut()
        if round % 5 == 0, let prosody = server as? Prosody { try life.restart(prosody) }
      }
      try life.expectAll()
      try life.expectAllEncrypted()
    }
  }

  @Test("more messages than a server keeps for a link that is lost are there once, in one order")
  func flood() throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder, accounts: RoomLife.accounts, rooms: true)
      let life = try RoomLife(at: prosody, in: folder)
      try life.flood(600)
      try life.expectAll()
    }
  }
}
