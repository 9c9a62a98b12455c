import JSON
import TestSupport
import Testing

@Suite("Running rooms of a real Prosody")
struct RoomOwnerTests {
  private static let room = "team@rooms.example.test"

  private func pair(
    _ room: String = room, _ test: (RoomTests.Pair, _ alice: SocketClient, _ bob: SocketClient) throws -> Void
  ) throws {
    let folder = try TemporaryFolder("room-owner")
    try folder.reportingLogs {
      let pair = try RoomTests.Pair(in: folder, room: room)
      try test(pair, pair.alice.client(), pair.bob.client())
    }
  }

  private func confab(_ daemon: Daemon, _ words: String...) throws -> String {
    let run = try Program.run([Products.program("confab"), "--socket", daemon.socketPath] + words)
    #expect(run.status == .exited(0))
    return String(decoding: run.output, as: UTF8.self)
  }

  @Test("an owner shows the configuration and changes fields of it, the others stay; nobody else may")
  func configuration() throws {
    try pair { pair, alice, bob in
      let room = pair.room
      func fields() throws -> [String: JSONValue] {
        let all = try alice.request("configure \(room)").data.compactMap { $0["field"] }
        return Dictionary(all.map { ($0.text("name"), $0["value"] ?? .null) }) { one, _ in one }
      }
      let before = try fields()
      let watcher = try pair.alice.client()
      #expect(try watcher.request("watch kinds=room").isOK)
      let wanted = #"{"verb":"configure","room":"\#(room)","fields":{"muc#roomconfig_roomname":"Our team"}}"#
      #expect(try alice.request(wanted).isOK)
      #expect(try alice.request("configure \(room) muc#roomconfig_changesubject=yes muc#roomconfig_lang=de").isOK)
      var after = try fields()
      #expect(after["muc#roomconfig_roomname"]?.string == "Our team" && after["muc#roomconfig_lang"]?.string == "de")
      #expect(after["muc#roomconfig_changesubject"]?.bool == true)
      for name in ["muc#roomconfig_roomname", "muc#roomconfig_lang", "muc#roomconfig_changesubject"] {
        after[name] = before[name]
      }
      #expect(after == before)
      _ = try watcher.event("room") { $0["room"]?.text("name") == "Our team" }
      #expect(try alice.request("configure \(room) nothing=1").error == "bad-argument")
      let refused = try bob.request("configure \(room) muc#roomconfig_roomname=Mine").final
      #expect(refused.text("error") == "failed" && refused.text("reason").contains("Only owners"))
      let lines = try confab(pair.alice, "configure", room)
      #expect(lines.contains("muc#roomconfig_roomname = Our team") && !lines.contains("FORM_TYPE"))
      _ = try confab(pair.alice, "configure", room, "muc#roomconfig_roomdesc=All of us")
      #expect(try fields()["muc#roomconfig_roomdesc"]?.string == "All of us")
    }
  }

  @Test("a visitor of a moderated room asks to speak, and does once the moderator has said yes")
  func voice() throws {
    try pair { pair, alice, bob in
      let room = pair.room
      #expect(try alice.request("configure \(room) muc#roomconfig_moderatedroom=yes").isOK)
      let role = try pair.bob.client()
      #expect(try role.request("watch since=0 kinds=room").isOK)
      #expect(try bob.request("leave \(room)").isOK)
      #expect(try bob.request("join wait=joined \(room)").isOK)
      #expect(try bob.request("send wait=delivered \(room) hello").error == "failed")
      let watcher = try pair.alice.client()
      #expect(try watcher.request("watch kinds=voice-request").isOK)
      #expect(try bob.request("voice \(room)").isOK)
      let request = try watcher.event("voice-request")
      #expect(request.text("nick") == "bobby" && request.text("jid") == "bob@example.test")
      #expect(try confab(pair.alice, "room", room).contains("asking to speak: bobby"))
      // A daemon that was killed still knows who waits.
      try pair.alice.kill()
      try pair.alice.start()
      let next = try pair.alice.client()
      try next.waitUntilOnline()
      #expect(try next.request("join wait=joined \(room)").isOK)
      #expect(try next.request("room \(room)").data.first?["room"]?["requests"]?.array?.count == 1)
      #expect(try pair.alice.client().request("voice \(room) bobby yes").isOK)
      try pair.say("hello", by: pair.bob)
      #expect(try pair.alice.client().request("voice \(room) bobby yes").error == "not-found")
    }
  }

  @Test("a room keeps the nick of a member, and refuses it to another")
  func register() throws {
    try pair { pair, alice, bob in
      let room = pair.room
      #expect(try alice.request("register \(room) ally").final.text("nick") == "ally")
      #expect(try alice.request("register \(room)").final.text("nick") == "ally")
      #expect(try bob.request("register \(room) bobo").error == "failed")
      #expect(try alice.request("affiliation \(room) bob@example.test member").isOK)
      #expect(try bob.request("register \(room) ally").error == "failed")
      #expect(try bob.request("register \(room) bobo").final.text("nick") == "bobo")
      let listed = try alice.request("members affiliation=member \(room)")
      #expect(listed.data.compactMap { $0["member"]?.text("jid") } == ["bob@example.test"])
      #expect(listed.final["count"]?.integer == 1)
    }
  }

  @Test("a destroyed room says where it is now, and an address with a password opens that")
  func moved() throws {
    try pair { pair, alice, bob in
      let new = "new@rooms.example.test"
      #expect(try alice.request("join create=yes wait=joined \(new)").isOK)
      #expect(try alice.request("configure \(new) muc#roomconfig_roomsecret=sesame").isOK)
      let watcher = try pair.bob.client()
      #expect(try watcher.request("watch kinds=room").isOK)
      #expect(try alice.request("destroy moved=\(new) \(pair.room) too small").isOK)
      let event = try watcher.event("room") { $0["room"]?.text("state") == "refused" }
      #expect(event["room"]?.text("moved_to") == new && event["room"]?.text("reason") == "destroyed: too small")
      #expect(try bob.request("join wait=joined \(new)").error == "failed")
      let joined = try bob.request("join wait=joined xmpp:\(new)?join;password=sesame")
      #expect(joined.isOK && joined.final["room"]?.text("jid") == new)
    }
  }

  @Test(
    "a moderator takes a message back, in either version: its text is gone here, there, and for who was away",
    arguments: [room, "team@old.example.test"])
  func moderation(room: String) throws {
    try pair(room) { pair, alice, bob in
      for text in ["rude", "ruder", "fine"] { try pair.say(text, by: pair.bob) }
      try pair.wait(for: 3, at: pair.alice)
      let ids = try alice.wholeHistory(room).compactMap { $0["id"]?.integer }
      let watcher = try pair.bob.client()
      #expect(try watcher.request("watch kinds=retract").isOK)
      let answer = try alice.request("retract \(ids[0]) be kind").final
      #expect(answer["id"]?.integer == ids[0] && answer.text("state") == "delivered")
      let retracted = try watcher.event("retract")["message"]?["retracted"]
      #expect(retracted?.text("by") == "\(room)/alice" && retracted?.text("reason") == "be kind")
      #expect(try pair.texts(pair.alice) == ["", "ruder", "fine"])
      let mine = try #require(try alice.request("send wait=delivered \(room) mine").id)
      try pair.wait(for: 4, at: pair.bob)
      let there = try #require(try bob.wholeHistory(room).last?["id"]?.integer)
      #expect(try bob.request("retract \(there)").error == "failed")
      #expect(try pair.texts(pair.bob).last == "mine" && mine > 0)
      try pair.bob.kill()
      #expect(try alice.request("retract \(ids[1])").isOK)
      try pair.bob.start()
      let later = try pair.bob.client()
      #expect(try later.request("watch since=0 kinds=retract").isOK)
      for _ in 0..<2 { _ = try later.event("retract") }
      #expect(try pair.texts(pair.bob) == ["", "", "fine", "mine"])
    }
  }

  @Test("in a room without an archive nobody takes back what others said")
  func unmoderated() throws {
    try pair("team@plain.example.test") { pair, alice, _ in
      try pair.say("rude", by: pair.bob)
      try pair.wait(for: 1, at: pair.alice)
      let id = try #require(try alice.wholeHistory(pair.room).first?["id"]?.integer)
      #expect(try alice.request("retract \(id)").error == "not-supported")
      #expect(try pair.texts(pair.alice) == ["rude"])
    }
  }
}
