import JSON
import TestSupport
import Testing

@Suite("Rooms of a real Prosody")
struct RoomTests {
  private static let kinds = ["team@rooms.example.test", "team@plain.example.test"]

  /// Two people, each with a daemon of their own, in one room.
  struct Pair {
    let server: Prosody
    let alice: Daemon
    let bob: Daemon
    let room: String

    init(in folder: TemporaryFolder, room: String) throws {
      self.room = room
      server = try Prosody(in: folder, rooms: true)
      alice = try Self.daemon("alice", "secret-a", server, folder)
      bob = try Self.daemon("bob", "secret-b", server, folder)
      let made = try alice.client().request("join create=yes wait=joined \(room)")
      #expect(made.isOK && made.final["room"]?.text("state") == "joined")
      #expect(try bob.client().request("join wait=joined nick=bobby \(room)").isOK)
    }

    private static func daemon(
      _ name: String, _ password: String, _ server: Prosody, _ folder: TemporaryFolder, home: String? = nil,
      data: String? = nil
    ) throws -> Daemon {
      let account = Daemon.Account(
        name, password: password, port: server.directTLSPort, tls: "direct", authority: server.authority)
      let daemon = try Daemon(home ?? name, in: folder, accounts: [account], data: data)
      try daemon.client().waitUntilOnline()
      return daemon
    }

    /// Another device of somebody's.
    func daemon(
      _ name: String, _ password: String, _ folder: TemporaryFolder, home: String, data: String? = nil
    ) throws -> Daemon {
      try Self.daemon(name, password, server, folder, home: home, data: data)
    }

    /// Says something, and is back when the room has shown it.
    func say(_ text: String, by daemon: Daemon) throws {
      #expect(try daemon.client().request("send wait=delivered \(room) \(text)").isOK, "\(text)")
    }

    func texts(_ daemon: Daemon) throws -> [String] {
      try daemon.client().wholeHistory(room).map { $0.text("text") }
    }

    /// Back when a daemon has so many messages.
    func wait(for count: Int, at daemon: Daemon) throws {
      let watcher = try daemon.client()
      #expect(try watcher.request("watch since=0 kinds=message in=\(room)").isOK)
      for _ in 0..<count { _ = try watcher.event("message") }
    }
  }

  @Test("what is said there is delivered by its reflection, and is in both logs once", arguments: kinds)
  func talk(room: String) throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let pair = try Pair(in: folder, room: room)
      try pair.say("one", by: pair.alice)
      try pair.say("two", by: pair.bob)
      try pair.wait(for: 2, at: pair.alice)
      #expect(try pair.texts(pair.alice) == ["one", "two"])
      #expect(try pair.texts(pair.bob) == ["one", "two"])
      let last = try #require(try pair.alice.client().wholeHistory(room).last)
      #expect(last.text("from") == "\(room)/bobby" && last["mine"]?.bool == false)
      #expect(try pair.alice.client().request("members \(room)").data.count == 2)
    }
  }

  @Test("a topic is answered when the room shows it, and stands for who comes later", arguments: kinds)
  func topic(room: String) throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let pair = try Pair(in: folder, room: room)
      #expect(try pair.alice.client().request("topic \(room) Lunch at noon").final.text("topic") == "Lunch at noon")
      #expect(try pair.bob.client().request("leave \(room)").isOK)
      #expect(try pair.bob.client().request("join wait=joined \(room)").isOK)
      #expect(try pair.bob.client().request("topic \(room)").final.text("topic") == "Lunch at noon")
    }
  }

  @Test("a daemon that is killed joins again, has what it missed once, and says what it was to say", arguments: kinds)
  func killed(room: String) throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let pair = try Pair(in: folder, room: room)
      var said: [String] = []
      for round in 0..<5 {
        for text in ["a\(round)", "b\(round)"] { said.append(text) }
        let sent = try pair.alice.client().request("send \(room) a\(round)").final
        try pair.alice.kill()
        try pair.say("b\(round)", by: pair.bob)
        try pair.alice.start()
        try pair.wait(for: said.count, at: pair.alice)
        try pair.wait(for: said.count, at: pair.bob)
        let id = try #require(sent["id"]?.integer)
        #expect(try pair.alice.client().request("wait for=delivered \(id)").isOK)
      }
      let (alice, bob) = (try pair.texts(pair.alice), try pair.texts(pair.bob))
      #expect(alice.sorted() == said.sorted())
      #expect(alice == bob)
    }
  }

  @Test("a room that is not there is not made unless that is asked for, and nothing is sent to it")
  func missing() throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let pair = try Pair(in: folder, room: Self.kinds[0])
      let client = try pair.alice.client()
      let other = "other@rooms.example.test"
      #expect(try client.request("join wait=joined \(other)").final.text("error") == "failed")
      #expect(try client.request("room \(other)").data.first?["room"]?.text("state") == "refused")
      #expect(try client.request("send \(other) hello").final.text("error") == "failed")
      #expect(try client.request("history \(other)").data.isEmpty)
    }
  }

  @Test("somebody who is invited joins, and is there on another device by the bookmark, until it is left there")
  func invited() throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let pair = try Pair(in: folder, room: Self.kinds[0])
      let other = "lunch@rooms.example.test"
      let watcher = try pair.bob.client()
      #expect(try watcher.request("watch kinds=invitation,room").isOK)
      #expect(try pair.alice.client().request("join create=yes wait=joined \(other)").isOK)
      #expect(try pair.alice.client().request("invite \(other) bob@example.test come").isOK)
      let invitation = try watcher.event("invitation") { $0.text("room") == other }
      #expect(invitation.text("reason") == "come")
      #expect(try pair.bob.client().request("join wait=joined \(other)").isOK)
      let second = try pair.daemon("bob", "secret-b", folder, home: "bob-second")
      let news = try second.client()
      #expect(try news.request("watch since=0 kinds=room").isOK)
      _ = try news.event("room") { $0["room"]?.text("jid") == other && $0["room"]?.text("state") == "joined" }
      #expect(try second.client().request("leave \(other)").isOK)
      _ = try watcher.event("room") { $0["room"]?.text("jid") == other && $0["room"]?.text("state") == "left" }
    }
  }

  @Test("replies, reactions, corrections and retractions reach their messages, and a name in a text is a mention")
  func changes() throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let pair = try Pair(in: folder, room: Self.kinds[0])
      let (room, bob) = (pair.room, try pair.bob.client())
      try pair.say("hello bobby", by: pair.alice)
      try pair.wait(for: 1, at: pair.bob)
      let first = try #require(try bob.wholeHistory(room).first)
      #expect(first["mention"]?.bool == true && first.text("nick") == "alice")
      let id = try #require(first["id"]?.integer)
      let watcher = try pair.alice.client()
      #expect(try watcher.request("watch kinds=reaction,edit,retract,message").isOK)
      #expect(try bob.request("react \(id) 👍").isOK)
      let reaction = try watcher.event("reaction")
      #expect(reaction["message"]?.text("text") == "hello bobby")
      let answer = try #require(try bob.request("send reply=\(id) wait=delivered \(room) hi").id)
      #expect(try watcher.event("message")["message"]?["reply_to"]?.text("text").contains("hello bobby") == true)
      #expect(try bob.request("send replace=\(answer) wait=delivered \(room) hey").isOK)
      #expect(try watcher.event("edit")["message"]?.text("text") == "hey")
      #expect(try bob.request("retract \(answer)").isOK)
      #expect(try watcher.event("retract")["message"]?["retracted"] != nil)
    }
  }

  @Test("who is kicked is not in it any more, and does not come back by itself")
  func kicked() throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let pair = try Pair(in: folder, room: Self.kinds[0])
      // Behind what he says, she has seen him come.
      try pair.say("hello", by: pair.bob)
      try pair.wait(for: 1, at: pair.alice)
      #expect(try pair.alice.client().request("kick \(pair.room) bobby too loud").isOK)
      let room = { try pair.bob.client().request("room \(pair.room)").data.first?["room"] }
      let watcher = try pair.bob.client()
      #expect(try watcher.request("watch since=0 kinds=room").isOK)
      _ = try watcher.event("room") { $0["room"]?.text("state") == "refused" }
      #expect(try room()?.text("reason").contains("too loud") == true)
      try pair.bob.kill()
      try pair.bob.start()
      try pair.bob.client().waitUntilOnline()
      #expect(try room()?.text("state") == "refused")
    }
  }

  @Test("a private message is for the person whom the conversation was begun with")
  func inPrivate() throws {
    let folder = try TemporaryFolder("rooms")
    try folder.reportingLogs {
      let pair = try Pair(in: folder, room: Self.kinds[0])
      let (alice, bob) = (try pair.alice.client(), "\(pair.room)/bobby")
      let watcher = try pair.bob.client()
      #expect(try watcher.request("watch kinds=message").isOK)
      try pair.say("hello", by: pair.bob)
      try pair.wait(for: 1, at: pair.alice)
      #expect(try alice.request("send \(bob) psst").isOK)
      let heard = try watcher.event("message") { $0["message"]?.text("text") == "psst" }
      #expect(heard["message"]?.text("conversation") == "\(pair.room)/alice")
      let answers = try pair.alice.client()
      #expect(try answers.request("watch kinds=message").isOK)
      #expect(try pair.bob.client().request("send \(pair.room)/alice what?").isOK)
      let answer = try answers.event("message") { $0["message"]?.text("text") == "what?" }
      #expect(answer["message"]?.text("conversation") == bob)
      #expect(try alice.request("send \(pair.room)/nobody hello").error == "not-found")
      #expect(try pair.texts(pair.alice) == ["hello"])
    }
  }
}
