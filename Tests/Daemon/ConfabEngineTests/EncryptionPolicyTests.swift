import Clocks
import ConfabConfiguration
import JSON
import Ratchet
import TestSupport
import Testing
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabEngine

/// The policies of encryption, and what must not go in plain text beside the message itself: quotations, corrections.
@Suite("Policies of encryption")
struct EncryptionPolicyTests {
  @Test("Somebody with too many devices is told so, also where the list is too long to be read")
  func tooManyDevices() throws {
    let world = try EncryptedWorld([try EncryptedPeer("bob@example.org", 27_183)])
    for count: UInt32 in [100, 10_000] {
      world.emptyDevices = ["bob@example.org": 1_000..<1_000 + count]
      world.harness.pass(.minutes(6))
      _ = world.ask("send bob@example.org to \(count)")
      #expect(world.objects().last?["failure"]?["condition"]?.string == "too-many-devices", "\(count)")
    }
  }

  @Test("A reply that leaves in plain text quotes nothing that was encrypted", arguments: [true, false])
  func plainReply(byPolicy: Bool) throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    try bob.begin(with: world.bundle(.legacy))
    world.harness.receive(try bob.say("a secret", to: world.device, id: "b1"))
    world.serve()
    let id = try #require(world.objects().last?["id"]?.integer)
    _ = world.ask("send reply=\(id) bob@example.org inside")
    #expect(try bob.read(#require(world.messages.last)) == "> a secret\ninside")
    if byPolicy { _ = world.ask("encrypt bob@example.org never") }
    _ = world.ask("send \(byPolicy ? "" : "encrypt=no ")reply=\(id) bob@example.org outside")
    let reply = try #require(world.objects().last { $0["text"]?.string == "inside" }?["id"]?.integer)
    let refusal = world.ask("send replace=\(reply) encrypt=no bob@example.org inside too").last
    #expect(refusal?["error"]?.string == "not-allowed")
    if byPolicy {
      _ = world.ask("send replace=\(reply) bob@example.org corrected")
      #expect(try !#require(world.messages.last).contains("secret"))
      _ = world.ask("send reply=\(id) bob@example.org outside")
    }
    let last = try #require(world.messages.last)
    #expect(last.contains("<body>outside</body>") && last.contains("urn:xmpp:reply:0") && !last.contains("secret"))
    #expect(world.objects().last?["reply"]?["id"]?.integer == id || world.objects().last?["reply_to"] != nil)
  }

  @Test("What is changed while it waits stays changed once it has left")
  func changedWhileWaiting() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org zero")
    _ = world.ask("disconnect")
    for text in ["one", "two", "three"] { _ = world.ask("send bob@example.org \(text)") }
    let ids = world.objects().suffix(3).map { $0["id"]?.integer ?? 0 }
    _ = world.ask("send replace=\(ids[0]) bob@example.org one corrected")
    _ = world.ask("retract \(ids[1])")
    _ = world.ask("react \(ids[2]) 👍")
    _ = world.ask("connect")
    world.harness.pass(.seconds(5))
    world.serve()
    #expect(world.texts() == ["zero", "one corrected", "", "three"])
    #expect(world.objects().last?["reactions"]?.array?.count == 1)
    #expect(world.objects().map { $0["encrypted"]?["version"] != nil } == [true, true, false, true])
    #expect(world.objects().map { $0["state"]?.string } == Array(repeating: "sent", count: 4))
    #expect(try world.messages.compactMap { try bob.read($0) }.suffix(4) == ["one", "two", "three", "one corrected"])
  }

  @Test("A message that left before says how the correction of it has left, which waited")
  func correctedOffline() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    _ = world.ask("send bob@example.org one")
    let id = try #require(world.objects().last?["id"]?.integer)
    _ = world.ask("disconnect")
    _ = world.ask("send replace=\(id) bob@example.org two")
    _ = world.ask("connect")
    world.harness.pass(.seconds(5))
    world.serve()
    #expect(world.texts() == ["two"] && world.objects().last?["encrypted"]?["version"]?.string == "0.3")
    #expect(try world.messages.compactMap { try bob.read($0) } == ["one", "two"])
  }

  @Test("A reply that leaves in plain text later than it was written quotes nothing of what is encrypted")
  func replyInPlainLater() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob])
    try bob.begin(with: world.bundle(.legacy))
    world.harness.receive(try bob.say("a secret", to: world.device, id: "b1"))
    world.serve()
    let id = try #require(world.objects().last?["id"]?.integer)
    _ = world.ask("disconnect")
    _ = world.ask("send reply=\(id) bob@example.org late")
    _ = world.ask("send encrypt=yes bob@example.org concealed")
    let hidden = try #require(world.objects().last?["id"]?.integer)
    _ = world.ask("send encrypt=no reply=\(hidden) bob@example.org open")
    _ = world.ask("encrypt bob@example.org never")
    _ = world.ask("connect")
    world.harness.pass(.seconds(5))
    world.serve()
    let plain = world.messages.filter { $0.contains("<body>late") || $0.contains("<body>open") }
    #expect(plain.count == 2, "\(world.messages)")
    #expect(!world.harness.toServer.contains("secret") && !world.harness.toServer.contains("concealed"))
  }

  @Test("Keys are made where one message has to be encrypted, though the account does without")
  func keysOnDemand() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob]) { $0.encryption = .never }
    _ = world.ask("send bob@example.org in plain")
    #expect(world.device == 0)
    _ = world.ask("send encrypt=yes bob@example.org inside")
    #expect(try bob.read(#require(world.messages.last)) == "inside")
  }

  @Test("An account that is set to encrypt makes its keys at once, and uses them")
  func reloaded() throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld([bob]) { $0.encryption = .never }
    world.harness.reload { $0.accounts[0].encryption = .auto }
    world.serve()
    #expect(world.device != 0 && !world.published.isEmpty)
    _ = world.ask("send bob@example.org inside")
    #expect(try bob.read(#require(world.messages.last)) == "inside")
    #expect(world.harness.toServer.components("<auth ").count == 2, "it logged in once")
  }

  @Test("What is forwarded by a socket that encrypts leaves encrypted, or fails", arguments: [true, false])
  func forwarded(hasDevice: Bool) throws {
    let bob = try EncryptedPeer("bob@example.org", 27_183)
    let world = try EncryptedWorld(hasDevice ? [bob] : [])
    world.harness.receive("<message from='carol@example.org/x' id='c1' type='chat'><body>news</body></message>")
    let id = try #require(world.objects("carol@example.org").last?["id"]?.integer)
    var socket = SocketSettings(name: "sealed", path: "/run/sealed")
    socket.encryption = .always
    world.harness.reload { $0.sockets.append(socket) }
    let client = world.harness.connect(77, Caller(socket: "sealed", user: 1000))
    let refused = world.harness.ask(client, "send encrypt=no bob@example.org news").last
    #expect(refused?["error"]?.string == "not-allowed")
    _ = world.harness.ask(client, "forward \(id) bob@example.org")
    world.serve()
    world.harness.pass(.minutes(2))
    world.serve()
    #expect(!world.messages.contains { $0.contains("news") })
    #expect(world.objects().last?["state"]?.string == (hasDevice ? "sent" : "failed"))
    if hasDevice { #expect(try bob.read(#require(world.messages.last))?.contains("news") == true) }
  }

  @Test("A conversation with one occupant is encrypted by no command")
  func privateMessages() throws {
    let room = "team@rooms.example.org"
    let world = try EncryptedWorld([], room: ScriptedRoom())
    _ = world.ask("join \(room)")
    world.harness.pass(.seconds(1))
    world.serve()
    #expect(world.ask("encrypt \(room)/bob always").last?["error"]?.string == "not-supported")
    #expect(world.ask("encrypt \(room)/bob").last?["active"]?.bool == false)
  }
}
