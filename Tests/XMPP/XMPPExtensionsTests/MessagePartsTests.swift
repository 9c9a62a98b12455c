import Testing
import XML

@testable import XMPPExtensions

@Suite struct MessagePartsTests {
  private static let typing = "<composing xmlns='http://jabber.org/protocol/chatstates'/>"
  private static let marker = "<displayed xmlns='urn:xmpp:chat-markers:0' id='1'/>"
  private static let receipt = "<received xmlns='urn:xmpp:receipts' id='2'/>"
  private static let travel =
    "<thread>t</thread><stanza-id xmlns='urn:xmpp:sid:0'/><origin-id xmlns='urn:xmpp:sid:0'/>"
    + "<delay xmlns='urn:xmpp:delay'/><no-store xmlns='urn:xmpp:hints'/><no-permanent-store xmlns='urn:xmpp:hints'/>"

  private func parts(_ children: String) throws -> (message: Element, parts: MessageParts) {
    let message = try element("<message>\(children)</message>")
    return (message, MessageParts(of: message))
  }

  @Test("The first of each payload is found, and whether it is the only one")
  func places() throws {
    let (message, parts) = try parts("<x/><body>1</body><subject>s</subject><body>2</body>")
    #expect(parts[.body].map { message[$0].text } == "1" && parts.only(.body) == nil)
    #expect(parts.only(.subject).map { message[$0].text } == "s")
    #expect(!parts.has(.thread) && parts[.thread] == nil)
  }

  @Test("A message has more than its fields if a payload is unknown, has no field, or comes again")
  func unstored() throws {
    let fields =
      "<body/><subject/><error/><request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/>"
    #expect(
      try !parts(fields + "<thread/><delay xmlns='urn:xmpp:delay'/><delay xmlns='urn:xmpp:delay'/>").parts.hasUnstored)
    for more in ["<x/>", "<body/>", Self.typing, Self.receipt] { #expect(try parts(fields + more).parts.hasUnstored) }
  }

  @Test("A message that only says how it travelled has no content")
  func content() throws {
    #expect(try !parts("").parts.hasContent)
    #expect(try !parts(Self.travel + Self.typing).parts.hasContent)
    for content in ["<body/>", "<subject/>", "<x/>", Self.marker] {
      #expect(try parts(Self.travel + content).parts.hasContent)
    }
  }

  @Test("Each receipt and marker counts, and a state only by itself")
  func signals() throws {
    func signals(_ children: String) throws -> [MessageSignal] {
      let (message, parts) = try parts(children)
      return parts.signals(of: message)
    }
    #expect(try signals(Self.receipt + Self.marker + Self.typing) == [.delivered(id: "2"), .displayed(id: "1")])
    #expect(try signals(Self.receipt + "<x/>" + Self.receipt.replacing("2", with: "3")).count == 2)
    #expect(try signals(Self.receipt + Self.marker.replacing("1", with: "2")) == [.displayed(id: "2")])
    for (marker, signal) in [("received", MessageSignal.delivered(id: "4")), ("acknowledged", .displayed(id: "4"))] {
      #expect(try signals("<\(marker) xmlns='urn:xmpp:chat-markers:0' id='4'/>") == [signal])
    }
    #expect(try signals(Self.travel + Self.typing) == [.chatState(.composing)])
    #expect(try signals(Self.typing + "<x/>").isEmpty)
    #expect(try signals("<received xmlns='urn:xmpp:receipts'/>").isEmpty)
  }

  @Test("A message that brings another one is known by what brings it")
  func restricted() throws {
    for (name, payload) in [
      ("sent xmlns='urn:xmpp:carbons:2'", MessagePayload.carbon), ("received xmlns='urn:xmpp:carbons:2'", .carbon),
      ("result xmlns='urn:xmpp:mam:2'", .archiveResult),
    ] { #expect(try parts("<body>x</body><\(name)/>").parts.restricted == payload) }
    #expect(try parts("<sent/><received xmlns='urn:x'/>" + Self.marker).parts.restricted == nil)
  }
}
