import Clocks
import ConfabAccounts
import JSON
import Testing

@Suite("groups of contacts")
struct RosterGroupTests {
  private func online() throws -> (Harness, ClientID) {
    var server = ScriptedStream()
    server.roster =
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' name='Bob' subscription='both'>"
      + "<group>Friends</group><group>Work</group></item></query>"
    let harness = try Harness(server: server)
    harness.pass(.milliseconds(50))
    harness.clearTrace()
    return (harness, harness.connect())
  }

  /// Answers the last request, and forgets what was sent.
  private func answer(_ harness: Harness) {
    let id = ScriptedStream.value(of: "id", in: harness.toServer.components("<iq").last ?? "") ?? ""
    harness.clearTrace()
    harness.receive("<iq type='result' id='\(id)'/>")
    harness.pass(.milliseconds(50))
  }

  private func groups(_ harness: Harness, _ client: ClientID) -> [String?]? {
    harness.ask(client, "roster").first?["contact"]?["groups"]?.array?.map(\.string)
  }

  @Test("add group= adds a group and keeps the others and the name")
  func adds() throws {
    let (harness, client) = try online()
    harness.send(client, "add group=Chess bob@example.org\n")
    #expect(
      harness.toServer.contains(
        "<item jid='bob@example.org' name='Bob'><group>Friends</group><group>Work</group><group>Chess</group></item>"))
    answer(harness)
    #expect(harness.takeLines(client).last?["ok"]?.bool == true)
    #expect(groups(harness, client) == ["Friends", "Work", "Chess"])
  }

  @Test("remove group= takes away one group, and nothing else")
  func removes() throws {
    let (harness, client) = try online()
    harness.send(client, "remove group=Friends bob@example.org\n")
    #expect(harness.toServer.contains("<item jid='bob@example.org' name='Bob'><group>Work</group></item>"))
    answer(harness)
    #expect(harness.takeLines(client).last?["ok"]?.bool == true)
    #expect(groups(harness, client) == ["Work"])
    #expect(harness.ask(client, "remove group=Chess bob@example.org").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "remove group=Work carol@example.org").last?["error"]?.string == "not-found")
    #expect(!harness.toServer.contains("<iq"))
  }

  @Test("Changes of one contact go out one after another, each made of what the one before left")
  func pipelined() throws {
    let (harness, client) = try online()
    harness.send(client, "add group=Chess bob@example.org\nadd group=Go bob@example.org\nremove bob@example.org\n")
    #expect(!harness.toServer.contains("<group>Go</group>"))
    answer(harness)
    #expect(harness.toServer.contains("<group>Work</group><group>Chess</group><group>Go</group></item>"))
    #expect(!harness.toServer.contains("subscription='remove'"))
    answer(harness)
    #expect(harness.toServer.contains("<item jid='bob@example.org' subscription='remove'/>"))
    answer(harness)
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true, true, true])
    #expect(harness.ask(client, "roster").count == 1)
  }

  @Test("A push that comes before the answer to a set is not undone by it")
  func racing() throws {
    let (harness, client) = try online()
    harness.send(client, "add group=Chess bob@example.org\nadd group=Go bob@example.org\n")
    let set = harness.toServer
    harness.receive(
      "<iq type='set' id='p'><query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'>"
        + "<group>Elsewhere</group></item></query></iq>")
    harness.clearTrace()
    harness.receive("<iq type='result' id='\(ScriptedStream.value(of: "id", in: set) ?? "")'/>")
    #expect(
      harness.toServer.contains("<item jid='bob@example.org'><group>Elsewhere</group><group>Go</group></item>"),
      "\(harness.toServer)")
  }

  @Test("A change that waits for another one ends with the link")
  func cut() throws {
    let (harness, client) = try online()
    harness.send(client, "add group=Chess bob@example.org\nadd group=Go bob@example.org\n")
    harness.cut()
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["not-connected", "not-connected"])
  }
}
