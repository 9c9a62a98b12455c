import Clocks
import ConfabAccounts
import JSON
import MessageLog
import ConfabConfiguration
import Testing

@Suite("what the journal is told")
struct PrivacyTests {
  private static let mark = "secret-mark"

  /// What people write and are called, wherever a stanza or a request has room for it.
  private func converse(_ harness: Harness) {
    let mark = Self.mark
    let client = harness.connect()
    for line in [
      "add name=\(mark) group=\(mark) bob@example.org", "send key=\(mark) bob@example.org \(mark)",
      "draft bob@example.org \(mark)", "presence away \(mark)", "read bob@example.org", "history bob@example.org",
      "send bob@example.org \(mark)\u{1}", "watch as=\(mark)", "ack as=\(mark) 0", "send \(mark) \(mark)",
    ] {
      harness.send(client, line + "\n")
    }
    let from = "from='bob@example.org/x'"
    for xml in [
      "<message \(from) type='chat' id='1'><subject>\(mark)</subject><body>\(mark)</body><thread>\(mark)</thread></message>",
      "<message \(from) type='error' id='2'><body>\(mark)</body><error type='cancel'><gone/></error></message>",
      "<message \(from) type='groupchat' id='3'><body>\(mark)</body></message>",
      "<message \(from) id='4'><x xmlns='\(mark)'>\(mark)</x></message>",
      "<presence \(from)><status>\(mark)</status></presence>",
      "<presence from='eve@example.org' type='subscribe'><status>\(mark)</status></presence>",
      "<iq type='set' id='5'><query xmlns='jabber:iq:roster'><item jid='b@example.org' name='\(mark)'/></query></iq>",
      "<iq \(from) type='get' id='6'><query xmlns='\(mark)'>\(mark)</query></iq>",
      // Over the limits, so that it is skipped.
      "<message \(from) id='7'><body>\(mark)\(String(repeating: mark, count: 200_000))</body></message>",
      "<message \(from) id='8'>" + String(repeating: "<\(mark)>", count: 200),
    ] {
      harness.receive(xml)
      harness.pass(.seconds(1))
    }
  }

  @Test("no text and no name of a contact, whatever happens")
  func nothingPrivate() throws {
    let harness = try Harness()
    converse(harness)
    harness.cut()
    harness.pass(.minutes(5))
    converse(harness)
    harness.syncsAtOnce = false
    harness.send(harness.connect(3), "send bob@example.org \(Self.mark)\n")
    harness.sync(failing: StorageError(.noSpace, "write: No space left on device", errno: 28))
    harness.syncsAtOnce = true
    harness.pass(.minutes(1))
    #expect(harness.told.count > 5)
    for line in harness.journal { #expect(!line.contains(Self.mark), "\(line)") }
    for fields in harness.journalFields { #expect(!"\(fields)".contains(Self.mark), "\(fields)") }
  }

  @Test("the fields say whom a line is about")
  func fields() throws {
    let harness = try Harness()
    #expect(harness.journalFields.contains(JournalFields(account: "home", jid: "alice@example.org")))
    harness.receive(
      "<message from='bob@example.org/x' id='big'><body>\(String(repeating: "x", count: 3_000_000))</body></message>")
    harness.pass(.seconds(1))
    #expect(
      harness.journalFields.contains(JournalFields(account: "home", jid: "bob@example.org/x", stanzaID: "big")))
    harness.syncsAtOnce = false
    harness.send(harness.connect(), "send bob@example.org x\n")
    harness.sync(failing: StorageError(.failed, "fdatasync: Input/output error", errno: 5))
    #expect(harness.journalFields.contains(JournalFields(errno: 5)))
  }
}
