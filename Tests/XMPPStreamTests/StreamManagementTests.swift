import Testing
import XMPPStream

extension StreamManagement {
  /// A message with this id, or (0) something that nobody waits for, gets its place and is written at once.
  fileprivate mutating func sent(tag: UInt64) {
    if tag == 0 { place([0x78]) } else { place(message: tag, bytes: 1) }
    wrote()
  }

  fileprivate var unacknowledgedCount: Int { Int(sentCount &- acknowledgedCount) }
}

@Suite struct StreamManagementTests {
  typealias Impossible = StreamManagement.ImpossibleAcknowledgement

  @Test func acknowledgesInOrderExactlyOnce() throws {
    var counters = StreamManagement()
    for tag in 1...5 as ClosedRange<UInt64> { counters.sent(tag: tag) }
    #expect(try counters.acknowledged(h: 0) == [])
    #expect(try counters.acknowledged(h: 2) == [1, 2])
    #expect(try counters.acknowledged(h: 2) == [])
    #expect(Array(counters.unacknowledged) == [3, 4, 5])
    counters.sent(tag: 6)
    #expect(try counters.acknowledged(h: 6) == [3, 4, 5, 6])
    #expect(counters.unacknowledgedCount == 0)
    #expect(counters.acknowledgedCount == 6)
  }

  @Test(arguments: [0, 1, 4, 6, 7, .max, .max - 3, 1 << 31] as [UInt32])
  func refusesWhatCannotBe(h: UInt32) throws {
    var counters = StreamManagement()
    for tag in 1...5 as ClosedRange<UInt64> { counters.sent(tag: tag) }
    _ = try counters.acknowledged(h: 2)
    let before = counters
    guard !(2...5).contains(h) else { return }
    #expect(throws: Impossible(h: h, acknowledged: 2, sent: 5)) { try counters.acknowledged(h: h) }
    #expect(counters == before)
  }

  /// Whoever makes us answer without end acknowledges nothing, and takes no memory by it.
  @Test func whatNobodyWaitsForIsOnlyCounted() throws {
    var counters = StreamManagement()
    for number in 1...100_000 as ClosedRange<UInt64> { counters.sent(tag: number % 1_000 == 0 ? number : 0) }
    #expect(counters.unacknowledgedCount == 100_000)
    #expect(counters.unacknowledged.count == 100 && counters.isAwaited)
    #expect(try counters.acknowledged(h: 1_999) == [1_000])
    #expect(try counters.acknowledged(h: 2_000) == [2_000])
    #expect(try counters.acknowledged(h: 100_000).count == 98)
    #expect(!counters.isAwaited && counters.unacknowledgedCount == 0)
    #expect(throws: Impossible(h: 1_999, acknowledged: 100_000, sent: 100_000)) { try counters.acknowledged(h: 1_999) }
  }

  @Test func nothingSentNothingAcknowledged() {
    var counters = StreamManagement()
    #expect(throws: Impossible(h: 1, acknowledged: 0, sent: 0)) { try counters.acknowledged(h: 1) }
  }

  @Test func bothCountersWrap() throws {
    var counters = StreamManagement(sentCount: .max - 1, handled: .max)
    counters.received()
    #expect(counters.handled == 0)
    for tag in 1...4 as ClosedRange<UInt64> { counters.sent(tag: tag) }
    #expect(counters.sentCount == 2)
    #expect(try counters.acknowledged(h: .max) == [1])
    #expect(throws: Impossible(h: 3, acknowledged: .max, sent: 2)) { try counters.acknowledged(h: 3) }
    #expect(throws: Impossible(h: .max - 1, acknowledged: .max, sent: 2)) { try counters.acknowledged(h: .max - 1) }
    #expect(try counters.acknowledged(h: 1) == [2, 3])
    #expect(try counters.acknowledged(h: 2) == [4])
  }

  /// Against a plain list, over a long random history.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func behavesLikeAList(seed: UInt64) throws {
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var counters = StreamManagement(sentCount: .max - 1_000)
    var list: [UInt64] = []
    var next: UInt64 = 0
    var acknowledged = UInt32.max - 1_000
    for _ in 0..<5_000 {
      for _ in 0..<random(4) {
        next += 1
        list.append(next)
        counters.sent(tag: next)
      }
      let step = random(list.count + 1)
      acknowledged &+= UInt32(step)
      #expect(try counters.acknowledged(h: acknowledged) == Array(list.prefix(step)))
      list.removeFirst(step)
      #expect(Array(counters.unacknowledged) == list)
    }
  }
}
