import Clocks
import JSON
import Ratchet
import TestSupport
import Testing
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabEngine

@Suite("Sessions, and the keys they begin with")
struct SessionTests {
  private static let versions: [RatchetVersion] = [.legacy, .omemo2]

  @Test("A change of the epoch leaves one key, and every secret readable")
  func epochs() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org one")
    let before = try #require(world.harness.engine.storage.keyring.epoch as UInt32?)
    world.harness.pass(.hours(25))
    #expect(world.harness.engine.storage.keyring.epoch == before + 1)
    #expect(world.harness.engine.storage.keyring.oldest == before + 1)
    let next = try EncryptedWorld([bob], on: world.harness.storage, now: world.harness.now, seed: 2)
    _ = next.ask("send bob@example.org two")
    #expect(try bob.read(#require(world.messages.last)) == "one")
    #expect(try bob.read(#require(next.messages.last)) == "two")
  }

  @Test("Two who chose the same pre-key are both read, for an hour", arguments: [Interval.minutes(5), .minutes(130)])
  func samePreKey(pause: Interval) throws {
    let people = [try EncryptedPeer("bob@example.org", 1), try EncryptedPeer("carol@example.org", 2, seed: 8)]
    let world = try EncryptedWorld(people)
    let bundle = try world.bundle(.legacy)
    for person in people {
      try person.begin(with: bundle)
      world.harness.receive(try person.say("hello", to: world.device, id: person.jid))
      world.serve()
      #expect(try world.bundle(.legacy) != bundle, "nobody else is offered it")
      world.harness.pass(pause)
      world.harness.receive(try person.say("again", to: world.device, id: "\(person.jid)/2"))
      world.serve()
    }
    #expect(world.texts(people[0].jid) == ["hello", "again"])
    #expect(world.texts(people[1].jid) == (pause < .hours(1) ? ["hello", "again"] : ["", ""]))
  }

  @Test("A session that the user gives up is read on until the next one, which begins at once", arguments: versions)
  func sessionReset(version: RatchetVersion) throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183, version)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org one")
    #expect(try bob.read(#require(world.messages.last)) == "one")
    world.harness.receive(try bob.say("heard", to: world.device, id: "b0"))
    world.serve()
    let late = try (1...2).map { try bob.say("late \($0)", to: world.device, id: "b\($0)") }
    #expect(world.ask("session-reset bob@example.org").last?["ok"]?.bool == true)
    let empty = try #require(world.messages.last)
    #expect(empty.contains("prekey='true'") || empty.contains("kex='true'"))
    for message in late { world.harness.receive(message) }
    world.serve()
    #expect(world.texts() == ["one", "heard", "late 1", "late 2"])
    #expect(try bob.read(empty) == "")
    _ = world.ask("send bob@example.org two")
    #expect(try bob.read(#require(world.messages.last)) == "two")
  }

  @Test("A key exchange that comes again under another number of a device is no new message")
  func copiedDevice() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    try bob.begin(with: world.bundle(.legacy))
    let first = try bob.say("once", to: world.device, id: "b1")
    for number in [27_183, 4_242, 4_343] {
      let id = "b\(number)"
      world.harness.receive(first.replacing("sid='27183'", with: "sid='\(number)'").replacing("'b1'", with: "'\(id)'"))
      world.serve()
    }
    #expect(world.texts() == ["once"])
    #expect(world.ask("devices bob@example.org").compactMap { $0["device"] }.count == 1)
  }

  @Test("A bundle with another identity, or a wrong signature, begins nothing")
  func wrongBundles() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org one")
    world.peers = [try EncryptedPeer("bob@example.org", 27_183, seed: 10)]
    _ = world.ask("session-reset bob@example.org")
    _ = world.ask("send bob@example.org two")
    #expect(world.messages.count == 1)
    let device = try #require(world.ask("devices bob@example.org").first?["device"])
    #expect(device["session"]?.string == "broken")
    _ = world.ask("send bob@example.org three")
    world.harness.pass(.seconds(70))
    let failures = world.objects().dropFirst().map { $0["failure"]?["condition"]?.string }
    #expect(failures == ["keys-unavailable", "keys-unavailable"])
  }
}
