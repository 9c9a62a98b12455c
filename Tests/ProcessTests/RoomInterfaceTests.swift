import TestSupport
import Testing

/// A room in the terminal UI under tmux, over a real daemon and a real Prosody, with six others who talk.
@Suite("A room in the terminal UI")
struct RoomInterfaceTests {
  private static let room = "team@rooms.example.test"
  private static let others = ["bob", "carol", "dave", "erin", "frank", "grace"]

  /// Alice, whose terminal it is, and the others, each with a daemon.
  private struct Place {
    let server: Prosody
    let alice: RoomGuest
    let others: [RoomGuest]
    let folder: TemporaryFolder

    init(in folder: TemporaryFolder, count: Int) throws {
      self.folder = folder
      let names = ["alice"] + RoomInterfaceTests.others.prefix(count)
      let server = try Prosody(
        in: folder, accounts: Dictionary(names.map { ($0, "secret-\($0.prefix(1))") }) { $1 }, rooms: true)
      let guests = try names.map { try RoomGuest($0, at: server, in: folder) }
      (self.server, alice, others) = (server, guests[0], Array(guests[1...]))
      for (index, guest) in guests.enumerated() { try guest.join(RoomInterfaceTests.room, isNew: index == 0) }
    }

    func terminal(columns: Int, lines: Int) throws -> TmuxTerminal {
      let screen = try TmuxTerminal(
        [Products.program("confab"), "--socket", alice.daemon.socketPath, RoomInterfaceTests.room], in: folder,
        columns: columns, lines: lines, environment: ["HOME": folder.path])
      try screen.wait(for: "Write to")
      return screen
    }

    func say(_ text: String, by index: Int) throws {
      #expect(try others[index].daemon.client().request("send wait=delivered \(RoomInterfaceTests.room) \(text)").isOK)
    }
  }

  @Test(
    "what six say stands there in their names, at every size, in two terminals and for a script",
    arguments: [(80, 24), (120, 40), (200, 60), (40, 12)])
  func talk(columns: Int, lines: Int) throws {
    let folder = try TemporaryFolder("roomui")
    try folder.reportingLogs {
      let place = try Place(in: folder, count: 6)
      let (one, other) = (
        try place.terminal(columns: columns, lines: lines), try place.terminal(columns: 100, lines: 50)
      )
      for (index, name) in Self.others.enumerated() { try place.say("I am \(name)", by: index) }
      try one.wait(for: "I am grace")
      try one.wait(for: "the last speaker's name") {
        $0.contains("grace\n") || $0.contains("grace:") || $0.contains("grace ")
      }
      for name in Self.others { try other.wait(for: "I am \(name)") }
      try one.type("gr")
      try one.press("Tab")
      try one.type("well said")
      try one.press("Enter")
      try other.wait(for: "grace: well said")
      try place.others[5].wait(for: ["grace: well said"], in: Self.room)
      let texts = try place.others[5].messages(in: Self.room).map { $0.text("text") }
      #expect(texts == Self.others.map { "I am \($0)" } + ["grace: well said"])
      if columns >= 100 { try one.wait(for: "7 here", "@alice", "erin") }
    }
  }

  @Test(
    "a message that names me is found by its key; who is kicked from the list is gone; the killed daemon comes back")
  func running() throws {
    let folder = try TemporaryFolder("roomui")
    try folder.reportingLogs {
      let place = try Place(in: folder, count: 2)
      let screen = try place.terminal(columns: 120, lines: 30)
      try screen.press("M-q")
      try screen.wait(for: "▸Conversations")
      try place.say("alice: where are you?", by: 0)
      try screen.wait(for: "@1 1")
      try screen.press("M-M")
      try screen.wait(for: "1 unread message", "where are you?")
      try place.alice.daemon.kill()
      try screen.wait(for: "No daemon")
      try screen.type("here I am")
      try screen.press("Enter")
      try place.alice.daemon.start()
      try screen.press("Escape")
      try screen.wait(for: "here I am", "✓✓")
      let said = try place.others[0].messages(in: Self.room).count { $0.text("text") == "here I am" }
      #expect(said == 1)
      try screen.press("M-U")
      try screen.wait(for: "Who is in")
      try screen.type("carol")
      try screen.wait(for: "▸ carol")
      try screen.press("Enter")
      try screen.wait(for: "carol in", "Kick")
      try screen.press("End")
      try screen.wait(for: "▸ Ban")
      try screen.press("Up")
      try screen.wait(for: "▸ Kick")
      try screen.press("Enter")
      try screen.wait(for: "Kick carol?")
      try screen.type("y")
      try screen.wait(for: "2 here")
    }
  }
}
