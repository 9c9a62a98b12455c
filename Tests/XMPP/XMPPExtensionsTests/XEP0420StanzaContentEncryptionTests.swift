import Clocks
import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Envelopes")
struct XEP0420StanzaContentEncryptionTests {
  private let alice: JID
  private let bob: JID

  init() throws { (alice, bob) = (try JID("alice@example.org/a"), try JID("bob@example.org/b")) }

  private func read(_ inside: String, affixes: String = "") -> ContentEnvelope? {
    ContentEnvelope(
      Array("<envelope xmlns='urn:xmpp:sce:1'><content>\(inside)</content>\(affixes)</envelope>".utf8))
  }

  private let body = "<body xmlns='jabber:client'>Hello</body>"

  @Test("An envelope is read as it was written")
  func roundTrip() throws {
    let time = try #require(Timestamp(rfc3339: "2026-11-28T10:00:00Z"))
    let bytes = ContentEnvelope.write(from: alice, to: bob, time: time, padding: "xyz") {
      $0.element("body", xmlns: Namespace.client, text: "Hello & <you>")
    }
    let envelope = try #require(ContentEnvelope(bytes))
    #expect(envelope.content.map(\.text) == ["Hello & <you>"] && envelope.content[0].isNamed("body", Namespace.client))
    #expect(envelope.from == alice.bare && envelope.to == bob.bare && envelope.time == time)
  }

  @Test("An envelope belongs to the stanza whose addresses it names")
  func addresses() throws {
    let both = try #require(read(body, affixes: "<from jid='alice@example.org'/><to jid='bob@example.org'/>"))
    #expect(both.belongs(from: alice, to: bob, isInRoom: false) && both.belongs(from: alice, to: bob, isInRoom: true))
    #expect(!both.belongs(from: bob, to: bob, isInRoom: false))
    #expect(!both.belongs(from: alice, to: alice, isInRoom: false))
    let from = try #require(read(body, affixes: "<from jid='Alice@example.org/x'/>"))
    #expect(from.belongs(from: alice, to: bob, isInRoom: false) && !from.belongs(from: alice, to: bob, isInRoom: true))
    let none = try #require(read(body))
    #expect(none.belongs(from: alice, to: bob, isInRoom: false) && !none.belongs(from: alice, to: bob, isInRoom: true))
  }

  @Test("An affix that is there twice, or has no value, makes the envelope none")
  func affixes() {
    for wrong in [
      "<from jid='a@b'/><from jid='a@b'/>", "<from/>", "<from jid='@'/>", "<to jid=''/>", "<to jid='a@b'/><to/>",
      "<time/>", "<time stamp='now'/>",
    ] {
      #expect(read(body, affixes: wrong) == nil, "\(wrong)")
    }
    #expect(read(body, affixes: "<rpad>\(String(repeating: "x", count: 100_000))</rpad><rpad/>") != nil)
    #expect(read(body, affixes: "<unknown xmlns='urn:x'/>") != nil)
  }

  @Test(
    "Elements for servers count outside alone",
    arguments: [
      "<store xmlns='urn:xmpp:hints'/>", "<stanza-id xmlns='urn:xmpp:sid:0' id='1' by='a@b'/>",
      "<origin-id xmlns='urn:xmpp:sid:0' id='1'/>", "<addresses xmlns='http://jabber.org/protocol/address'/>",
      "<encryption xmlns='urn:xmpp:eme:0'/>", "<delay xmlns='urn:xmpp:delay' stamp='2026-01-01T00:00:00Z'/>",
      "<sent xmlns='urn:xmpp:carbons:2'/>", "<result xmlns='urn:xmpp:mam:2'/>",
      "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='1'/>", "<x xmlns='http://jabber.org/protocol/muc#user'/>",
      "<event xmlns='http://jabber.org/protocol/pubsub#event'/>", "<error xmlns='jabber:client' type='cancel'/>",
      "<encrypted xmlns='urn:xmpp:omemo:2'/>", "<encrypted xmlns='eu.siacs.conversations.axolotl'/>",
      "<envelope xmlns='urn:xmpp:sce:1'/>",
    ])
  func forbidden(xml: String) throws {
    let envelope = try #require(read(xml + body + xml))
    #expect(envelope.content.map(\.local) == ["body"])
    if !xml.hasPrefix("<envelope") { #expect(ContentEnvelope.isServerProcessed(try element(xml))) }
  }

  @Test(
    "Elements that say something of the text count inside alone",
    arguments: [
      "<body xmlns='jabber:client'/>", "<replace xmlns='urn:xmpp:message-correct:0'/>",
      "<reactions xmlns='urn:xmpp:reactions:0'/>", "<received xmlns='urn:xmpp:receipts'/>",
      "<x xmlns='jabber:x:oob'/>", "<composing xmlns='http://jabber.org/protocol/chatstates'/>",
    ])
  func sensitive(xml: String) throws { #expect(!ContentEnvelope.isServerProcessed(try element(xml))) }

  @Test("Two texts are of two languages")
  func twoTexts() {
    #expect(read(body + body) == nil)
    #expect(read(body + "<body xmlns='jabber:client' xml:lang='de'>Hallo</body>")?.content.count == 2)
  }

  @Test(
    "Bytes that are no envelope are refused",
    arguments: [
      "", "Hello", "<envelope/>", "<envelope xmlns='urn:xmpp:sce:0'><content/></envelope>",
      "<envelope xmlns='urn:xmpp:sce:1'/>", "<envelope xmlns='urn:xmpp:sce:1'><content/><content/></envelope>",
      "<envelope xmlns='urn:xmpp:sce:1'><content></envelope>",
      "<envelope xmlns='urn:xmpp:sce:1'><content/></envelope><envelope xmlns='urn:xmpp:sce:1'><content/></envelope>",
      "<!DOCTYPE x [<!ENTITY a 'b'>]><envelope xmlns='urn:xmpp:sce:1'><content>&a;</content></envelope>",
      "<envelope xmlns='urn:xmpp:sce:1'><content>&a;</content></envelope>",
      "<?x y?><envelope xmlns='urn:xmpp:sce:1'><content/></envelope>",
      "</stream><envelope xmlns='urn:xmpp:sce:1'><content/></envelope>",
    ])
  func invalid(text: String) { #expect(ContentEnvelope(Array(text.utf8)) == nil) }

  @Test("Padding hides how long a short text is, and is of a length by chance")
  func padding() {
    func padding(_ count: Int, _ chance: UInt8) -> Int {
      ContentEnvelope.padding(forContentOf: count, random: { Array(repeating: chance, count: $0) }).utf8.count
    }
    #expect(padding(0, 0) == 256 && padding(200, 0) == 56 && padding(1_000, 0) == 0)
    #expect(padding(0, 1) == 256 + 257 % 201 && padding(1_000, 255) == 65_535 % 201)
    #expect(ContentEnvelope.padding(forContentOf: 5, random: { _ in [] }).isEmpty)
  }
}
