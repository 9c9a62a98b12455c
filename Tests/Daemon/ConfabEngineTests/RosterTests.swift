import Clocks
import ConfabAccounts
import JSON
import TestSupport
import Testing

@Suite("contacts and presence")
struct RosterTests {
  @Test("presence is announced as the user wishes it, and stays so")
  func presence() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.clearTrace()
    #expect(harness.ask(client, "presence away gone  fishing").first?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<show>away</show><status>gone  fishing</status>"))
    let restarted = try Harness(on: harness.storage)
    #expect(restarted.toServer.contains("<show>away</show><status>gone  fishing</status>"))
    _ = restarted.ask(restarted.connect(), "presence available")
    #expect(restarted.toServer.components("<presence").last?.contains("<show>") == false)
  }

  /// Sends the answer with a roster of `count` contacts, in pieces as over a link.
  private func give(_ count: Int, to harness: Harness, name: String = "") {
    var text = harness.server.lateRoster.components("<query").first ?? ""
    text += "<query xmlns='jabber:iq:roster' ver='v1'>"
    for number in 0..<count {
      text += "<item jid='contact-\(number)@example.org' name='Contact \(number)\(name)' subscription='both'/>"
      guard text.utf8.count > 60_000 || number == count - 1 else { continue }
      harness.receive(number == count - 1 ? text + "</query></iq>" : text)
      harness.pass(.milliseconds(20))
      text = ""
    }
  }

  private func online(on storage: MemoryStorage = MemoryStorage()) throws -> Harness {
    var server = ScriptedStream()
    (server.isRosterLate, server.acknowledges) = (true, true)
    return try Harness(on: storage, server: server)
  }

  private func account(_ harness: Harness) -> JSONValue? { harness.ask(harness.connect(9), "status").first?["account"] }

  @Test("a roster of 100,000 contacts is taken whole; a larger one is cut there, and status says so")
  func large() throws {
    let harness = try online()
    give(100_000, to: harness)
    #expect(account(harness)?["roster"] == nil)
    harness.send(harness.connect(), "roster\n")
    #expect(harness.takeText(ClientID(1)).utf8.count { $0 == 0x0A } == 100_001)
    let restarted = try online(on: harness.storage)
    give(100_001, to: restarted, name: "!")
    #expect(account(restarted)?["roster"]?.string?.contains("100,000") == true)
    restarted.send(restarted.connect(), "roster\n")
    #expect(restarted.takeText(ClientID(1)).utf8.count { $0 == 0x0A } == 100_001)
  }

  @Test("a roster of more than 16 MiB is skipped, status says so, and the stream goes on")
  func tooLarge() throws {
    let harness = try online()
    give(10, to: harness, name: String(repeating: "x", count: 2 << 20))
    let account = account(harness)
    #expect(account?["state"]?.string == "online")
    #expect(account?["roster"]?.string?.contains("is incomplete") == true)
    harness.pass(.minutes(2))
    #expect(harness.connects == 1)
  }

  @Test("a roster that takes minutes is awaited, and a roster cut off by a lost link is requested again")
  func slow() throws {
    let harness = try online()
    let start = harness.server.lateRoster.components("<query").first ?? ""
    harness.receive(start + "<query xmlns='jabber:iq:roster' ver='v1'>")
    for number in 0..<10 {
      harness.receive("<item jid='contact-\(number)@example.org' subscription='both'/>")
      harness.pass(.seconds(25))
    }
    #expect(harness.connects == 1)
    harness.cut()
    harness.pass(.seconds(2))
    harness.clearTrace()
    give(5, to: harness)
    #expect(harness.ask(harness.connect(), "roster").count == 6)
  }
}
