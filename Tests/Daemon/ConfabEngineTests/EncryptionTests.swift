import Clocks
import JSON
import Ratchet
import TestSupport
import Testing
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabEngine

@Suite("Encryption between people")
struct EncryptionTests {
  private static let versions: [RatchetVersion] = [.legacy, .omemo2]

  @Test("The first message waits for the contact's keys, and is read by its device alone", arguments: versions)
  func firstMessage(version: RatchetVersion) throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183, version)
    let world = try EncryptedWorld([bob])
    let answer = try #require(world.ask("send bob@example.org the secret").first)
    #expect(answer["state"]?.string == "queued")
    let stanza = try #require(world.messages.last)
    #expect(!stanza.contains("the secret") && !stanza.contains("<body"))
    #expect(try bob.read(stanza) == "the secret")
    let message = try #require(world.objects().first)
    #expect(message["state"]?.string == "sent")
    #expect(message["text"]?.string == "the secret")
    #expect(message["encrypted"]?["version"]?.string == (version == .legacy ? "0.3" : "2"))
  }

  @Test("A contact without devices gets plain text, unless it has to be encrypted")
  func withoutDevices() throws {
    let world = try EncryptedWorld([])
    _ = world.ask("send bob@example.org hello")
    #expect(try #require(world.messages.last).contains("<body>hello</body>"))
    _ = world.ask("send encrypt=yes bob@example.org secret")
    let last = try #require(world.objects().last)
    #expect(last["state"]?.string == "failed")
    #expect(last["failure"]?["condition"]?.string == "no-devices")
    #expect(!world.harness.toServer.contains("secret<"))
  }

  @Test("What comes encrypted is read, answered, and known when it comes again", arguments: versions)
  func received(version: RatchetVersion) throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183, version)
    let world = try EncryptedWorld([bob])
    try bob.begin(with: world.bundle(version))
    let stanza = try bob.say("good morning", to: world.device, id: "m1")
    world.harness.receive(stanza)
    world.serve()
    #expect(world.texts() == ["good morning"])
    let empty = try #require(world.messages.last)
    #expect(try bob.read(empty) == "")
    for again in [stanza, stanza.replacing("id='m1'", with: "id='m1' xml:lang='en'")] {
      world.harness.receive(again)
      world.serve()
      #expect(world.texts() == ["good morning"])
    }
    world.harness.receive(try bob.say("and more", to: world.device, id: "m2"))
    world.serve()
    #expect(world.texts() == ["good morning", "and more"])
    _ = world.ask("send bob@example.org fine")
    #expect(try bob.read(#require(world.messages.last)) == "fine")
  }

  @Test("From the first encrypted message on nothing goes in plain text, though the contact's devices are gone")
  func neverBack() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org one")
    world.peers = []
    world.harness.pass(.minutes(6))
    _ = world.ask("send bob@example.org two")
    #expect(world.messages.count == 1)
    #expect(world.objects().last?["failure"]?["condition"]?.string == "no-devices")
    world.harness.receive("<message from='bob@example.org/x' id='p' type='chat'><body>in the open</body></message>")
    world.serve()
    #expect(world.objects().last?["unencrypted"]?.bool == true)
    #expect(world.ask("encrypt bob@example.org").first?["active"]?.bool == true)
  }

  @Test("Each kill leaves one text, and a message that left goes again with the same bytes", arguments: versions)
  func kills(version: RatchetVersion) throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183, version)
    let world = try EncryptedWorld([bob])
    try bob.begin(with: world.bundle(version))
    let first = try bob.say("one", to: world.device, id: "m1")
    world.harness.receive(first)
    world.serve()
    world.harness.servers[5223]?.acknowledges = false
    _ = world.ask("send bob@example.org mine")
    let sent = try #require(world.messages.last)
    let (now, storage) = (world.harness.now, world.harness.storage)

    let next = try EncryptedWorld([bob], on: storage, now: now, seed: 2)
    next.harness.receive(first)
    next.serve()
    #expect(next.texts() == ["one", "mine"])
    let again = try #require(next.messages.first { !$0.contains("hints'/></message>") } ?? next.messages.last)
    let element = sent.components("<encrypted").last?.components("</encrypted>").first
    #expect(again.contains(try #require(element)))
    #expect(try bob.read(sent) == "mine")
    next.harness.receive(try bob.say("two", to: next.device, id: "m2"))
    next.serve()
    #expect(next.texts() == ["one", "mine", "two"])
    #expect(next.device == world.device)
  }

  @Test("What cannot be read is kept, said in words, without a receipt, and read once a session is there")
  func unreadable() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    try bob.begin(with: world.bundle(.legacy))
    let exchange = try bob.say("one", to: world.device, id: "m1")
    // A key exchange stands in each message until it is answered: this one is as if it had been.
    _ = try bob.say("lost", to: world.device, id: "m0")
    let stranger = try EncryptedPeer("bob@example.org", 31_415, seed: 9)
    try stranger.begin(with: world.bundle(.legacy))
    let other = try stranger.say("not for you", to: 12_345, id: "x1")
    world.harness.receive(other)
    world.harness.receive(
      exchange.replacing("prekey='true'", with: "prekey='false'").replacing("id='m1'", with: "id='d1'"))
    world.serve()
    let errors = world.objects().map { $0["encrypted"]?["error"]?.string ?? "" }
    #expect(errors == ["not-for-this-device", "damaged"])
    #expect(world.objects().allSatisfy { $0["text"]?.string == "" && $0["plain"] != nil })
    world.harness.receive(exchange)
    world.serve()
    #expect(world.texts().last == "one")
  }

  @Test("A device that comes behind a verified one is read, and not encrypted to")
  func trust() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org one")
    #expect(try bob.read(#require(world.messages.last)) == "one")
    let spaced = bob.identity.key.fingerprint.uppercased()
    #expect(
      world.ask("trust verified=yes bob@example.org \(spaced.prefix(32)) \(spaced.suffix(32))").first?["ok"]?.bool
        == true)
    let phone = try EncryptedPeer("bob@example.org", 31_415, seed: 9)
    world.peers.append(phone)
    world.harness.pass(.minutes(6))
    _ = world.ask("send bob@example.org two")
    let stanza = try #require(world.messages.last)
    #expect(try bob.read(stanza) == "two")
    #expect(try phone.read(stanza) == nil)
    _ = world.ask("trust bob@example.org \(phone.identity.key.fingerprint)")
    _ = world.ask("send bob@example.org three")
    #expect(try phone.read(#require(world.messages.last)) == "three")
    _ = world.ask("distrust bob@example.org \(bob.identity.key.fingerprint)")
    _ = world.ask("send bob@example.org four")
    #expect(try bob.read(#require(world.messages.last)) == nil)
  }

  @Test("Devices that read one version alone get a stanza each, under one id")
  func bothVersions() throws {
    let phone = try EncryptedPeer("bob@example.org", 27_183)
    let laptop = try EncryptedPeer("bob@example.org", 31_415, .omemo2, seed: 9)
    let world = try EncryptedWorld([phone, laptop])
    _ = world.ask("send bob@example.org hello")
    #expect(world.messages.count == 2)
    #expect(try phone.read(#require(world.messages.first)) == "hello")
    #expect(try laptop.read(#require(world.messages.last)) == "hello")
    let ids = world.messages.map { ScriptedStream.value(of: "id", in: $0) }
    #expect(Set(ids).count == 1)
    #expect(try laptop.read(#require(world.messages.first)) == nil)
  }

  @Test("Of two stanzas under one id the one that is not for this device is no message", arguments: [true, false])
  func halves(isReadableFirst: Bool) throws {
    let phone = try EncryptedPeer("bob@example.org", 27_183)
    let laptop = try EncryptedPeer("bob@example.org", 31_415, .omemo2, seed: 9)
    let world = try EncryptedWorld([phone, laptop])
    try phone.begin(with: world.bundle(.legacy))
    try laptop.begin(with: world.bundle(.omemo2))
    let halves = [
      try phone.say("hello", to: world.device, id: "m1"), try laptop.say("hello", to: 12_345, id: "m1"),
    ]
    for half in isReadableFirst ? halves : halves.reversed() {
      world.harness.receive(half)
      world.serve()
    }
    #expect(world.texts() == ["hello"])
    #expect(world.objects().first?["encrypted"]?["error"] == nil)
  }

  @Test("A message that came damaged first is read when it comes whole")
  func damagedFirst() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    try bob.begin(with: world.bundle(.legacy))
    let whole = try bob.say("hello", to: world.device, id: "m1")
    let payload = try #require(whole.components("<payload>").last?.components("</payload>").first)
    world.harness.receive(whole.replacing(payload, with: "AAAA" + payload.dropFirst(4)))
    world.serve()
    #expect(world.objects().first?["encrypted"]?["error"]?.string == "damaged")
    for _ in 0..<2 {
      world.harness.receive(whole)
      world.serve()
      #expect(world.texts() == ["hello"])
    }
  }

  @Test("A correction goes and comes encrypted, and names its message", arguments: versions)
  func corrections(version: RatchetVersion) throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183, version)
    let world = try EncryptedWorld([bob])
    let id = try #require(world.ask("send bob@example.org helo").first?["id"]?.integer)
    #expect(try bob.read(#require(world.messages.last)) == "helo")
    _ = world.ask("send replace=\(id) bob@example.org hello")
    let change = try #require(world.messages.last)
    #expect(!change.contains("hello") && change.contains("message-correct:0") == (version == .legacy))
    #expect(try bob.read(change) == "hello")
    try bob.begin(with: world.bundle(version))
    world.harness.receive(try bob.say("one", to: world.device, id: "m1"))
    world.serve()
    guard version == .legacy else { return }
    let replace = "<replace xmlns='urn:xmpp:message-correct:0' id='m1'/>"
    world.harness.receive(try bob.say("two", to: world.device, id: "m2", more: replace))
    world.serve()
    #expect(world.texts() == ["hello", "two"])
  }

  @Test("Policies and wishes decide before anything is asked")
  func policies() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("encrypt bob@example.org never")
    _ = world.ask("send bob@example.org open")
    #expect(world.messages.last?.contains("<body>open</body>") == true)
    _ = world.ask("send encrypt=yes bob@example.org secret")
    #expect(try bob.read(#require(world.messages.last)) == "secret")
    _ = world.ask("encrypt bob@example.org always")
    let refused = world.ask("send encrypt=no bob@example.org open")
    #expect(refused.first?["error"]?.string == "not-allowed")
    #expect(world.ask("encrypt bob@example.org").first?["encrypt"]?.string == "always")
  }
}
