import Bytes
import Clocks
import ConfabAccounts
import ConfabEngine
import JSON
import MessageLog
import ConfabConfiguration
import TestSupport
import Testing
import XMPPStream

@Suite("every event in every phase of an account's life")
struct PhaseTests {
  /// How a daemon gets into a phase; from then on the network says nothing by itself.
  enum Phase: CaseIterable {
    case resolving, connecting, securing, negotiating, authenticating, online, waiting, closing, stopped, refused

    func enter() throws -> Harness {
      var settings = Harness.alice
      if self == .resolving { settings.server = nil }
      let isLoggedIn = [.online, .waiting, .closing, .stopped].contains(self)
      let harness = try Harness(accounts: [settings], holdsLinks: !isLoggedIn)
      harness.holdsLinks = true
      switch self {
      case .resolving, .connecting, .online: break
      case .securing: open(harness)
      case .negotiating: secure(harness)
      case .authenticating, .refused: authenticate(harness)
      case .waiting: harness.cut()
      case .closing: harness.send(harness.connect(), "disconnect\n")
      case .stopped:
        harness.send(harness.connect(), "disconnect\n")
        harness.cut()
      }
      if self == .refused, let link = harness.link { harness.handle(.derived(link, .failed("no password"))) }
      return harness
    }

    private func open(_ harness: Harness) {
      if let link = harness.link { harness.handle(.link(link, .opened(remote: "[::1]:5223"))) }
    }

    private func secure(_ harness: Harness) {
      open(harness)
      guard let link = harness.link else { return }
      harness.handle(.link(link, .secured(TLSFacts(version: "TLSv1.3", cipher: "X"))))
    }

    private func authenticate(_ harness: Harness) {
      secure(harness)
      harness.receive(PhaseTests.header)
    }
  }

  static let header =
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
    + "from='example.org' id='s1' version='1.0'><stream:features><mechanisms "
    + "xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-1</mechanism></mechanisms></stream:features>"

  private static func link(_ event: LinkEvent) -> (Harness) -> Void {
    { harness in if let link = harness.link { harness.handle(.link(link, event)) } }
  }

  private static func request(_ line: String) -> (Harness) -> Void {
    { harness in harness.send(harness.connect(77), line + "\n") }
  }

  private static let record = ServiceRecord(priority: 1, weight: 1, host: "xmpp.example.org", port: 5223)

  private static var events: [(String, (Harness) -> Void)] {
    [
      ("no records", link(.resolved(Services(direct: .none, startTLS: .none)))),
      ("records", link(.resolved(Services(direct: .records([record, record]), startTLS: .records([record]))))),
      ("no service", link(.resolved(Services(direct: .refused, startTLS: .refused)))),
      ("look-up failed", link(.resolved(Services(direct: .failed("x"), startTLS: .failed("y"))))),
      ("opened", link(.opened(remote: "x"))), ("secured", link(.secured(TLSFacts(version: "T", cipher: "C")))),
      ("header", link(.received(Array(header.utf8)))), ("garbage", link(.received([0, 255, 60, 62]))),
      ("no XML", link(.received(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)))),
      ("the end", link(.received(Array("</stream:stream>".utf8)))), ("nothing", link(.received([]))),
      (
        "a stream error",
        link(
          .received(Array("<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>".utf8)))
      ),
      ("<a/>", link(.received(Array("<a xmlns='urn:xmpp:sm:3' h='4000000000'/>".utf8)))),
      ("<r/>", link(.received(Array("<r xmlns='urn:xmpp:sm:3'/>".utf8)))),
      ("<failed/>", link(.received(Array("<failed xmlns='urn:xmpp:sm:3'/>".utf8)))),
      ("drained", link(.drained)), ("closed", link(.closed(nil))), ("cut", link(.closed("reset"))),
      ("derived", { harness in if let link = harness.link { harness.handle(.derived(link, .credential([1, 2]))) } }),
      ("not derived", { harness in if let link = harness.link { harness.handle(.derived(link, .failed("no"))) } }),
      ("a stranger's link", { $0.handle(.link(LinkID(9999), .closed(nil))) }),
      ("tick", { $0.handle(.tick) }), ("time", { $0.pass(.seconds(31)) }),
      ("another network", { $0.handle(.networkChanged) }), ("awake", { $0.handle(.woke) }),
      ("a clock that was set", { $0.handle(.clockSet) }),
      ("connect", request("connect")), ("disconnect", request("disconnect")), ("send", request("send b@c x")),
      ("add", request("add b@c")), ("a sync of nothing", { $0.handle(.committed(.stored)) }),
      ("a failure of nothing", { $0.handle(.committed(.failed(StorageError(.noSpace, "x"), isWithdrawn: true))) }),
      ("a bad configuration", { $0.handle(.configuration(.refused("line 3"))) }),
      ("the same configuration", { $0.reload { _ in } }),
      ("other settings", { $0.reload { $0.accounts = [Harness.work] } }),
      ("no account", { $0.reload { $0.accounts = [] } }),
    ]
  }

  /// In each phase a third of the pairs, and each pair in some phase; all of them where CONFAB_PAIRS is 1.
  @Test(
    "any two, one after the other, leave an account that knows what it waits for, and a stop ends",
    arguments: zip(Phase.allCases, Phase.allCases.indices))
  func table(phase: Phase, number: Int) throws {
    let (events, all) = (Self.events, Chance.count("CONFAB_PAIRS", usual: 0) == 1)
    for (i, (first, event)) in events.enumerated() {
      for (j, (second, next)) in events.enumerated() where all || (i + j + number).isMultiple(of: 3) {
        let harness = try phase.enter()
        event(harness)
        next(harness)
        try check(harness, "\(phase), \(first), \(second)")
      }
    }
  }

  private func check(_ harness: Harness, _ name: String) throws {
    let client = harness.connect(99)
    harness.pass(.milliseconds(20))
    let state = harness.ask(client, "status").first?["account"]?["state"]?.string
    let isPatient = harness.engine.nextDeadline != nil || state != "connecting" && state != "waiting"
    #expect(isPatient, "\(name): \(state ?? "no account") and no deadline")
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(10))
    #expect(harness.exitStatus == 0, "\(name): no exit")
  }

  @Test("each step that the network says nothing to ends in 30 s, and the tries are 0.5 s to 5 min apart")
  func patience() throws {
    for phase in [Phase.resolving, .connecting, .securing, .negotiating, .authenticating] {
      let harness = try phase.enter()
      let client = harness.connect()
      harness.pass(.milliseconds(29_900))
      #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "connecting", "\(phase)")
      harness.pass(.milliseconds(200))
      let account = harness.ask(client, "status").first?["account"]
      #expect(account?["state"]?.string == "waiting", "\(phase)")
      #expect(account?["reason"]?.string?.contains("30 seconds") == true, "\(phase)")
    }
    let harness = try Phase.waiting.enter()
    var pauses: [Int64] = []
    for _ in 0..<14 {
      let before = harness.now.instant
      while harness.link == nil { harness.pass(.milliseconds(50)) }
      pauses.append((harness.now.instant - before).milliseconds)
      harness.cut()
    }
    #expect((450...1100).contains(pauses[0]))
    #expect(pauses.allSatisfy { $0 <= 300_100 })
    #expect(pauses.suffix(3).allSatisfy { $0 >= 149_000 })
  }

  @Test("what listens on the first place and does not answer is passed over for the next")
  func nextPlace() throws {
    let harness = try Phase.resolving.enter()
    let place = ServiceRecord(priority: 1, weight: 1, host: "one.example.org", port: 443)
    var second = Self.record
    second.priority = 2
    Self.link(.resolved(Services(direct: .records([second, place]), startTLS: .none)))(harness)
    let first = try #require(harness.link)
    Self.link(.opened(remote: "x"))(harness)
    harness.pass(.seconds(31))
    #expect(harness.link != nil && harness.link != first)
    #expect(harness.ask(harness.connect(), "status").first?["account"]?["server"]?.string == "xmpp.example.org:5223")
  }

  @Test("a refused account stays so while the disk fails")
  func refusedStays() throws {
    let harness = try Phase.refused.enter()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "draft b@c x\n")
    harness.sync(failing: StorageError(.failed, "EIO"))
    harness.syncsAtOnce = true
    harness.pass(.minutes(10))
    #expect(harness.takeLines(client).last?["error"]?.string == "storage")
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "refused")
    #expect(harness.ask(client, "draft b@c x").last?["ok"]?.bool == true)
  }
}
