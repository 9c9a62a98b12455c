import Clocks
import JSON
import MessageLog
import Ratchet
import TestSupport
import Testing
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabEngine

/// Encryption where two things happen at once.
@Suite("Encryption in races")
struct EncryptionRaceTests {
  private static let versions: [RatchetVersion] = [.legacy, .omemo2]

  @Test("A session that a contact begins while its bundle is awaited stays readable", arguments: versions)
  func bundleBehindSession(version: RatchetVersion) throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183, version)
    let world = try EncryptedWorld([bob])
    world.silentNodes = { $0.contains("bundles") }
    _ = world.ask("send bob@example.org mine")
    try bob.begin(with: world.bundle(version))
    world.harness.receive(try bob.say("one", to: world.device, id: "m1"))
    world.serve()
    #expect(try bob.read(#require(world.messages.last)) == "")
    world.silentNodes = { _ in false }
    world.serve()
    let mine = try #require(world.messages.last)
    world.harness.receive(try bob.say("two", to: world.device, id: "m2"))
    world.serve()
    #expect(world.texts() == ["mine", "one", "two"])
    #expect(try bob.read(mine) == "mine")
  }

  @Test("Keys are published once they are durable")
  func durableKeys() throws {
    let world = try EncryptedWorld([])
    let node = OMEMO.bundleNode(.legacy, of: world.device)
    let before = world.published[node]?.prefix(120)
    world.harness.pass(.hours(24 * 6))
    world.serve()
    world.harness.syncsAtOnce = false
    world.harness.pass(.hours(24 * 2))
    _ = world.ask("draft bob@example.org half a thought")
    world.harness.sync()
    world.serve()
    #expect(world.published[node]?.prefix(120) == before)
    for _ in 0..<3 {
      world.harness.sync()
      world.serve()
    }
    #expect(world.published[node]?.prefix(120) != before)
  }

  @Test("Epochs that change while the account is offline keep every secret")
  func offlineEpochs() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org one")
    #expect(try bob.read(#require(world.messages.last)) == "one")
    let before = world.harness.engine.storage.keyring.epoch
    _ = world.ask("disconnect")
    for _ in 0..<2 { world.harness.pass(.hours(25)) }
    #expect(world.harness.engine.storage.keyring.epoch == before + 2)
    let next = try EncryptedWorld([bob], on: world.harness.storage, now: world.harness.now, seed: 2)
    _ = next.ask("connect")
    _ = next.ask("send bob@example.org two")
    #expect(next.device == world.device)
    #expect(try bob.read(#require(next.messages.last)) == "two")
  }

  @Test("What an earlier process sealed is sealed anew where history is forgotten, though nothing was sealed since")
  func epochOfEarlierProcess() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org one")
    _ = world.ask("disconnect")
    let before = world.harness.engine.storage.keyring.epoch
    let next = try EncryptedWorld([bob], on: world.harness.storage, now: world.harness.now, seed: 2)
    #expect(next.harness.engine.storage.keyring.epoch == before)
    _ = next.ask("forget-history bob@example.org")
    #expect(next.harness.engine.storage.keyring.epoch == before + 1)
    #expect(next.harness.engine.storage.keyring.oldest == before + 1)
    _ = next.ask("connect")
    _ = next.ask("send bob@example.org two")
    #expect(try bob.read(#require(world.messages.last)) == "one")
    #expect(try bob.read(#require(next.messages.last)) == "two")
  }

  @Test("An epoch keeps its key while the disk does not give all that it sealed")
  func epochOfUnreadable() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org one")
    _ = world.ask("disconnect")
    let keyring = world.harness.engine.storage.keyring
    let before = keyring.epoch
    world.harness.storage.change { $0.readFailure = StorageError(.failed, "made to fail") }
    _ = world.ask("forget-history bob@example.org")
    world.harness.pass(.hours(1))
    #expect(keyring.epoch == before + 1 && keyring.oldest == before)
    world.harness.storage.change { $0.readFailure = nil }
    world.harness.pass(.minutes(11))
    #expect(keyring.oldest == before + 1)
    let next = try EncryptedWorld([bob], on: world.harness.storage, now: world.harness.now, seed: 2)
    _ = next.ask("connect")
    _ = next.ask("send bob@example.org two")
    #expect(try bob.read(#require(world.messages.last)) == "one")
    #expect(try bob.read(#require(next.messages.last)) == "two")
  }

  @Test("What a server forgets to answer while a stream is resumed is asked for again", arguments: [false, true])
  func forgottenAnswers(bundles: Bool) throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    world.harness.server.resumption = "max='600'"
    world.harness.cut()
    world.harness.pass(.seconds(5))
    world.serve()
    world.silentNodes = { $0.contains("bundles") == bundles }
    _ = world.ask("send bob@example.org hello")
    #expect(world.messages.isEmpty)
    world.harness.cut()
    world.harness.clearTrace()
    world.silentNodes = { _ in false }
    world.harness.pass(.seconds(5))
    world.serve()
    #expect(world.harness.toServer.contains("<resume "))
    #expect(try bob.read(#require(world.messages.last)) == "hello")
  }

  @Test("A message in two stanzas is sent once the server has both", arguments: [false, true])
  func lostHalf(killed: Bool) throws {
    let phone = try EncryptedPeer("bob@example.org", 27_183)
    let laptop = try EncryptedPeer("bob@example.org", 31_415, .omemo2, seed: 9)
    let world = try EncryptedWorld([phone, laptop])
    world.harness.server.resumption = "max='600'"
    world.harness.cut()
    world.harness.pass(.seconds(5))
    world.serve()
    world.harness.server.acknowledges = false
    _ = world.ask("send bob@example.org hello")
    #expect(try phone.read(#require(world.messages.dropLast().last)) == "hello")
    world.harness.server.lost = 1
    world.harness.server.acknowledges = true
    var harness = world.harness
    if killed {
      harness = try Harness(
        on: harness.storage, accounts: [Harness.alice], server: harness.server, now: harness.now, seed: 2)
    } else {
      harness.clearTrace()
      harness.cut()
    }
    harness.pass(.seconds(5))
    let again = harness.toServer.components("<message ").dropFirst().map {
      "<message xmlns='jabber:client' " + ($0.components("</message>").first ?? "") + "</message>"
    }
    #expect(try again.compactMap { try laptop.read($0) } == ["hello"])
  }

  @Test("A copy of an encrypted change is none of a message, though the change is not durable yet")
  func copiedChange() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183, .omemo2)
    let world = try EncryptedWorld([bob])
    try bob.begin(with: world.bundle(.omemo2))
    world.harness.receive(try bob.say("one", to: world.device, id: "m1"))
    world.serve()
    let reaction = "<reactions xmlns='urn:xmpp:reactions:0' id='m1'><reaction>🐢</reaction></reactions>"
    let stanza = try bob.say("", to: world.device, id: "r1", inside: reaction)
    world.harness.syncsAtOnce = false
    world.harness.receive(stanza)
    world.harness.pass(.milliseconds(50))
    world.harness.receive("<message from='carol@example.org/x' id='c1' type='chat'><body>beside</body></message>")
    world.harness.sync()
    // As the archive has it, a while later.
    let delay = "<delay xmlns='urn:xmpp:delay' from='alice@example.org' stamp='2025-10-09T08:40:00Z'/>"
    let copy = stanza.replacing("id='r1'", with: "id='r2'").replacing("</message>", with: delay + "</message>")
    world.harness.receive(copy)
    world.harness.syncsAtOnce = true
    world.harness.sync()
    #expect(world.texts() == ["one"])
    #expect(world.objects().first?["reactions"]?.array?.count == 1)
  }

  @Test("A clock that is put back keeps no message waiting")
  func clockPutBack() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    world.silentNodes = { $0.contains("bundles") }
    _ = world.ask("send bob@example.org mine")
    world.harness.now.wall = world.harness.now.wall.advanced(by: .hours(-2))
    world.harness.handle(.clockSet)
    world.harness.pass(.seconds(70))
    #expect(world.objects().last?["failure"]?["condition"]?.string == "keys-unavailable")
  }
}
