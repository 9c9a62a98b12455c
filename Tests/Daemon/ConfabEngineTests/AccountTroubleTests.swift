import Clocks
import ConfabEngine
import JSON
import ConfabConfiguration
import Testing

@Suite("one account's trouble is not another's")
struct AccountTroubleTests {
  /// What can befall the others.
  enum Trouble: CaseIterable { case none, refused, flooding, dead, all }

  static func account(_ name: String, _ jid: String, _ port: UInt16) -> AccountSettings {
    var settings = Harness.alice
    (settings.name, settings.jid) = (name, jid)
    settings.server = HostPort(host: "127.0.0.1", port: port)
    return settings
  }

  static let accounts = [
    Harness.alice, account("refused", "ann@work.example", 5224), account("flooding", "eve@third.example", 5225),
    account("dead", "dan@fourth.example", 5226),
  ]

  private func befall(_ trouble: Trouble, _ harness: Harness) {
    if [.refused, .all].contains(trouble) {
      harness.receive(Hostile.streamError("conflict"), port: 5224)
      harness.pass(.seconds(1))
      harness.receive(Hostile.streamError("conflict"), port: 5224)
      #expect(harness.link(port: 5224) == nil)
    }
    if [.flooding, .all].contains(trouble) {
      for number in 0..<500 {
        let body = "<body>\(String(repeating: "x", count: 2_000))</body>"
        harness.receive("<message from='m@x/y' type='chat' id='\(number)'>\(body)</message>", port: 5225)
      }
    }
    if [.dead, .all].contains(trouble) {
      harness.silence(port: 5226)
      harness.send(harness.connect(50), "send account=dead bob@example.org x\n")
      harness.pass(.seconds(29))
    }
  }

  @Test("a message of the good account goes the same way at once, whatever the others go through")
  func unaffected() throws {
    var ways: [[Harness.Trace]] = []
    for trouble in Trouble.allCases {
      let harness = try Harness(accounts: Self.accounts)
      let client = harness.connect()
      befall(trouble, harness)
      harness.clearTrace()
      let before = harness.now
      harness.send(client, "send account=home bob@example.org hello\n")
      #expect(harness.now == before)
      // Ids are as long, and differ.
      ways.append(harness.trace.map { $0.withoutText })
      let states = harness.ask(client, "status").compactMap { $0["account"]?["state"]?.string }
      #expect(states.first == "online")
    }
    #expect(ways.allSatisfy { $0 == ways.first })
  }

  @Test("whoever floods is not read until the disk has it; the others are")
  func flood() throws {
    let harness = try Harness(accounts: Self.accounts)
    harness.syncsAtOnce = false
    befall(.flooding, harness)
    befall(.flooding, harness)
    #expect(harness.pausedLinks == [try #require(harness.link(port: 5225))])
    harness.receive("<message from='bob@example.org/x' type='chat' id='1'><body>hi</body></message>")
    #expect(harness.pausedLinks.count == 1)
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(1))
    #expect(harness.pausedLinks.isEmpty)
    #expect(harness.ask(harness.connect(), "history account=home bob@example.org").count == 2)
  }

  @Test("a change of the configuration touches only the accounts that it changes")
  func reload() throws {
    let harness = try Harness(accounts: Array(Self.accounts.prefix(2)))
    let links = [5223, 5224].map { harness.link(port: $0) }
    harness.pass(.minutes(2))
    let since = harness.ask(harness.connect(), "status").first?["account"]?["since"]?.string
    harness.reload { $0.accounts.append(Self.accounts[2]) }
    #expect([5223, 5224].map { harness.link(port: $0) } == links)
    #expect(harness.link(port: 5225) != nil)
    harness.reload { $0.accounts[1].resource = "other" }
    #expect(harness.link(port: 5223) == links[0])
    #expect(harness.link(port: 5224) != links[1] && harness.link(port: 5224) != nil)
    harness.reload { $0.accounts.removeLast() }
    #expect(harness.link(port: 5225) == nil)
    let accounts = harness.ask(harness.connect(2), "status").compactMap { $0["account"] }
    #expect(accounts.map { $0["state"]?.string } == ["online", "online"])
    #expect(accounts.first?["since"]?.string == since)
    #expect(harness.link(port: 5223) == links[0])
  }
}

@Suite("what is said of trouble")
struct TroubleWordsTests {
  @Test("status says why, when something was last heard, and when the next try is, in every state")
  func status() throws {
    let harness = try Harness()
    let client = harness.connect()
    func account() -> JSONValue? { harness.ask(client, "status").first?["account"] }
    let heard = account()?["last_heard"]?.string
    #expect(heard != nil && account()?["retry_at"] == nil && account()?["tls"] != nil)
    harness.cut()
    #expect(account()?["last_heard"]?.string == heard && account()?["reason"]?.string == "the connection was cut")
    #expect(account()?["retry_at"]?.string.flatMap { Timestamp(rfc3339: $0) }.map { $0 > harness.now.wall } == true)
    #expect(account()?["tls"] == nil && account()?["sasl"] == nil && account()?["server"] != nil)
    _ = harness.ask(client, "disconnect")
    #expect(account()?["retry_at"] == nil && account()?["server"] == nil && account()?["last_heard"]?.string == heard)
  }

  @Test("the journal has a trouble the first time, the fourth, the sixteenth; and anew after a good session")
  func journal() throws {
    let harness = try Harness(holdsLinks: true)
    func cut(_ times: Int) {
      for _ in 0..<times {
        harness.cut()
        harness.pass(.hours(1), until: { harness.link != nil })
      }
    }
    func told() -> [String] { harness.told.filter { $0.contains("waiting") } }
    cut(20)
    #expect(told().count == 3)
    #expect(told().first?.hasPrefix("account home: waiting: the connection was cut; next try in 1s") == true)
    #expect(told().last?.hasSuffix("(16 times)") == true)
    harness.holdsLinks = false
    cut(1)
    harness.pass(.minutes(2))
    cut(1)
    #expect(told().count == 4)
    #expect(told().last?.contains("cut; last heard ") == true)
  }
}

extension Harness.Trace {
  /// The same whatever was said.
  fileprivate var withoutText: Harness.Trace {
    switch self {
    case .synced: .synced
    case .toServer: .toServer("")
    case .toClient: .toClient("")
    }
  }
}
