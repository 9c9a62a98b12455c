import Clocks
import JSON
import Records
import ConfabConfiguration
import TestSupport
import Testing
import XMPPCore

@testable import ConfabAccounts
@testable import ConfabEngine
@testable import SocketClients

/// Servers prepare addresses by nodeprep (RFC 6122), which spells some in another way than PRECIS.
@Suite("addresses that servers spell in another way")
struct ServerSpellingTests {
  private static let typed = "Stra\u{DF}e@example.org"
  private static let precise = "stra\u{DF}e@example.org"
  private static let spelled = "strasse@example.org"

  private func account(_ jid: String) -> AccountSettings {
    var settings = Harness.alice
    settings.jid = jid
    return settings
  }

  private func carbon(from own: String, _ text: String) -> String {
    "<message from='\(own)' to='\(own)/confab' type='chat'><sent xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='\(own)/phone' "
      + "to='bob@example.org' id='\(text)' type='chat'><body>\(text)</body></message></forwarded></sent></message>"
  }

  private func texts(_ harness: Harness, _ jid: String) -> [String] {
    harness.ask(harness.connect(9), "history \(jid)").compactMap { $0["message"]?["text"]?.string }
  }

  @Test(
    "an account gets online as either, and what comes from its own address in that spelling is its own",
    arguments: [spelled, precise])
  func ownAccount(bound: String) throws {
    let harness = try Harness(accounts: [account(Self.typed)], server: ScriptedStream(of: bound))
    let client = harness.connect()
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "online")
    #expect(harness.ask(client, "status").first?["account"]?["jid"]?.string == Self.spelled)
    harness.receive(carbon(from: bound, "elsewhere"))
    harness.receive(
      "<iq type='set' id='push' from='\(bound)'><query xmlns='jabber:iq:roster'><item jid='eve@example.org' "
        + "subscription='both'/></query></iq>")
    harness.pass(.seconds(1))
    let message = harness.ask(client, "history bob@example.org").first?["message"]
    #expect(message?["text"]?.string == "elsewhere" && message?["mine"]?.bool == true)
    #expect(harness.ask(client, "roster").first?["contact"]?["jid"]?.string == "eve@example.org")
  }

  @Test("an account of a symbol, which servers register, gets online")
  func symbol() throws {
    let jid = "a\u{2605}b@example.org"
    let harness = try Harness(accounts: [account(jid)], server: ScriptedStream(of: jid))
    #expect(harness.ask(harness.connect(), "status").first?["account"]?["state"]?.string == "online")
  }

  @Test("an account of another spelling in the log goes on with all that it had")
  func oldAccount() throws {
    let before = try Harness()
    before.engine.storage.appendUrgently(.account(AccountRecord(number: 5, name: "street", jid: Self.precise)))
    before.pass(.seconds(1))
    before.handle(.stop(.terminate))
    var settings = account(Self.typed)
    settings.name = "street"
    for _ in 1...2 {
      let harness = try Harness(
        on: before.storage, accounts: [settings], server: ScriptedStream(of: Self.spelled), now: before.now)
      #expect(harness.engine.accounts.all.map(\.number) == [5])
      #expect(harness.ask(harness.connect(), "status").first?["account"]?["state"]?.string == "online")
      harness.receive(carbon(from: Self.spelled, "elsewhere"))
      harness.pass(.seconds(1))
      #expect(texts(harness, "bob@example.org") == ["elsewhere"])
      harness.handle(.stop(.terminate))
      before.storage.change { $0.files = [:] }
    }
  }

  @Test("a contact who is typed in any is written to in the server's, and what comes back is in that conversation")
  func contact() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "send \(Self.typed) hello").last?["ok"]?.bool == true)
    #expect(harness.toServer.contains("to='\(Self.spelled)'"))
    harness.receive("<message from='\(Self.spelled)/x' type='chat' id='1'><body>back</body></message>")
    harness.receive("<presence from='\(Self.spelled)' type='subscribe'/>")
    harness.pass(.seconds(1))
    for jid in [Self.typed, Self.precise, Self.spelled] { #expect(texts(harness, jid) == ["hello", "back"]) }
    #expect(harness.ask(client, "accept \(Self.typed)").last?["ok"]?.bool == true)
  }

  @Test("a conversation of another spelling in the log goes on, and its receipts count; the roster is the server's")
  func oldConversation() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.receive("<message from='\(Self.precise)/x' type='chat' id='1'><body>before</body></message>")
    harness.pass(.seconds(1))
    harness.clearTrace()
    #expect(harness.ask(client, "send STRA\u{DF}E@example.org after").last?["ok"]?.bool == true)
    #expect(harness.toServer.contains("to='\(Self.precise)'"))
    let stanza = ScriptedStream.value(of: "id", in: harness.toServer.components("<message").last ?? "") ?? ""
    harness.receive(
      "<message from='\(Self.spelled)/x' type='chat'><received xmlns='urn:xmpp:receipts' id='\(stanza)'/></message>")
    harness.receive("<presence from='\(Self.spelled)' type='subscribe'/>")
    harness.pass(.seconds(1))
    let messages = harness.ask(client, "history \(Self.precise)").compactMap { $0["message"] }
    #expect(messages.map { $0["text"]?.string } == ["before", "after"])
    #expect(messages.last?["state"]?.string == "delivered")
    #expect(harness.ask(client, "accept \(Self.precise)").last?["ok"]?.bool == true)
  }

  @Test("a socket that may write to one may write to it in each of them, and to no other")
  func recipients() throws {
    var settings = SocketSettings()
    settings.recipients = [Self.typed]
    let socket = ServedSocket(settings)
    for jid in [Self.precise, Self.spelled] {
      #expect(throws: Never.self) { try socket.check(recipient: JID(jid)) }
    }
    #expect(throws: (any Error).self) { try socket.check(recipient: JID("strase@example.org")) }
  }
}
