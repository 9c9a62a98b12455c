import Clocks
import ConfabAccounts
import JSON
import MessageLog
import State
import Testing

@Suite("presences that are not known")
struct UnknownPresenceTests {
  private static let blocking = "urn:xmpp:blocking"

  private func online() throws -> (Harness, ClientID) {
    var server = ScriptedStream()
    server.serverFeatures = [Self.blocking]
    server.roster = "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/></query>"
    let harness = try Harness(server: server)
    harness.pass(.milliseconds(50))
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=presence")
    harness.clearTrace()
    return (harness, client)
  }

  private func bob(_ harness: Harness) -> JSONValue? { harness.ask(harness.connect(9), "roster").first?["contact"] }

  private func receive(_ stanza: String, _ harness: Harness) {
    harness.receive(stanza)
    harness.pass(.milliseconds(50))
  }

  private func change(_ name: String, _ harness: Harness) {
    receive(
      "<iq type='set' id='p'><\(name) xmlns='\(Self.blocking)'><item jid='bob@example.org'/></\(name)></iq>", harness)
  }

  @Test("A contact that was unblocked is unknown until it says otherwise, and its presence is requested")
  func unblocked() throws {
    let (harness, client) = try online()
    #expect(bob(harness)?["presence_known"] == nil)
    change("block", harness)
    #expect(bob(harness)?["presence_known"]?.bool == false)
    #expect(!harness.toServer.contains("probe"))
    _ = harness.takeLines(client)
    change("unblock", harness)
    #expect(bob(harness)?["presence_known"]?.bool == false)
    #expect(harness.takeLines(client).last?["presence_known"]?.bool == false)
    #expect(harness.toServer.contains("<presence type='probe' to='bob@example.org'/>"))
    receive("<presence from='bob@example.org' type='unavailable'/>", harness)
    #expect(bob(harness)?["presence_known"] == nil)
    #expect(harness.takeLines(client).last?["presence_known"] == nil)
  }

  @Test("That a presence is unknown is in the log, for a start that resumes the stream")
  func durable() throws {
    let (harness, _) = try online()
    change("block", harness)
    change("unblock", harness)
    let uuid = try #require(LogUUID(random: Array(repeating: 7, count: 16)))
    let opened = try OpenState(harness.storage, of: uuid, gap: .hours(24))
    #expect(opened.state.accounts.all.first?.stream?.presences.isUnknown("bob@example.org") == true)
  }

  @Test(
    "An offline contact that types or writes is not offline: its presence is unknown, and nothing is made up",
    arguments: [
      "<message type='chat' from='bob@example.org/x'><composing xmlns='http://jabber.org/protocol/chatstates'/></message>",
      "<message type='chat' from='bob@example.org/x' id='1'><body>Hi</body></message>",
    ])
  func active(_ stanza: String) throws {
    let (harness, client) = try online()
    receive(stanza, harness)
    let contact = bob(harness)
    #expect(contact?["presence_known"]?.bool == false)
    #expect(contact?["presence"]?.array?.isEmpty == true)
    let events = harness.takeLines(client).filter { $0["event"]?.string == "presence" }
    #expect(events.map { $0["presence_known"]?.bool } == [false])
    receive("<presence from='bob@example.org/x' type='unavailable'/>", harness)
    #expect(bob(harness)?["presence_known"] == nil)
    receive(stanza.replacing("id='1'", with: "id='2'"), harness)
    #expect(bob(harness)?["presence_known"]?.bool == false)
  }

  @Test(
    "A message that waited, and one of the bare JID, say nothing of who is there now",
    arguments: [
      "<message type='chat' from='bob@example.org/x' id='1'><body>Hi</body>"
        + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2020-01-01T00:00:00Z'/></message>",
      "<message type='chat' from='bob@example.org' id='1'><body>Hi</body></message>",
    ])
  func late(_ stanza: String) throws {
    let (harness, _) = try online()
    receive(stanza, harness)
    #expect(bob(harness)?["presence_known"] == nil)
  }

  @Test("A presence that comes just before a message is not lost by it")
  func both() throws {
    let (harness, _) = try online()
    receive(
      "<presence from='bob@example.org/x'/><message type='chat' from='bob@example.org/x' id='1'><body>Hi</body></message>",
      harness)
    #expect(bob(harness)?["presence"]?.array?.count == 1)
    #expect(bob(harness)?["presence_known"] == nil)
  }

  @Test("An error presence of a contact's bare JID ends its resources")
  func error() throws {
    let (harness, _) = try online()
    receive("<presence from='bob@example.org/x'/><presence from='bob@example.org/y'/>", harness)
    #expect(bob(harness)?["presence"]?.array?.count == 2)
    receive("<presence from='bob@example.org/x' type='error'/>", harness)
    #expect(bob(harness)?["presence"]?.array?.count == 2)
    receive("<presence from='bob@example.org' type='error'/>", harness)
    #expect(bob(harness)?["presence"]?.array?.isEmpty == true)
    #expect(bob(harness)?["presence_known"]?.bool == false)
  }

  @Test("A block list of 10,000 long JIDs is read, and shown")
  func longList() throws {
    let (harness, client) = try online()
    let jids = (0..<10_001).map { "\(String(repeating: "x", count: 120))\($0)@spam.example" } + ["bob@example.org"]
    let items = jids.map { "<item jid='\($0)'/>" }.joined()
    harness.send(client, "blocked\n")
    let id = ScriptedStream.value(of: "id", in: harness.toServer.components("<iq").last ?? "") ?? ""
    harness.receive("<iq type='result' id='\(id)'><blocklist xmlns='\(Self.blocking)'>\(items)</blocklist></iq>")
    harness.pass(.milliseconds(50))
    let answer = harness.takeText(client)
    #expect(answer.components("{\"blocked\"").count == jids.count + 1)
    #expect(bob(harness)?["blocked"]?.bool == true)
    change("unblock", harness)
    #expect(bob(harness)?["blocked"] == nil)
  }
}
