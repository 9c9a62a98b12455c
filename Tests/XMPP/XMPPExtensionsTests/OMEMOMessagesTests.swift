import Bytes
import Ratchet
import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Messages encrypted by OMEMO")
struct OMEMOMessagesTests {
  private let own: JID
  private let other: JID

  init() throws { (own, other) = (try JID("alice@example.org/a"), try JID("bob@example.org")) }

  private func key(_ version: RatchetVersion, _ jid: JID, _ device: UInt32, _ bytes: [UInt8]) -> EncryptedContent.Key {
    .init(jid: version == .legacy ? nil : jid.bare, device: device, isKeyExchange: device % 2 == 1, bytes: bytes)
  }

  @Test("A device reads its own key of a message, and no other", arguments: RatchetVersion.allCases)
  func roundTrip(version: RatchetVersion) throws {
    let keys = [key(version, other, 2, [1]), key(version, own, 4, [2]), key(version, own, 7, [3])]
    let iv = version == .legacy ? [UInt8](1...12) : nil
    let content = EncryptedContent(version, sender: 99, keys: keys, iv: iv, payload: [9, 8])
    let xml = try written { content.write(into: &$0) }
    for (device, index) in [(4, 1), (7, 2)] as [(UInt32, Int)] {
      let read = try #require(EncryptedContent(xml, for: device, of: own))
      #expect(read.keys == [keys[index]] && read.sender == 99 && read.iv == iv && read.payload == [9, 8])
    }
    #expect(EncryptedContent(xml, for: 5, of: own)?.keys == [])
    // Legacy does not say whose device a key is for.
    #expect(EncryptedContent(xml, for: 2, of: own)?.keys.count == (version == .legacy ? 1 : 0))
  }

  @Test("A message without a payload moves ratchets alone", arguments: RatchetVersion.allCases)
  func empty(version: RatchetVersion) throws {
    let content = EncryptedContent(version, sender: 1, keys: [key(version, own, 4, [2])], payload: nil)
    let read = EncryptedContent(try written { content.write(into: &$0) }, for: 4, of: own)
    #expect(read == content && read?.payload == nil)
  }

  private func read(_ xml: String) throws -> EncryptedContent? {
    EncryptedContent(try element(xml), for: 4, of: own)
  }

  private let legacy = "<encrypted xmlns='eu.siacs.conversations.axolotl'>"
  private let omemo2 = "<encrypted xmlns='urn:xmpp:omemo:2'>"

  @Test("Of fifty keys for us four are read, and those that are none are not there")
  func manyKeys() throws {
    let fifty = (1...50).map { "<key rid='4'>\(Base64.encode([UInt8($0)]))</key>" }.joined()
    #expect(
      try read(legacy + "<header sid='1'>\(fifty)</header></encrypted>")?.keys.map(\.bytes) == [[1], [2], [3], [4]])
    let groups = "<keys jid='alice@example.org'>\(fifty)</keys>"
    #expect(try read(omemo2 + "<header sid='1'>\(groups)\(groups)</header></encrypted>")?.keys.count == 4)
    let long = Base64.encode([UInt8](repeating: 1, count: RatchetMessage.mostBytes + 1))
    let wrong = "<key rid='4'/><key rid='4'>*</key><key rid='4'>\(long)</key><key>AQ==</key><key rid='04x'>AQ==</key>"
    #expect(try read(legacy + "<header sid='1'>\(wrong)<key rid='4'>AQ==</key></header></encrypted>")?.keys.count == 1)
  }

  @Test("A key for a namesake device of another account is not ours")
  func accounts() throws {
    func header(_ jid: String) -> String { "<header sid='1'><keys\(jid)><key rid='4'>AQ==</key></keys></header>" }
    for (jid, count) in [
      (" jid='alice@example.org'", 1), (" jid='Alice@example.org'", 1), (" jid='alice@example.org/x'", 1),
      (" jid='bob@example.org'", 0), (" jid='@'", 0), ("", 0),
    ] {
      #expect(try read(omemo2 + header(jid) + "</encrypted>")?.keys.count == count, "\(jid)")
    }
  }

  @Test("A key exchange is one by its attribute, true or 1")
  func exchanges() throws {
    for (value, isExchange) in [("true", true), ("1", true), ("false", false), ("0", false), ("yes", false)] {
      let inLegacy = "<header sid='1'><key rid='4' prekey='\(value)'>AQ==</key></header></encrypted>"
      #expect(try read(legacy + inLegacy)?.keys.first?.isKeyExchange == isExchange)
      let key = "<keys jid='alice@example.org'><key rid='4' kex='\(value)'>AQ==</key></keys>"
      #expect(try read(omemo2 + "<header sid='1'>\(key)</header></encrypted>")?.keys.first?.isKeyExchange == isExchange)
    }
  }

  @Test("An element without a sender, or with a broken IV or payload, is none")
  func broken() throws {
    let iv = "<iv>\(Base64.encode([UInt8](1...16)))</iv>"
    #expect(try read(legacy + "<header sid='1'>\(iv)</header><payload>AQ==</payload></encrypted>")?.iv?.count == 16)
    for wrong in [
      legacy + "</encrypted>", legacy + "<header>\(iv)</header></encrypted>", legacy + "<header sid='0'/></encrypted>",
      legacy + "<header sid='2147483648'/></encrypted>",
      legacy + "<header sid='1'/><payload>AQ==</payload></encrypted>",
      legacy + "<header sid='1'><iv>*</iv></header><payload>AQ==</payload></encrypted>",
      legacy + "<header sid='1'>\(iv)</header><payload>A</payload></encrypted>",
      omemo2 + "<header sid='1'/><payload>A</payload></encrypted>",
      "<encrypted xmlns='urn:xmpp:omemo:1'><header sid='1'/></encrypted>",
      "<other xmlns='urn:xmpp:omemo:2'><header sid='1'/></other>",
    ] {
      #expect(try read(wrong) == nil, "\(wrong)")
    }
  }

  @Test("A message from ratchets to text, as both sides write and read it", arguments: RatchetVersion.allCases)
  func whole(version: RatchetVersion) throws {
    let (sender, receiver) = (try OMEMOKeys.identity(21), try OMEMOKeys.identity())
    let bundle = try #require(try OMEMOKeys.bundle(version).peerBundle(preKey: 0))
    let session = try RatchetSession(with: bundle, version, as: sender, random: OMEMOKeys.random(22))
    let text = Array("Hello".utf8)
    let (secret, iv, payload): ([UInt8], [UInt8]?, [UInt8]?)
    if version == .legacy {
      let sealed = try LegacyPayload(sealing: text, random: OMEMOKeys.random(23))
      (secret, iv, payload) = (sealed.secret, sealed.iv, sealed.bytes)
    } else {
      let sealed = try EnvelopePayload(sealing: text, random: OMEMOKeys.random(23))
      (secret, iv, payload) = (sealed.secret, nil, sealed.bytes)
    }
    let step = try session.encrypt(secret)
    let key = EncryptedContent.Key(
      jid: version == .legacy ? nil : own.bare, device: 4, isKeyExchange: step.isKeyExchange, bytes: step.bytes)
    let content = EncryptedContent(version, sender: 3, keys: [key], iv: iv, payload: payload)
    let read = try #require(EncryptedContent(try written { content.write(into: &$0) }, for: 4, of: own))
    let message = try RatchetMessage(
      read.keys[0].bytes, isKeyExchange: read.keys[0].isKeyExchange, read.version)
    let signed = try SignedPreKey(id: 9, by: receiver, random: OMEMOKeys.random(2))
    let preKey = try PreKey(id: 1, random: OMEMOKeys.random(3))
    let keys = RatchetSession.OwnKeys(receiver, preKey: { $0 == 1 ? preKey : nil }, signedPreKey: { _ in signed })
    let decrypted = try RatchetSession.decrypt(message, with: nil, keys, random: OMEMOKeys.random(24)).secret
    let bytes = try #require(read.payload)
    #expect(
      (version == .legacy
        ? LegacyPayload.open(bytes, secret: decrypted, iv: read.iv ?? [])
        : EnvelopePayload.open(bytes, secret: decrypted)) == text)
  }
}
