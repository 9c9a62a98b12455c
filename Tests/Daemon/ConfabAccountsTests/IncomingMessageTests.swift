import Clocks
import Records
import TestSupport
import Testing
import XML
import XMPPCore
import XMPPExtensions

@testable import ConfabAccounts

@Suite("what a message is to us")
struct IncomingMessageTests {
  private static func element(_ xml: String) throws -> Element {
    let header = "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"
    var items: [StreamItem] = []
    StreamParser().feed(Array((header + xml).utf8), into: &items)
    for case .stanza(let element) in items { return element }
    throw TestFailure("no stanza: \(xml)")
  }

  private static let text = "<message from='bob@example.org/a' type='chat' id='m'><body>hello</body></message>"

  @Test("what comes live is a stanza that is counted by itself; what the archive has came within another one")
  func counting() throws {
    let own = try JID("alice@example.org/here")
    let recipient = IncomingMessage.Recipient(
      account: 1, own: own, bare: own.bare, archiveIDs: .trusted, isCounted: true)
    var senders = SenderCache()
    let now = Timestamp(milliseconds: 1_800_000_000_000)
    func decide(_ xml: String) throws -> IncomingMessage {
      .decide(try Self.element(xml), to: recipient, now: now, senders: &senders)
    }
    guard case .keep(let live, .live) = try decide(Self.text) else { throw TestFailure("it is not kept") }
    #expect(live.isCounted && !live.archived && live.peer == "bob@example.org/a")
    let copy =
      "<message from='alice@example.org'><result xmlns='urn:xmpp:mam:2' queryid='q' id='7'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>"
      + "<delay xmlns='urn:xmpp:delay' stamp='2026-01-02T03:04:05Z'/>"
      + Self.text.replacing("<message ", with: "<message xmlns='jabber:client' to='alice@example.org' ")
      + "</forwarded></result></message>"
    guard case .result(let result) = try decide(copy), let inner = result.copy else {
      throw TestFailure("it is no result")
    }
    let found = IncomingMessage.decide(inner, archiveID: result.id, to: recipient, now: now, senders: &senders)
    guard case .keep(let archived, .archive) = found else { throw TestFailure("it is not kept") }
    #expect(!archived.isCounted && archived.archived && archived.archiveID == "7" && archived.text == "hello")
  }
}
