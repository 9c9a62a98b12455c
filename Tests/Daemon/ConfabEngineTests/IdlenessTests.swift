import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import Testing

/// XEP-0319: contacts learn since when nobody has been there.
@Suite("Idleness")
struct IdlenessTests {
  private static func harness(_ policy: ReceiptPolicy = .contacts) throws -> Harness {
    var account = Harness.alice
    account.idleTime = policy
    var server = ScriptedStream()
    server.acknowledges = true
    let harness = try Harness(accounts: [account], server: server)
    harness.pass(.seconds(1))
    harness.clearTrace()
    return harness
  }

  /// What presences said since the last look: since when, or nothing.
  private static func presences(_ harness: Harness) -> [String] {
    defer { harness.clearTrace() }
    return harness.toServer.matches(of: /<presence.*?<\/presence>/).map { presence in
      presence.output.firstMatch(of: /<idle xmlns='urn:xmpp:idle:1' since='(.*?)'\/>/).map { String($0.output.1) } ?? ""
    }
  }

  @Test("Five minutes after the last front end has looked away a presence says so, and takes it back when one looks")
  func focus() throws {
    let harness = try Self.harness()
    let (one, two) = (harness.connect(), harness.connect(7))
    for client in [one, two] { _ = harness.ask(client, "focus bob@example.org") }
    _ = harness.ask(one, "focus")
    harness.pass(.minutes(10))
    #expect(Self.presences(harness).isEmpty)
    let since = harness.now.wall
    harness.handle(.client(two, .closed))
    harness.pass(.minutes(4))
    #expect(Self.presences(harness).isEmpty)
    harness.pass(.minutes(2))
    #expect(Self.presences(harness) == ["\(since)"])
    harness.pass(.minutes(20))
    #expect(Self.presences(harness).isEmpty)
    _ = harness.ask(one, "focus bob@example.org")
    harness.pass(.seconds(1))
    #expect(Self.presences(harness) == [""])
  }

  @Test(
    "Nothing is said where nobody ever looked, or the account wants nobody to know",
    arguments: [ReceiptPolicy.contacts, .nobody])
  func silence(policy: ReceiptPolicy) throws {
    let harness = try Self.harness(policy)
    let client = harness.connect()
    _ = harness.ask(client, policy == .nobody ? "focus bob@example.org" : "ping")
    harness.handle(.client(client, .closed))
    harness.pass(.minutes(10))
    #expect(Self.presences(harness).isEmpty)
  }

  @Test("What changed while the stream was broken is said when it goes on")
  func resumption() throws {
    var server = ScriptedStream()
    (server.acknowledges, server.resumption) = (true, "max='600'")
    let harness = try Harness(server: server)
    let client = harness.connect()
    _ = harness.ask(client, "focus bob@example.org")
    harness.pass(.seconds(1))
    harness.handle(.client(client, .closed))
    harness.pass(.milliseconds(299_900))
    harness.clearTrace()
    harness.cut()
    harness.pass(.minutes(1))
    #expect(harness.toServer.contains("<resume"))
    #expect(Self.presences(harness).count == 1)
  }

  @Test("Since when a contact has not been there stands in its presence, and is never in the future")
  func received() throws {
    let harness = try Harness(server: .with(contacts: "bob@example.org"))
    let client = harness.connect()
    _ = harness.ask(client, "watch kinds=presence")
    func presence(_ since: String) -> String {
      "<presence from='bob@example.org/phone'><idle xmlns='urn:xmpp:idle:1' since='\(since)'/></presence>"
    }
    for since in ["2020-01-02T03:04:05Z", "2099-01-01T00:00:00Z"] {
      harness.receive(presence(since))
      harness.pass(.milliseconds(50))
    }
    let times = harness.takeLines(client).compactMap { $0["idle_since"]?.string }
    #expect(times.first == "2020-01-02T03:04:05.000Z" && times.count == 2)
    #expect(try #require(times.last) < "2099")
  }
}
