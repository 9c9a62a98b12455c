import Bytes
import Clocks
import HelperProtocol
import JSON
import Ratchet
import State
import TestSupport
import Testing
import XML
import XMPPExtensions
import XMPPStream

@testable import ConfabAccounts
@testable import ConfabEngine

@Suite("Encrypted files to people")
struct EncryptedFileTests {
  private static let versions: [RatchetVersion] = [.legacy, .omemo2]
  static let gif = AvatarTests.gif
  static let bob = "bob@example.org"

  func world(_ peers: [EncryptedPeer], on other: EncryptedWorld? = nil) throws -> EncryptedWorld {
    guard let other else { return try EncryptedWorld(peers) }
    return try EncryptedWorld(peers, on: other.harness.storage, now: other.harness.now, seed: 2)
  }

  func peer(_ version: RatchetVersion = .legacy) throws -> EncryptedPeer {
    try EncryptedPeer(Self.bob, 27_183, version)
  }

  /// Sends files, up to the request of the first slot.
  private func send(_ world: EncryptedWorld, _ words: String = "", _ files: [[UInt8]] = [gif]) -> JSONValue? {
    let harness = world.harness
    harness.clearTrace()
    let client = harness.connect(901)
    harness.send(client, "send-file \(words)\n", with: files)
    harness.pass(.milliseconds(50))
    FileSendingTests.answerDiscovery(harness)
    world.serve()
    return harness.takeLines(client).first
  }

  private func upload(_ world: EncryptedWorld, _ name: String = "a") -> TransferRequest? {
    FileSendingTests.answerSlot(world.harness, name)
    defer {
      world.harness.uploaded()
      world.serve()
    }
    return world.harness.transfers.first?.request
  }

  func newestFile(_ world: EncryptedWorld) -> JSONValue? {
    world.objects().last?["attachments"]?.array?.first
  }

  private func failure(_ world: EncryptedWorld) -> String? {
    world.objects().last?["failure"]?["condition"]?.string
  }

  @Test(
    "A file leaves encrypted, its slot says neither name nor type, and its key is inside alone", arguments: versions)
  func sent(version: RatchetVersion) throws {
    let bob = try peer(version)
    let world = try world([bob])
    #expect(send(world, "as=cat.gif \(Self.bob) look")?["ok"]?.bool == true)
    let slot = try #require(world.harness.toServer.components("<request ").last)
    #expect(slot.contains("size='\(Self.gif.count + 16)' content-type='application/octet-stream'"))
    #expect(!slot.contains("cat.gif") && !slot.contains("image"))
    let request = try #require(upload(world))
    let key = try #require(request.key)
    #expect(request.direction == .put(size: UInt64(Self.gif.count)) && !request.url.contains("#"))
    #expect(request.headers.last == TransferHeader(name: "Content-Type", value: "application/octet-stream"))
    let texts = try world.messages.map { try bob.read($0) }
    #expect(world.messages.allSatisfy { !$0.contains("up.example.org") && !$0.contains("cat.gif") })
    let whole = EncryptedFileAddress(url: "https://up.example.org/a", key: key)
    if version == .legacy {
      #expect(texts == [whole?.text, "look"])
      let ids = world.messages.map { ScriptedStream.value(of: "id", in: $0) ?? "" }
      #expect(ids.first == "\(ids.last ?? "").0")
      #expect(world.messages.map { $0.contains("urn:xmpp:receipts") } == [false, true])
    } else {
      #expect(texts == ["look"])
      let shared = try #require(bob.inside.first { $0.local == "file-sharing" })
      var writer = XMLWriter()
      writer.open("message", xmlns: "jabber:client")
      shared.write(into: &writer)
      writer.close()
      let found = try FileSharing.files(of: #require(Element.parse(writer.bytes)))
      #expect(found.first?.key == key && found.first?.url == whole?.url && found.first?.metadata.name == "cat.gif")
    }
    let message = try #require(world.objects().last)
    #expect(message["state"]?.string == "sent" && message["text"]?.string == "look")
    #expect(message["plain"]?.string == "look\nhttps://up.example.org/a")
    #expect(newestFile(world)?["url"]?.string == whole?.url && newestFile(world)?["encrypted"]?.bool == true)
    let shown = world.ask("history limit=100 \(Self.bob)").map { "\($0)" }.joined()
    #expect(!shown.contains(Hex.encode(key.key)))
    #expect(world.harness.cache.keys.contains { $0.hasSuffix(Hex.encode(key.nonce + key.key)) })
  }

  @Test("A retraction names each stanza that the message was")
  func retracted() throws {
    let bob = try peer()
    let world = try world([bob])
    _ = send(world, Self.bob, [Self.gif, [1, 2]])
    for name in ["a", "b"] { _ = upload(world, name) }
    let sent = world.messages.map { ScriptedStream.value(of: "id", in: $0) ?? "" }
    let id = try #require(world.objects().last?["id"]?.integer)
    _ = world.ask("retract \(id)")
    let named = world.messages.filter { $0.contains("<retract ") }
      .compactMap { $0.components("<retract ").last.flatMap { ScriptedStream.value(of: "id", in: " " + $0) } }
    #expect(sent.count == 2 && named == sent)
  }

  @Test("Several files are several stanzas to old devices, and one message here, whose state is that of the last one")
  func several() throws {
    let bob = try peer()
    let world = try world([bob])
    world.harness.servers[5223]?.acknowledges = false
    _ = send(world, Self.bob, [Self.gif, [1, 2], [3]])
    let keys = ["a", "b", "c"].map { upload(world, $0)?.key }
    #expect(Set(keys).count == 3 && !keys.contains(nil))
    let texts = try world.messages.map { try bob.read($0) ?? "" }
    #expect(texts.map { EncryptedFileAddress($0)?.key } == keys)
    #expect(world.objects().count == 1 && world.objects().last?["state"]?.string == "queued")
    let first = try #require(world.messages.first.flatMap { ScriptedStream.value(of: "id", in: $0) })
    // A receipt for a part says nothing of the others, and an error fails all.
    world.harness.receive(
      "<message from='\(Self.bob)/x' id='r'><received xmlns='urn:xmpp:receipts' id='\(first)'/></message>")
    #expect(world.objects().last?["state"]?.string == "queued")
    world.harness.receive(
      "<message from='\(Self.bob)' type='error' id='\(first)'><error type='cancel'><service-unavailable "
        + "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
    #expect(failure(world) == "service-unavailable")
  }

  @Test("Devices of both kinds get the stanzas of each, and a kill before the acknowledgement repeats the same bytes")
  func bothKinds() throws {
    let phone = try peer()
    let laptop = try EncryptedPeer(Self.bob, 31_415, .omemo2, seed: 9)
    let world = try world([phone, laptop])
    world.harness.servers[5223]?.acknowledges = false
    _ = send(world, "\(Self.bob) look")
    let key = upload(world)?.key
    #expect(try world.messages.map { try phone.read($0) }.map { $0 == nil } == [false, false, true])
    #expect(try world.messages.map { try laptop.read($0) } == [nil, nil, "look"])
    let sent = world.messages.map { $0.components("<encrypted ").last }
    let next = try self.world([phone, laptop], on: world)
    next.serve()
    let again = next.messages.map { $0.components("<encrypted ").last?.components("<delay").first }
    for element in sent {
      let payload = try #require(element?.components("</encrypted>").first)
      #expect(again.contains { $0?.contains(payload) == true })
    }
    #expect(newestFile(next)?["encrypted"]?.bool == true && key != nil)
  }

  @Test("The place of a message in several stanzas is that of its last one, when it goes again, too")
  func places() throws {
    let world = try world([try peer(), try EncryptedPeer(Self.bob, 31_415, .omemo2, seed: 9)])
    world.harness.servers[5223]?.acknowledges = false
    _ = world.ask("send \(Self.bob) one")
    _ = world.ask("send \(Self.bob) two")
    for _ in 0..<2 {
      let account = try #require(world.harness.engine.accounts.all.first)
      let last = account.parts.core.stream.counters.place
      #expect(account.state.outbox.entries.map(\.place) == [last - 2, last])
      world.harness.cut()
      world.harness.pass(.seconds(10))
      world.serve()
    }
  }

  @Test("A crash during an upload begins it with another key, and nothing goes in plain, though the devices are gone")
  func crash() throws {
    let bob = try peer()
    let world = try world([bob])
    _ = send(world, Self.bob)
    FileSendingTests.answerSlot(world.harness, "a")
    let first = try #require(world.harness.transfers.first?.request.key)
    let next = try self.world([], on: world)
    next.harness.spool = world.harness.spool
    next.serve()
    FileSendingTests.answerDiscovery(next.harness)
    let second = try #require(upload(next, "b")?.key)
    #expect(first.key != second.key && first.nonce != second.nonce)
    next.harness.pass(.minutes(6))
    next.serve()
    #expect(failure(next) == "no-devices" && next.messages.isEmpty)
  }

  @Test("No slot is asked for before the key is durable")
  func durable() throws {
    let bob = try peer()
    let world = try world([bob])
    _ = world.ask("send \(Self.bob) hello")
    world.harness.clearTrace()
    let client = world.harness.connect(901)
    world.harness.send(client, "send-file \(Self.bob)\n", with: [Self.gif])
    world.harness.pass(.milliseconds(50))
    world.harness.syncsAtOnce = false
    FileSendingTests.answerDiscovery(world.harness)
    world.harness.sync()
    #expect(!world.harness.toServer.contains("<request "))
    world.harness.sync()
    #expect(world.harness.toServer.contains("<request "))
    #expect(world.harness.transfers.isEmpty)
  }

  @Test("A file that was uploaded in plain does not go once the conversation has to be encrypted")
  func becameRequired() throws {
    let world = try world([])
    _ = send(world, "\(Self.bob) look")
    #expect(world.harness.toServer.contains("filename='file0'"))
    FileSendingTests.answerSlot(world.harness, "a")
    #expect(world.harness.transfers.first?.request.key == nil)
    _ = world.ask("encrypt \(Self.bob) always")
    world.harness.uploaded()
    world.serve()
    #expect(failure(world) == "policy-violation" && world.messages.isEmpty)
  }

  @Test("A file that was uploaded encrypted does not go in plain, whatever is set since")
  func becameNever() throws {
    let world = try world([try peer()])
    _ = send(world, "\(Self.bob) look")
    FileSendingTests.answerSlot(world.harness, "a")
    _ = world.ask("encrypt \(Self.bob) never")
    world.harness.uploaded()
    world.serve()
    #expect(failure(world) == "policy-violation" && world.messages.isEmpty)
  }

  @Test("Wishes decide: encrypt=no uploads in plain, and encrypt=yes waits for devices and fails without any")
  func wishes() throws {
    let world = try world([try peer()])
    _ = send(world, "encrypt=no \(Self.bob)")
    #expect(upload(world)?.key == nil)
    #expect(world.messages.last?.contains("<body>https://up.example.org/a</body>") == true)
    let other = try self.world([])
    _ = send(other, "encrypt=yes \(Self.bob)")
    #expect(failure(other) == "no-devices" && !other.harness.toServer.contains("<request "))
  }

  @Test("A copy of a part, as a carbon or out of the archive, is no message of its own")
  func copies() throws {
    let bob = try peer()
    let world = try world([bob])
    _ = send(world, "\(Self.bob) look")
    _ = upload(world)
    let part = try #require(world.messages.first)
    world.harness.receive(
      "<message from='alice@example.org'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
        + part.replacing("<message ", with: "<message from='alice@example.org/x' ") + "</forwarded></sent></message>")
    world.serve()
    #expect(world.objects().count == 1 && world.texts() == ["look"])
  }

  @Test("A reaction to a part is one to the message")
  func reaction() throws {
    let world = try world([try peer()])
    _ = send(world, "\(Self.bob) look")
    _ = upload(world)
    let id = try #require(world.messages.first.flatMap { ScriptedStream.value(of: "id", in: $0) })
    world.harness.receive(
      "<message from='\(Self.bob)/x' type='chat' id='r'><reactions xmlns='urn:xmpp:reactions:0' id='\(id)'>"
        + "<reaction>👍</reaction></reactions></message>")
    #expect(world.objects().last?["reactions"]?.array?.first?["emoji"]?.string == "👍")
  }

  @Test("A correction brings the text anew, and no file", arguments: versions)
  func correction(version: RatchetVersion) throws {
    let bob = try peer(version)
    let world = try world([bob])
    let id = try #require(send(world, "\(Self.bob) lok")?["id"]?.integer)
    _ = upload(world)
    for message in world.messages { _ = try bob.read(message) }
    world.harness.clearTrace()
    _ = world.ask("send replace=\(id) \(Self.bob) look")
    #expect(try world.messages.map { try bob.read($0) } == ["look"])
    #expect(world.texts() == ["look"] && newestFile(world)?["encrypted"]?.bool == true)
  }

  @Test("A forwarded file keeps its key inside: to old devices it is a stanza before the quotation, and never in plain")
  func forwarded() throws {
    let bob = try peer()
    let world = try world([bob])
    let id = try #require(send(world, "as=cat.gif \(Self.bob) look")?["id"]?.integer)
    let key = upload(world)?.key
    for message in world.messages { _ = try bob.read(message) }
    world.harness.clearTrace()
    _ = world.ask("forward \(id) \(Self.bob) see")
    let texts = try world.messages.map { try bob.read($0) ?? "" }
    #expect(texts.first.flatMap { EncryptedFileAddress($0)?.key } == key)
    #expect(texts.count == 2 && texts.last?.hasPrefix("see\n> alice@example.org") == true)
    #expect(texts.last?.hasSuffix("> look\n> cat.gif") == true)
    #expect(world.messages.allSatisfy { !$0.contains("cat.gif") })
    world.harness.clearTrace()
    _ = world.ask("encrypt carol@example.org never")
    _ = world.ask("forward \(id) carol@example.org")
    #expect(world.messages.isEmpty)
    let carols = world.objects("carol@example.org")
    #expect(carols.last?["failure"]?["condition"]?.string == "policy-violation")
  }
}
