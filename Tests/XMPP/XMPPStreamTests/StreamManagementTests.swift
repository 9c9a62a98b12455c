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

  // MARK: - Streams that go on

  @Test func whatTheServerHasNotHadGoesAgainInItsOrder() throws {
    var counters = StreamManagement(sentCount: .max - 2, handled: 9)
    counters.sent(tag: 1)
    counters.place([0x61])
    counters.wrote()
    counters.place(message: 2, bytes: 10)
    // This one has its place and was never written.
    counters.place([0x62])
    counters.wrote()
    let (done, again) = try counters.resumed(h: .max - 1)
    #expect(done == [1])
    #expect(again == [.other([0x61]), .message(2, bytes: 10), .other([0x62])])
    #expect(counters == StreamManagement(sentCount: .max - 1, handled: 9))
    #expect(counters.place(message: 2, bytes: 10) == .max)
    #expect(counters.place([0x62]) == 0)
  }

  @Test func nobodyHasWhatWasNotWritten() throws {
    var counters = StreamManagement()
    counters.place(message: 1, bytes: 1)
    #expect(throws: Impossible(h: 1, acknowledged: 0, sent: 0)) { try counters.acknowledged(h: 1) }
    #expect(throws: Impossible(h: 1, acknowledged: 0, sent: 0)) { try counters.resumed(h: 1) }
    #expect(counters.unacknowledged == [1])
  }

  @Test func afterACrashAnyCountUpToTheCeilingIsBelieved() throws {
    let messages: [(id: UInt64, place: UInt32)] = [(1, .max), (2, 0), (3, 7)]
    for (h, done) in [(UInt32.max - 1, 0), (.max, 1), (0, 2), (6, 2), (7, 3), (64, 3)] {
      var counters = StreamManagement(ceiling: 64, handled: 5, messages: messages)
      let (acknowledged, again) = try counters.resumed(h: h)
      #expect(acknowledged == Array([1, 2, 3].prefix(done)))
      #expect(again == [1, 2, 3].dropFirst(done).map { .message($0, bytes: 0) })
      #expect(counters == StreamManagement(sentCount: h, handled: 5))
    }
    var counters = StreamManagement(ceiling: 64, handled: 5, messages: messages)
    #expect(throws: (any Error).self) { try counters.resumed(h: 65) }
  }

  @Test func whatIsKeptIsBounded() throws {
    var counters = StreamManagement()
    let large = [UInt8](repeating: 0x61, count: StreamManagement.maximumOtherBytes / 2)
    for _ in 0..<3 { counters.place(large) }
    #expect(counters.keptOthers == 2)
    for _ in 0..<3 { counters.wrote() }
    #expect(try counters.acknowledged(h: 1) == [])
    for _ in 0..<1_000 {
      counters.place([0x61])
      counters.wrote()
    }
    #expect(counters.keptOthers == StreamManagement.maximumOthers)
    // Those beyond are counted all the same.
    #expect(try counters.acknowledged(h: 1_003) == [])
    #expect(counters.keptOthers == 0)
    counters.place(message: 1, bytes: 5)
    #expect((counters.messages, counters.messageBytes) == (1, 5))
  }
}
