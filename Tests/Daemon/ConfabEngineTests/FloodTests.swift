import Clocks
import State
import JSON
import MessageLog
import Records
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// Whatever comes without end: what it makes us hold, write and send is bounded, and the session lives.
@Suite("floods")
struct FloodTests {
  private func push(_ id: String, _ item: String) -> String {
    "<iq type='set' id='\(id)'><query xmlns='jabber:iq:roster' ver='v-\(id)'>\(item)</query></iq>"
  }

  private func contact(_ jid: String, name: String = "") -> String {
    "<item jid='\(jid)' name='\(name)' subscription='both'/>"
  }

  private func ping(_ id: String) -> String {
    "<iq type='get' id='\(id)' from='alice@example.org'><ping xmlns='urn:xmpp:ping'/></iq>"
  }

  private func isAlive(_ harness: Harness) -> Bool {
    harness.clearTrace()
    harness.receive(ping("alive"))
    return harness.toServer.contains("<iq type='result' id='alive'")
  }

  /// What the log holds.
  private func records(_ harness: Harness) throws -> [Record] {
    var records: [Record] = []
    var recovery = try Recovery(of: harness.storage, log: nil, mode: .readOnly)
    _ = try recovery.run { if let record = Record(reading: $0) { records.append(record) } }
    return records
  }

  @Test("requests are answered while the server takes the answers; while it does not, it is not read")
  func requests() throws {
    let harness = try Harness()
    let link = try #require(harness.link)
    harness.clearTrace()
    let requests = (0..<500).map { ping("q\($0)") }.joined()
    for _ in 0..<10 { harness.receive(requests) }
    #expect(harness.toServer.components("<iq type='result'").count == 5_001)
    #expect(harness.pausedLinks.isEmpty)
    harness.linksDrain = false
    harness.clearTrace()
    var rounds = 0
    while !harness.pausedLinks.contains(link), rounds < 1_000 {
      harness.receive(requests)
      rounds += 1
    }
    let held = harness.toServer.utf8.count
    #expect(held > LinkFlow.pauseAt)
    #expect(held < LinkFlow.pauseAt + 500 * 100, "one read more than the bound")
    harness.drainLink()
    #expect(harness.pausedLinks.isEmpty)
    #expect(isAlive(harness))
  }

  @Test("answers that wait for the disk are bounded as well")
  func pushes() throws {
    let harness = try Harness()
    let link = try #require(harness.link)
    harness.syncsAtOnce = false
    harness.receive(push("p", contact("bob@example.org")))
    let longest = String(repeating: "i", count: 1_000)
    var rounds = 0
    while !harness.pausedLinks.contains(link), rounds < 10_000 {
      harness.receive(push(longest, contact("bob@example.org")).replacing(" ver='v-\(longest)'", with: ""))
      rounds += 1
    }
    #expect((1_000..<1_100).contains(rounds))
    harness.syncsAtOnce = true
    harness.clearTrace()
    harness.pass(.milliseconds(100))
    harness.sync()
    #expect(harness.toServer.components("<iq type='result'").count == rounds + 2)
    #expect(harness.pausedLinks.isEmpty)
    #expect(isAlive(harness))
  }

  @Test("a roster without end is kept up to its bound; what is gone makes room; the version is not believed")
  func roster() throws {
    let harness = try Harness()
    let groups = (100..<300).map { "\($0)" + String(repeating: "n", count: 1_000) }
    func contact(_ jid: String) -> String {
      "<item jid='\(jid)' subscription='both'>" + groups.map { "<group>\($0)</group>" }.joined() + "</item>"
    }
    var kept = 0
    harness.clearTrace()
    for number in 0..<4_000 where !harness.toServer.contains("resource-constraint") {
      harness.receive(push("\(number)", contact("c\(number)@example.org")))
      kept = number
    }
    harness.pass(.seconds(1))
    var one = ContactRecord(account: 1, jid: "c1000@example.org")
    one.groups = groups
    #expect(abs(kept - RosterSync.mostBytes / one.footprint) < 20)
    let state = try #require(harness.engine.state.accounts[1])
    #expect(state.contacts.all.count == kept)
    #expect(state.contacts.rosterVersion == "v-\(kept - 1)")
    // The next session knows the bound too, and what goes makes room.
    harness.server.roster = ""
    harness.cut()
    harness.pass(.seconds(2))
    harness.clearTrace()
    harness.receive(push("again", contact("late@example.org")))
    #expect(harness.toServer.contains("resource-constraint"))
    harness.receive(push("gone", "<item jid='c1@example.org' subscription='remove'/>"))
    harness.clearTrace()
    harness.receive(push("again", contact("late@example.org")))
    harness.pass(.seconds(1))
    #expect(harness.toServer.contains("<iq type='result' id='again'"))
    #expect(isAlive(harness))
  }

  @Test("strangers' requests for our presence: 1,000 are kept, and the journal has ten lines about the others")
  func subscriptions() throws {
    let harness = try Harness()
    harness.receive((0..<5_000).map { "<presence type='subscribe' from='s\($0)@d\($0 % 50).example'/>" }.joined())
    harness.pass(.seconds(1))
    #expect(harness.engine.state.accounts[1]?.contacts.all.count == RosterSync.mostRequests)
    #expect(try records(harness).count { if case .contact = $0 { true } else { false } } == RosterSync.mostRequests)
    #expect(harness.journal.count { $0.contains("too many subscription requests") } == JournalGate.most)
    harness.pass(.minutes(2))
    harness.receive("<presence type='subscribe' from='late@example.org'/>")
    #expect(harness.journal.last?.contains("and 3990 lines like this before it") == true)
    #expect(isAlive(harness))
  }

  @Test("a million presences of strangers and of resources: none and some are kept, the session lives")
  func presences() throws {
    let harness = try Harness()
    harness.receive(push("p", contact("bob@example.org")))
    for start in stride(from: 0, to: 10_000, by: 500) {
      harness.receive((0..<500).map { "<presence from='s\(start + $0)@example.org/x'/>" }.joined())
    }
    harness.receive((0..<1_000).map { "<presence from='bob@example.org/r\($0)'/>" }.joined())
    harness.pass(.seconds(1))
    let account = try #require(harness.engine.accounts.all.first)
    #expect(account.presences.jids == ["bob@example.org"])
    #expect(account.presences.resources(of: "bob@example.org").count == PresenceBook.maximumResources)
    #expect(isAlive(harness))
  }

  @Test("payloads without a text: a stranger's are kept up to a bound, a contact's always")
  func payloads() throws {
    let harness = try Harness()
    harness.receive(push("p", contact("bob@example.org")))
    let payload = "<x xmlns='urn:x'>\(String(repeating: "x", count: 60_000))</x>"
    for sender in ["mallory@example.org/x", "bob@example.org/phone"] {
      for number in 0..<20 { harness.receive("<message from='\(sender)' id='\(number)'>\(payload)</message>") }
    }
    harness.pass(.seconds(1))
    func counts() throws -> [Int] {
      let records = try records(harness)
      return [
        records.count { if case .payload = $0 { true } else { false } },
        records.count { if case .refused = $0 { true } else { false } },
      ]
    }
    #expect(try counts() == [17 + 20, 3])
    harness.pass(.hours(1))
    harness.receive("<message from='mallory@example.org/x'>\(payload)</message>")
    harness.pass(.seconds(1))
    #expect(try counts() == [18 + 20, 3])
    #expect(isAlive(harness))
  }

  @Test("strangers' payloads beside a text are kept up to the same bound, their texts always")
  func payloadsBesideTexts() throws {
    let harness = try Harness()
    harness.receive(push("p", contact("bob@example.org")))
    let content = "<body>text</body><x xmlns='urn:x'>\(String(repeating: "x", count: 60_000))</x>"
    for sender in ["mallory@example.org/x", "bob@example.org/phone"] {
      for number in 0..<20 {
        harness.receive("<message from='\(sender)' type='chat' id='\(number)'>\(content)</message>")
      }
    }
    harness.pass(.seconds(1))
    let messages = try records(harness).compactMap { if case .message(let message) = $0 { message } else { nil } }
    #expect(messages.count == 40)
    #expect(messages.count { !$0.payloads.isEmpty } == 17 + 20)
  }

  @Test("a contact's presences are stored up to 64 KiB an hour, then without a status, then not at all")
  func statuses() throws {
    let harness = try Harness(server: .with(contacts: "bob@example.org"))
    harness.receive(push("p", contact("bob@example.org")))
    func say(_ number: Int) {
      let status = "\(1_000 + number)" + String(repeating: "x", count: 3_996)
      harness.receive("<presence from='bob@example.org/phone'><status>\(status)</status></presence>")
      harness.pass(.milliseconds(50))
    }
    for number in 0..<40 { say(number) }
    let presences = try records(harness).flatMap {
      if case .stream(let stream) = $0 { stream.presences } else { [PresenceRecord]() }
    }
    // 16 presences of 4,084 bytes, one without a status, and one stored as offline.
    #expect(presences.map(\.status.utf8.count) == Array(repeating: 4_000, count: 16) + [0, 0])
    #expect(presences.map { $0.show == nil } == Array(repeating: false, count: 17) + [true])
    harness.pass(.hours(1))
    say(40)
    let account = try #require(harness.engine.accounts.all.first)
    #expect(account.presences.resources(of: "bob@example.org").map { $0.status.prefix(4) } == ["1040"])
    #expect(isAlive(harness))
  }

  @Test("stanzas over a limit are recorded each and journalled a few times; all count for h")
  func refused() throws {
    let harness = try Harness()
    let deep = String(repeating: "<a>", count: 70) + String(repeating: "</a>", count: 70)
    let before = harness.journal.count
    for number in 0..<200 {
      harness.receive("<message from='mallory@example.org/x' id='\(number)'>\(deep)</message>")
    }
    harness.receive("<presence from='m@example.org/x'>\(deep)</presence><iq type='get'>\(deep)</iq>")
    harness.pass(.seconds(1))
    #expect(try records(harness).count { if case .refused = $0 { true } else { false } } == 202)
    #expect(harness.journal.count - before == JournalGate.most)
    harness.clearTrace()
    harness.receive("<r xmlns='urn:xmpp:sm:3'/>")
    // The roster's answer and the two about what the server can do are the first.
    #expect(harness.toServer == "<a xmlns='urn:xmpp:sm:3' h='205'/>")
    #expect(isAlive(harness))
  }

  @Test("errors for ids that nobody sent, and answers that nobody waits for, leave nothing behind")
  func answersToNothing() throws {
    let harness = try Harness()
    harness.pass(.seconds(1))
    let before = try records(harness).count
    harness.clearTrace()
    for number in 0..<1_000 {
      harness.receive(
        "<message type='error' id='\(number)' from='m\(number)@example.org'/><iq type='result' id='\(number)'/>"
          + "<iq type='error' id='\(number)' from='m@example.org'/><presence type='error' from='m\(number)@example.org'/>"
      )
    }
    harness.pass(.seconds(1))
    #expect(try records(harness).count == before)
    #expect(harness.toServer.isEmpty)
    #expect(isAlive(harness))
  }
}
