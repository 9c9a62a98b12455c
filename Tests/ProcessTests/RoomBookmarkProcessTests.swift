import JSON
import TestSupport
import Testing

@Suite("Bookmarks of rooms on a real Prosody")
struct RoomBookmarkProcessTests {
  private static let room = "team@rooms.example.test"

  @Test(
    "Another device joins a bookmarked room, with its nick, and leaves one that was left",
    arguments: [(["bookmarks"], []), (["private"], ["pep"]), ([], [])])
  func devices(_ modules: [String], _ unwanted: [String]) throws {
    let folder = try TemporaryFolder("room-bookmarks")
    try folder.reportingLogs {
      let server = try Prosody(in: folder, rooms: true, with: modules, without: unwanted)
      let account = Daemon.Account(
        "alice", password: "secret-a", port: server.directTLSPort, tls: "direct", authority: server.authority)
      let first = try Daemon("first", in: folder, accounts: [account])
      try first.client().waitUntilOnline()
      #expect(try first.client().request("join create=yes wait=joined nick=ally \(Self.room)").isOK)
      let other = "other@rooms.example.test"
      #expect(try first.client().request("join create=yes wait=joined \(other)").isOK)
      let second = try Daemon("second", in: folder, accounts: [account])
      try wait(for: Self.room, "joined", at: second)
      try wait(for: other, "joined", at: second)
      let room = try second.client().request("room \(Self.room)").data.first?["room"]
      #expect(room?.text("nick") == "ally" && room?["autojoin"]?.bool == true)
      #expect(try second.client().request("leave \(other)").isOK)
      // The server answers in order: behind the first answer the change is sent, behind the second it is done.
      for _ in 0..<2 { #expect(try second.client().request("rooms at=rooms.example.test").isOK) }
      try first.kill()
      try first.start()
      try wait(for: other, "left", at: first)
      #expect(try first.client().request("join wait=joined \(Self.room)").isOK)
    }
  }

  /// Back when a room has that state.
  private func wait(for room: String, _ state: String, at daemon: Daemon) throws {
    try daemon.client().waitUntilOnline()
    let watcher = try daemon.client()
    #expect(try watcher.request("watch since=0 kinds=room in=\(room)").isOK)
    _ = try watcher.event("room") { $0["room"]?.text("jid") == room && $0["room"]?.text("state") == state }
  }
}
