import Clocks
import JSON
import Ratchet
import TestSupport
import Testing
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabEngine

@Suite("Encryption in rooms")
struct EncryptedRoomTests {
  static let room = "team@rooms.example.org"
  private static let versions: [RatchetVersion] = [.legacy, .omemo2]

  /// A room of alice, bob, who is in it, and carol, who is not.
  static func scripted(_ kind: [String] = ["muc_membersonly", "muc_nonanonymous"]) -> ScriptedRoom {
    var room = ScriptedRoom()
    room.features = ["muc_persistent", "urn:xmpp:mam:2", "urn:xmpp:sid:0", "http://jabber.org/protocol/muc"] + kind
    room.others = ["bobby": "affiliation='owner' role='moderator' jid='bob@example.org/x'"]
    room.answers = [("owner", ["bob"]), ("admin", []), ("member", ["alice", "carol"])].map { affiliation, names in
      let items = names.map { "<item affiliation='\(affiliation)' jid='\($0)@example.org'/>" }.joined()
      return (
        "<item affiliation='\(affiliation)'/>",
        "<iq type='result' id='$id' from='\(Self.room)'><query xmlns='http://jabber.org/protocol/muc#admin'>"
          + "\(items)</query></iq>"
      )
    }
    return room
  }

  static func world(
    _ peers: [EncryptedPeer], _ room: ScriptedRoom = scripted(), on storage: MemoryStorage = MemoryStorage(),
    now: Moment? = nil, seed: UInt64 = 1
  ) throws -> EncryptedWorld {
    let world = try EncryptedWorld(peers, on: storage, now: now, seed: seed, room: room)
    _ = world.ask("join \(Self.room)")
    world.harness.pass(.seconds(1))
    world.serve()
    return world
  }

  static func said(_ world: EncryptedWorld) -> [String] {
    world.messages.filter { $0.contains("type='groupchat'") && $0.contains("<encrypted") }
  }

  @Test("A message is read by all who belong to the room, and names whom it leaves out", arguments: versions)
  func sent(version: RatchetVersion) throws {
    let bob = try EncryptedPeer("bob@example.org", 1, version)
    let carol = try EncryptedPeer("carol@example.org", 3, version, seed: 8)
    let world = try Self.world([bob, carol])
    _ = world.ask("send \(Self.room) for us")
    let stanza = try #require(Self.said(world).last)
    #expect(try bob.read(stanza) == "for us" && carol.read(stanza) == "for us")
    let message = try #require(world.objects(Self.room).last)
    #expect(message["state"]?.string == "delivered" && message["text"]?.string == "for us")
    #expect(message["encrypted"]?["skipped"] == nil)
    world.peers = [bob]
    world.harness.pass(.minutes(6))
    _ = world.ask("send \(Self.room) again")
    #expect(try bob.read(#require(Self.said(world).last)) == "again")
    let skipped = world.objects(Self.room).last?["encrypted"]?["skipped"]?.array?.compactMap(\.string)
    #expect(skipped == ["carol@example.org"])
    #expect(world.objects(Self.room).count == 2)
  }

  @Test("What others say is read, live and out of the archive, and known when it comes again", arguments: versions)
  func received(version: RatchetVersion) throws {
    let bob = try EncryptedPeer("bob@example.org", 1, version)
    let carol = try EncryptedPeer("carol@example.org", 2, version, seed: 8)
    let world = try Self.world([bob, carol])
    try bob.begin(with: world.bundle(version))
    let live = try bob.say("hello", to: world.device, id: "b1", in: (Self.room, "bobby"))
    world.harness.receive(live)
    world.serve()
    #expect(world.texts(Self.room) == ["hello"])
    #expect(world.objects(Self.room).last?["encrypted"]?["trust"]?.string == "blind")
    // An occupant whom the room does not show any more, with a session from before.
    try carol.begin(with: world.bundle(version))
    world.harness.receive(try carol.say("in private", to: world.device, id: "c1"))
    world.serve()
    let (now, storage) = (world.harness.now, world.harness.storage)
    var room = Self.scripted()
    let missed = try carol.say("while away", to: world.device, id: "c2", in: (Self.room, "cc"))
    for (text, id) in [(live, "a1"), (missed, "a2")] {
      room.archive.items.append(.init(id: id, stamp: "2025-10-09T08:53:30Z", xml: text))
    }
    let next = try Self.world([bob, carol], room, on: storage, now: now, seed: 2)
    #expect(next.texts(Self.room) == ["hello", "while away"])
    #expect(next.objects(Self.room).allSatisfy { $0["encrypted"]?["error"] == nil && $0["encrypted"] != nil })
    #expect(next.objects(Self.room).map { $0["mine"]?.bool } == [false, false])
  }

  @Test(
    "Rooms that are open to all, or hide who is in them, are not encrypted by themselves",
    arguments: [
      ["muc_open", "muc_nonanonymous"], ["muc_membersonly", "muc_semianonymous"],
    ])
  func publicRooms(kind: [String]) throws {
    let world = try Self.world([try EncryptedPeer("bob@example.org", 1)], Self.scripted(kind))
    _ = world.ask("send \(Self.room) in the open")
    #expect(world.messages.contains { $0.contains("<body>in the open</body>") })
    #expect(world.ask("encrypt \(Self.room)").first?["active"]?.bool == false)
    _ = world.ask("encrypt \(Self.room) always")
    _ = world.ask("send \(Self.room) secret")
    let last = try #require(world.objects(Self.room).last)
    if kind.contains("muc_nonanonymous") {
      #expect(last["state"]?.string == "delivered" && Self.said(world).count == 1)
    } else {
      #expect(last["failure"]?["condition"]?.string == "room-anonymous")
    }
    #expect(!world.harness.toServer.contains("secret<"))
  }

  @Test("A room that turns anonymous stops it, and nothing goes in plain text")
  func anonymous() throws {
    let bob = try EncryptedPeer("bob@example.org", 1)
    let world = try Self.world([bob])
    _ = world.ask("send \(Self.room) one")
    #expect(try bob.read(#require(Self.said(world).last)) == "one")
    world.harness.servers[5223]?.room?.features = Self.scripted(["muc_membersonly", "muc_semianonymous"]).features
    world.harness.receive(
      "<message from='\(Self.room)' type='groupchat'><x xmlns='http://jabber.org/protocol/muc#user'>"
        + "<status code='173'/></x></message>")
    world.serve()
    _ = world.ask("send \(Self.room) two")
    #expect(world.objects(Self.room).last?["failure"]?["condition"]?.string == "room-anonymous")
    #expect(!world.harness.toServer.contains("two<"))
  }

  @Test("Who becomes a member can read what is said from then on, and who is none any more cannot")
  func affiliations() throws {
    let (bob, dave) = (try EncryptedPeer("bob@example.org", 1), try EncryptedPeer("dave@example.org", 4, seed: 9))
    let carol = try EncryptedPeer("carol@example.org", 3, seed: 8)
    let world = try Self.world([bob, carol, dave])
    _ = world.ask("send \(Self.room) one")
    #expect(try dave.read(#require(Self.said(world).last)) == nil)
    for (name, affiliation) in [("dave", "member"), ("carol", "none")] {
      world.harness.receive(
        "<message from='\(Self.room)'><x xmlns='http://jabber.org/protocol/muc#user'>"
          + "<item affiliation='\(affiliation)' jid='\(name)@example.org' role='none'/></x></message>")
    }
    _ = world.ask("send \(Self.room) two")
    let last = try #require(Self.said(world).last)
    #expect(try dave.read(last) == "two" && bob.read(last) == "two")
    #expect(try carol.read(last) == nil)
  }

  @Test("What was encrypted before a kill goes again with the same bytes, and what waits keeps its order")
  func kills() throws {
    let bob = try EncryptedPeer("bob@example.org", 1)
    let carol = try EncryptedPeer("carol@example.org", 3, seed: 8)
    let world = try Self.world([bob, carol])
    world.harness.servers[5223]?.room?.swallows = true
    _ = world.ask("send \(Self.room) one")
    let sent = try #require(Self.said(world).last?.components("<encrypted").last?.components("</encrypted>").first)
    world.silentNodes = { $0.contains("bundles") }
    for name in ["bob", "carol"] { _ = world.ask("session-reset \(name)@example.org") }
    for text in ["two", "three"] { _ = world.ask("send \(Self.room) \(text)") }
    #expect(Self.said(world).count == 1)
    let (now, storage) = (world.harness.now, world.harness.storage)
    let next = try Self.world([bob, carol], on: storage, now: now, seed: 2)
    next.harness.pass(.seconds(20))
    next.serve()
    let stanzas = Self.said(next)
    #expect(stanzas.first?.contains(sent) == true)
    #expect(try stanzas.compactMap { try bob.read($0) } == ["one", "two", "three"])
    #expect(next.texts(Self.room) == ["one", "two", "three"])
    #expect(next.objects(Self.room).map { $0["state"]?.string } == ["delivered", "delivered", "delivered"])
  }

  @Test("What could be read only later is known when it comes again under another id", arguments: [true, false])
  func openedLater(isDurable: Bool) throws {
    let carol = try EncryptedPeer("carol@example.org", 3, seed: 8)
    let world = try Self.world([carol])
    try carol.begin(with: world.bundle(.legacy))
    // The room does not show who cc is, until she has written to me alone.
    let first = try carol.say("first", to: world.device, id: "c1", in: (Self.room, "cc"))
    let stanzaID = "<stanza-id xmlns='urn:xmpp:sid:0' by='\(Self.room)' id='live'/></message>"
    world.harness.receive(first.replacing("</message>", with: stanzaID))
    if isDurable { world.serve() }
    world.harness.receive(try carol.say("alone", to: world.device, id: "c2"))
    if isDurable { world.serve() }
    world.harness.receive(first.replacing("</message>", with: stanzaID.replacing("'live'", with: "'later'")))
    world.serve()
    #expect(world.texts(Self.room) == ["first"])
  }

  @Test("A device that was not there knows by what it cannot read that a room is encrypted", arguments: [true, false])
  func joinedLater(isForMembers: Bool) throws {
    let room = Self.scripted([isForMembers ? "muc_membersonly" : "muc_open", "muc_semianonymous"])
    let world = try Self.world([], room)
    world.harness.receive(
      "<message from='\(Self.room)/bobby' id='o1' type='groupchat'><encrypted "
        + "xmlns='eu.siacs.conversations.axolotl'><header sid='7'><key rid='8'>AAAA</key><iv>AAAA</iv></header>"
        + "<payload>AAAA</payload></encrypted></message>")
    world.serve()
    #expect(world.objects(Self.room).last?["encrypted"]?["error"]?.string == "not-for-this-device")
    _ = world.ask("send \(Self.room) in the open")
    #expect(world.harness.toServer.contains("in the open<") == !isForMembers)
    #expect(
      world.objects(Self.room).last?["failure"]?["condition"]?.string == (isForMembers ? "room-anonymous" : nil))
  }

  @Test("A retraction names each stanza that a message was, and a reaction to any of them is found")
  func twoStanzas() throws {
    let bob = try EncryptedPeer("bob@example.org", 1)
    let carol = try EncryptedPeer("carol@example.org", 3, .omemo2, seed: 8)
    let world = try Self.world([bob, carol])
    _ = world.ask("send \(Self.room) for both")
    world.serve()
    #expect(Self.said(world).count == 2)
    for (id, emoji) in [("live1", "👍"), ("live2", "🎉")] {
      world.harness.receive(
        "<message from='\(Self.room)/bobby' id='\(id)r' type='groupchat'><reactions xmlns='urn:xmpp:reactions:0' "
          + "id='\(id)'><reaction>\(emoji)</reaction></reactions></message>")
      world.serve()
      #expect(world.objects(Self.room).last?["reactions"]?.array?.count == 1, "\(emoji)")
    }
    let id = try #require(world.objects(Self.room).last?["id"]?.integer)
    _ = world.ask("retract \(id)")
    world.serve()
    let retracted = world.messages.compactMap { message in
      message.components("<retract ").dropFirst().first.flatMap { ScriptedStream.value(of: "id", in: " " + $0) }
    }
    #expect(retracted == ["live1", "live2"])
    #expect(world.messages.count { $0.contains("unsupported by your client") } == 1)
    #expect(world.objects(Self.room).map { $0["retracted"] != nil } == [true])
  }

  @Test("What could not be read before a restart is read once there is a session")
  func unreadBeforeRestart() throws {
    let carol = try EncryptedPeer("carol@example.org", 3, seed: 8)
    let world = try Self.world([carol])
    try carol.begin(with: world.bundle(.legacy))
    world.silentNodes = { _ in true }
    world.harness.receive(try carol.say("first", to: world.device, id: "c1", in: (Self.room, "cc")))
    world.serve()
    #expect(world.objects(Self.room).last?["encrypted"]?["error"]?.string == "no-session")
    let next = try Self.world([carol], on: world.harness.storage, now: world.harness.now, seed: 2)
    next.harness.receive(try carol.say("alone", to: next.device, id: "c2"))
    next.serve()
    #expect(next.texts(Self.room) == ["first"])
  }

  @Test("What could be read when the daemon was killed is read by the next one")
  func readableAtKill() throws {
    let carol = try EncryptedPeer("carol@example.org", 3, seed: 8)
    let world = try Self.world([carol])
    try carol.begin(with: world.bundle(.legacy))
    // The session is stored, and what it opens is not tried any more.
    world.harness.engine.accounts.all.first?.parts.messaging.encryption.unreadable.reopen = { _ in false }
    world.harness.receive(try carol.say("first", to: world.device, id: "c1", in: (Self.room, "cc")))
    world.serve()
    let storage = world.harness.storage
    world.harness.receive(try carol.say("alone", to: world.device, id: "c2"))
    world.serve()
    #expect(world.texts(Self.room) == [""])
    let next = try Self.world([carol], on: storage, now: world.harness.now, seed: 2)
    #expect(next.texts(Self.room) == ["first"])
  }

  @Test(
    "What somebody wrote whom the room does not show is read once the devices of its people are known",
    arguments: [true, false])
  func unknownAuthor(hasRoomTold: Bool) throws {
    let carol = try EncryptedPeer("carol@example.org", 3, seed: 8)
    let world = try Self.world([carol])
    if !hasRoomTold {
      world.harness.engine.accounts.all.first?.parts.messaging.encryption.policies.isForMembers = { _ in false }
    }
    try carol.begin(with: world.bundle(.legacy))
    world.silentNodes = { _ in true }
    world.harness.receive(try carol.say("first", to: world.device, id: "c1", in: (Self.room, "cc")))
    world.serve()
    #expect(world.objects(Self.room).last?["encrypted"]?["error"]?.string == "no-session")
    let next = try Self.world([carol], on: world.harness.storage, now: world.harness.now, seed: 2)
    #expect(next.texts(Self.room) == ["first"])
    #expect(Self.said(next).isEmpty)
  }

  @Test("Plain text in a room that is encrypted is marked")
  func unencrypted() throws {
    let world = try Self.world([try EncryptedPeer("bob@example.org", 1)])
    _ = world.ask("send \(Self.room) one")
    world.harness.receive(
      "<message from='\(Self.room)/bobby' id='p' type='groupchat'><body>in the open</body></message>")
    world.serve()
    #expect(world.objects(Self.room).last?["unencrypted"]?.bool == true)
  }
}
