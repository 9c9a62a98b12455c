import Bytes
import ConfabConfiguration
import Testing

@testable import ConfabAccounts

@Suite("where to connect to, in which order")
struct ConnectionPlanTests {
  private static func record(_ host: String, _ priority: UInt16 = 0, weight: UInt16 = 0) -> ServiceRecord {
    ServiceRecord(priority: priority, weight: weight, host: host, port: 5222)
  }

  private static func plan(
    direct: ServiceAnswer = .none, startTLS: ServiceAnswer = .none, tls: TLSMode = .auto,
    _ random: SeededRandom = SeededRandom(1)
  ) throws -> [String] {
    let services = Services(direct: direct, startTLS: startTLS)
    return try ConnectionPlan(services, domain: "example.org", tls: tls, random: random).candidates.map {
      "\($0.host):\($0.port)\($0.direct ? " direct" : "")"
    }
  }

  @Test("Both kinds are one list by priority, whatever the weights", arguments: 0..<20)
  func priorities(seed: UInt64) throws {
    let order = try Self.plan(
      direct: .records([Self.record("c", 20, weight: 65535), Self.record("a", 1)]),
      startTLS: .records([Self.record("d", 30, weight: 65535), Self.record("b", 10)]), SeededRandom(seed))
    #expect(order == ["a:5222 direct", "b:5222", "c:5222 direct", "d:5222"])
  }

  /// How often each order of the hosts came in 3000 draws from one seed.
  private static func counts(direct: [ServiceRecord] = [], startTLS: [ServiceRecord]) throws -> [String: Int] {
    let random = SeededRandom(2782)
    var counts: [String: Int] = [:]
    for _ in 0..<3000 {
      let services = Services(
        direct: direct.isEmpty ? .none : .records(direct), startTLS: .records(startTLS))
      let plan = try ConnectionPlan(services, domain: "example.org", tls: .auto, random: random)
      counts[plan.candidates.map(\.host).joined(), default: 0] += 1
    }
    return counts
  }

  @Test("Equal priorities are drawn by weight, of both kinds together")
  func weights() throws {
    let counts = try Self.counts(
      direct: [Self.record("a", weight: 100), Self.record("b", weight: 300)],
      startTLS: [Self.record("c", weight: 600)])
    // By the weights: abc 100, acb 200, bac 129, bca 771, cab 450, cba 1350.
    #expect(counts == ["abc": 94, "acb": 169, "bac": 119, "bca": 755, "cab": 457, "cba": 1406])
  }

  @Test("A record without weight has a small chance beside others, and the last place else")
  func withoutWeight() throws {
    let counts = try Self.counts(startTLS: [Self.record("a", weight: 9), Self.record("z")])
    // By the weights: one of ten.
    #expect(counts == ["za": 302, "az": 2698])
  }

  @Test("Records that are all without weight stay as they come, direct TLS first", arguments: 0..<20)
  func noWeights(seed: UInt64) throws {
    let order = try Self.plan(
      direct: .records([Self.record("b"), Self.record("a")]),
      startTLS: .records([Self.record("d"), Self.record("c")]), SeededRandom(seed))
    #expect(order == ["b:5222 direct", "a:5222 direct", "d:5222", "c:5222"])
  }

  @Test("The greatest weights and the most records lose nothing")
  func extremes() throws {
    let records = (0..<64).map { Self.record("h\($0)", weight: 65535) }
    let order = try Self.plan(direct: .records(records), startTLS: .records(records))
    #expect(order.count == 128 && Set(order).count == 128)
  }

  @Test("The same seed draws the same order, another seed another one")
  func deterministic() throws {
    let records = (0..<20).map { Self.record("h\($0)", weight: 10) }
    let first = try Self.plan(startTLS: .records(records), SeededRandom(7))
    #expect(try first == Self.plan(startTLS: .records(records), SeededRandom(7)))
    #expect(try first != Self.plan(startTLS: .records(records), SeededRandom(8)))
  }

  @Test(
    "The configuration may leave one kind only", arguments: [(TLSMode.direct, "a:5222 direct"), (.starttls, "b:5222")])
  func oneKind(tls: TLSMode, expected: String) throws {
    let order = try Self.plan(
      direct: .records([Self.record("a")]), startTLS: .records([Self.record("b")]), tls: tls)
    #expect(order == [expected])
  }

  @Test("Without records the domain itself is tried")
  func fallback() throws {
    let failed = ServiceAnswer.failed("time-out")
    #expect(try Self.plan() == ["example.org:5222"])
    #expect(try Self.plan(direct: failed, startTLS: failed) == ["example.org:5222"])
    #expect(try Self.plan(startTLS: .records([Self.record("b")]), tls: .direct) == ["example.org:5223 direct"])
    #expect(try Self.plan(direct: .records([Self.record("a")]), tls: .starttls) == ["example.org:5222"])
  }

  @Test("A refusal of one kind excludes that kind only")
  func oneRefusal() throws {
    let record = ServiceAnswer.records([Self.record("a")])
    #expect(try Self.plan(direct: .refused, startTLS: record) == ["a:5222"])
    #expect(try Self.plan(direct: record, startTLS: .refused) == ["a:5222 direct"])
    #expect(try Self.plan(direct: .refused) == ["example.org:5222"])
    #expect(try Self.plan(direct: .refused, tls: .starttls) == ["example.org:5222"])
    #expect(try Self.plan(startTLS: .refused, tls: .direct) == ["example.org:5223 direct"])
  }

  @Test(
    "What is refused is said in words",
    arguments: [
      (ServiceAnswer.refused, ServiceAnswer.refused, TLSMode.auto, Self.refusal),
      (.none, .refused, .auto, Self.refusal), (.none, .refused, .starttls, Self.refusal + " with STARTTLS"),
      (.refused, .none, .direct, Self.refusal + " with direct TLS"),
      (.records([Self.record("a")]), .refused, .starttls, Self.refusal + " with STARTTLS"),
      (
        .failed("time-out"), .refused, .auto,
        "cannot look up the direct TLS service of example.org, its only one: time-out"
      ),
    ])
  func refusals(direct: ServiceAnswer, startTLS: ServiceAnswer, tls: TLSMode, sentence: String) {
    #expect(throws: PlanFailure(sentence: sentence)) {
      try Self.plan(direct: direct, startTLS: startTLS, tls: tls)
    }
  }

  private static let refusal = "example.org declares in DNS that it has no XMPP service for clients"
}
