import Clocks
import JSON
import Ratchet
import TestSupport
import Testing
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabEngine

@Suite("Whose devices they are, in rooms that are encrypted")
struct EncryptedRoomDeviceTests {
  @Test(
    "A device that is new is written to once it has come, or has written, though no event told of it",
    arguments: [true, false])
  func newDevice(comes: Bool) throws {
    let bob = try EncryptedPeer("bob@example.org", 1)
    let second = try EncryptedPeer("bob@example.org", 2, seed: 8)
    let world = try EncryptedRoomTests.world([bob])
    _ = world.ask("send \(EncryptedRoomTests.room) one")
    world.peers.append(second)
    if comes {
      world.harness.receive(
        "<presence from='\(EncryptedRoomTests.room)/bob2'><x xmlns='http://jabber.org/protocol/muc#user'>"
          + "<item affiliation='member' role='participant' jid='bob@example.org/y'/></x></presence>")
    } else {
      try second.begin(with: world.bundle(.legacy))
      world.harness.receive(try second.say("hi", to: world.device, id: "s1", in: (EncryptedRoomTests.room, "bobby")))
    }
    world.serve()
    _ = world.ask("send \(EncryptedRoomTests.room) two")
    let last = try #require(EncryptedRoomTests.said(world).last)
    #expect(try second.read(last) == "two" && bob.read(last) == "two")
  }

  @Test("Somebody whose lists cannot be had holds up nothing, and is asked again only after a while")
  func brokenLists() throws {
    let bob = try EncryptedPeer("bob@example.org", 1)
    let world = try EncryptedRoomTests.world([bob])
    _ = world.ask("send \(EncryptedRoomTests.room) zero")
    world.brokenOwners = ["carol@example.org"]
    world.harness.pass(.minutes(6))
    let texts = ["one", "two", "three"]
    for text in texts { _ = world.ask("send \(EncryptedRoomTests.room) \(text)") }
    #expect(try EncryptedRoomTests.said(world).map { try bob.read($0) } == ["zero"] + texts)
    let asked = world.harness.toServer.components("<iq ").count { $0.contains("to='carol@example.org'") }
    #expect(asked <= 4)
    #expect(world.objects(EncryptedRoomTests.room).last?["encrypted"]?["skipped"]?.array?.count == 1)
  }

  @Test("Who says the first message of another one again is not taken for its author")
  func copiedKeyExchange() throws {
    let carol = try EncryptedPeer("carol@example.org", 3, seed: 8)
    let world = try EncryptedRoomTests.world([carol])
    try carol.begin(with: world.bundle(.legacy))
    let said = try carol.say("I agree", to: world.device, id: "c1", in: (EncryptedRoomTests.room, "carol"))
    world.harness.servers[5223]?.room?.others["carol"] =
      "affiliation='member' role='participant' jid='carol@example.org/x'"
    for (nick, jid) in [("carol", "carol"), ("bobby", "bob")] {
      world.harness.receive(
        "<presence from='\(EncryptedRoomTests.room)/\(nick)'><x xmlns='http://jabber.org/protocol/muc#user'>"
          + "<item affiliation='member' role='participant' jid='\(jid)@example.org/x'/></x></presence>")
      world.harness.receive(said.replacing("/carol'", with: "/\(nick)'").replacing("id='c1'", with: "id='\(nick)'"))
    }
    world.serve()
    #expect(world.texts(EncryptedRoomTests.room) == ["I agree", ""])
    #expect(world.objects(EncryptedRoomTests.room).last?["encrypted"]?["error"]?.string != nil)
  }

  @Test("The word of an occupant on who wrote a message of the past gives nobody a device")
  func forgedAuthor() throws {
    let (carol, judy) = (
      try EncryptedPeer("carol@example.org", 3, seed: 8), try EncryptedPeer("judy@example.org", 4, seed: 9)
    )
    let world = try EncryptedRoomTests.world([carol, judy])
    try judy.begin(with: world.bundle(.legacy))
    let forged =
      "<x xmlns='http://jabber.org/protocol/muc#user'><item affiliation='member' jid='carol@example.org/x'/></x>"
    let said = try judy.say(
      "I am carol", to: world.device, id: "j1", more: forged, in: (EncryptedRoomTests.room, "judy"))
    let (now, storage) = (world.harness.now, world.harness.storage)
    var room = EncryptedRoomTests.scripted()
    room.archive.items.append(.init(id: "a1", stamp: "2025-10-09T08:53:30Z", xml: said))
    let next = try EncryptedRoomTests.world([carol, judy], room, on: storage, now: now, seed: 2)
    #expect(next.texts(EncryptedRoomTests.room) == [""])
    let numbers = next.ask("devices carol@example.org").compactMap { $0["device"]?["id"]?.integer }
    #expect(!numbers.contains(4))
  }

  @Test("Who lists the number of another one's device takes nothing from that one")
  func takenNumber() throws {
    let carol = try EncryptedPeer("carol@example.org", 3, seed: 8)
    let bob = try EncryptedPeer("bob@example.org", 3, seed: 9)
    let world = try EncryptedRoomTests.world([carol])
    try carol.begin(with: world.bundle(.legacy))
    world.harness.receive(try carol.say("hello", to: world.device, id: "c1"))
    world.serve()
    world.peers = [carol, bob, try EncryptedPeer("bob@example.org", world.device, seed: 10)]
    world.harness.pass(.minutes(6))
    _ = world.ask("send \(EncryptedRoomTests.room) for us")
    let stanza = try #require(EncryptedRoomTests.said(world).last)
    #expect(try carol.read(stanza) == "for us")
    #expect(stanza.components("rid='3'").count == 2 && !stanza.contains("rid='\(world.device)'"))
  }

  @Test("A device that is on no list, and cannot be read, has its lists asked for once")
  func unlisted() throws {
    let (bob, carol) = (try EncryptedPeer("bob@example.org", 1), try EncryptedPeer("carol@example.org", 4, seed: 9))
    let world = try EncryptedRoomTests.world([bob, try EncryptedPeer("carol@example.org", 5, seed: 10)])
    let bundle = try world.bundle(.legacy)
    for peer in [bob, carol] { try peer.begin(with: bundle) }
    // The pre-key was used up long ago when carol's other device takes it.
    for (peer, id) in [(bob, "b1"), (bob, "b2"), (carol, "c1")] {
      world.harness.receive(try peer.say("hello", to: world.device, id: id))
      world.serve()
      world.harness.pass(.minutes(61))
    }
    #expect(world.objects("carol@example.org").last?["encrypted"]?["error"]?.string == "no-session")
    _ = world.ask("send \(EncryptedRoomTests.room) on time")
    #expect(try bob.read(#require(EncryptedRoomTests.said(world).last)) == "on time")
    #expect(world.harness.toServer.components("<iq ").count { $0.contains("to='carol@example.org'") } <= 10)
  }

  @Test("Who publishes the bundle of another one does not keep that one from writing")
  func copiedBundle() throws {
    let carol = try EncryptedPeer("carol@example.org", 3, seed: 8)
    // One seed, one set of keys.
    let world = try EncryptedRoomTests.world([carol, try EncryptedPeer("mallory@example.org", 6, seed: 8)])
    _ = world.ask("send mallory@example.org hello")
    let device = world.ask("devices mallory@example.org").first?["device"]
    #expect(device?["session"]?.string == "ok" && device?["last_seen"] == nil)
    try carol.begin(with: world.bundle(.legacy))
    world.harness.receive(try carol.say("it is me", to: world.device, id: "c1"))
    world.serve()
    #expect(world.texts("carol@example.org") == ["it is me"])
  }

  @Test("Devices without keys hold up one message for a moment, and no later one")
  func manyWithoutKeys() throws {
    let world = try EncryptedRoomTests.world([
      try EncryptedPeer("bob@example.org", 1), try EncryptedPeer("carol@example.org", 3),
    ])
    world.emptyDevices = ["carol@example.org": 1_000..<1_090]
    _ = world.ask("send \(EncryptedRoomTests.room) one")
    #expect(EncryptedRoomTests.said(world).count == 1)
    #expect(world.objects(EncryptedRoomTests.room).last?["encrypted"]?["skipped"]?.array?.count == 90)
    world.harness.clearTrace()
    _ = world.ask("send \(EncryptedRoomTests.room) two")
    #expect(EncryptedRoomTests.said(world).count == 1 && !world.harness.toServer.contains("bundles"))
  }
}
