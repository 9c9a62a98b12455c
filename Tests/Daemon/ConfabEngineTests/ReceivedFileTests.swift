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

@Suite("Encrypted files that come")
struct ReceivedFileTests {
  private static let versions: [RatchetVersion] = [.legacy, .omemo2]
  private let files = EncryptedFileTests()

  private static let secret = "8c3d050e9386ec173861778f68e9af38a97aaf82faa4063b4d0878a61261534410c8a84331eaac851759f587"
  private static let key = FileKey(
    key: Array((Hex.decode(secret) ?? []).suffix(32)), nonce: Array((Hex.decode(secret) ?? []).prefix(12)))

  /// Bob's device says something, and it comes.
  private func come(_ bob: EncryptedPeer, _ world: EncryptedWorld, _ text: String, inside: String = "") throws {
    if bob.state == nil { try bob.begin(with: world.bundle(bob.version)) }
    world.harness.receive(try bob.say(text, to: world.device, id: "m1", inside: inside))
    world.serve()
  }

  private func shared(_ url: String, cipher: String = "256") -> String {
    "<file-sharing xmlns='urn:xmpp:sfs:0'><file xmlns='urn:xmpp:file:metadata:0'><media-type>image/gif</media-type>"
      + "<name>cat.gif</name><size>\(EncryptedFileTests.gif.count)</size></file><sources><encrypted xmlns='urn:xmpp:esfs:0' "
      + "cipher='urn:xmpp:ciphers:aes-\(cipher)-gcm-nopadding:0'><key>\(Base64.encode(Self.key.key))</key>"
      + "<iv>\(Base64.encode(Self.key.nonce))</iv><sources xmlns='urn:xmpp:sfs:0'><url-data "
      + "xmlns='http://jabber.org/protocol/url-data' target='\(url)'/></sources></encrypted></sources></file-sharing>"
  }

  @Test(
    "An address with a key is a file without a text, whose key nobody is told, and is fetched by it",
    arguments: versions)
  func came(version: RatchetVersion) throws {
    let bob = try files.peer(version)
    let world = try files.world([bob])
    let address = "aesgcm://files.example.org/x/cat%20one.gif#\(Self.secret)"
    if version == .legacy {
      try come(bob, world, address + "\ndata:image/jpeg,/9j/4AAQ")
    } else {
      try come(bob, world, "", inside: shared("https://files.example.org/x/cat%20one.gif"))
    }
    let message = try #require(world.objects().last)
    #expect(message["text"]?.string == "" && message["encrypted"]?["scheme"]?.string == "omemo")
    let file = try #require(files.newestFile(world))
    #expect(file["url"]?.string == "https://files.example.org/x/cat%20one.gif" && file["encrypted"]?.bool == true)
    #expect(file["name"]?.string == (version == .legacy ? "cat one.gif" : "cat.gif"))
    #expect(file["type"]?.string == "image/gif")
    let shown = "\(message)" + world.harness.journal.map { "\($0)" }.joined()
    #expect(!shown.contains(Self.secret.suffix(64)) && !shown.contains(Base64.encode(Self.key.key)))
    let client = world.harness.connect(902)
    _ = world.harness.ask(client, "fetch \(message["id"]?.integer ?? 0)")
    let request = try #require(world.harness.transfers.first?.request)
    #expect(request.key == Self.key && request.url == "https://files.example.org/x/cat%20one.gif")
    world.harness.transferred(.failed(TransferFailure(.file, "it cannot be decrypted")))
    #expect(world.harness.takeLines(client).first?["error"]?.string == "failed")
    #expect(world.harness.cache.isEmpty && world.harness.fetching.isEmpty)
    _ = world.harness.ask(client, "fetch \(message["id"]?.integer ?? 0)")
    world.harness.fetched(EncryptedFileTests.gif)
    let answer = try #require(world.harness.takeLines(client).first)
    #expect(answer["ok"]?.bool == true && answer["type"]?.string == "image/gif")
    #expect(files.newestFile(world)?["size"]?.integer == Int64(EncryptedFileTests.gif.count))
    // A message that names the same place, and has no key or another one, gets other bytes.
    #expect(world.harness.cache["https://files.example.org/x/cat%20one.gif"] == nil)
  }

  @Test("A text that is not exactly such an address stays a text")
  func texts() throws {
    let bob = try files.peer()
    let world = try files.world([bob])
    for text in [
      "aesgcm://files.example.org/x#\(Self.secret.dropLast(2))", "see aesgcm://files.example.org/x#\(Self.secret)",
      "http://files.example.org/x#\(Self.secret)", "aesgcm://files.example.org:99999/x#\(Self.secret)",
    ] {
      try come(bob, world, text)
      #expect(world.objects().last?["text"]?.string == text && files.newestFile(world) == nil)
    }
  }

  @Test("Outside of the encryption of the old version there are no files, and in plain such an address is a text")
  func outside() throws {
    let bob = try files.peer()
    let world = try files.world([bob])
    try bob.begin(with: world.bundle(.legacy))
    let more =
      shared("https://evil.example.org/x") + "<x xmlns='jabber:x:oob'><url>https://evil.example.org/y</url></x>"
    world.harness.receive(try bob.say("hello", to: world.device, id: "m1", more: more))
    world.serve()
    #expect(world.texts() == ["hello"] && files.newestFile(world) == nil)
    let address = "aesgcm://files.example.org/x#\(Self.secret)"
    world.harness.receive(
      "<message from='\(EncryptedFileTests.bob)/x' type='chat' id='m2'><body>\(address)</body></message>")
    world.serve()
    #expect(world.objects().last?["text"]?.string == address && files.newestFile(world) == nil)
  }

  @Test("A file that cannot be decrypted, or lies where all see what is fetched, is named and not fetched")
  func refused() throws {
    let bob = try files.peer(.omemo2)
    let world = try files.world([bob])
    for (inside, error) in [
      (shared("https://files.example.org/x", cipher: "128"), "failed"),
      (shared("http://files.example.org/x"), "not-allowed"), (shared("ftp://files.example.org/x"), "not-allowed"),
    ] {
      try come(bob, world, "", inside: inside)
      let id = world.objects().last?["id"]?.integer ?? 0
      #expect(files.newestFile(world)?["name"]?.string == "cat.gif")
      #expect(world.ask("fetch \(id)").last?["error"]?.string == error)
      #expect(world.harness.transfers.isEmpty)
    }
  }
}
