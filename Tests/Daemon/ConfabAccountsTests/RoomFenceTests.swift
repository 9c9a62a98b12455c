import Clocks
import Testing

@testable import ConfabAccounts

/// One fence, asked by reference: an expectation cannot change a value.
private final class Fence {
  private var fence = RoomFence()
  var deadline: Instant? { fence.deadline }
  func sent(at now: Instant) { fence.sent(at: now) }
  func tick(_ open: Set<UInt64>, at now: Instant) -> Bool { fence.tick(open, at: now) }
  func answered(_ open: Set<UInt64>, at now: Instant) -> Set<UInt64> { fence.answered(open, at: now) }
  func reset() { fence.reset() }
}

@Suite("Whether a room took what I said")
struct RoomFenceTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 1_000 + milliseconds) }

  @Test("a room that shows a message in time is asked nothing")
  func shown() {
    let fence = Fence()
    fence.sent(at: at(0))
    #expect(!fence.tick([1], at: at(1_999)))
    #expect(!fence.tick([], at: at(2_000)))
    #expect(fence.deadline == nil)
  }

  @Test("one question follows a burst, and two answers without the messages tell")
  func notTaken() {
    let fence = Fence()
    for time in [0, 10, 20] as [Int64] { fence.sent(at: at(time)) }
    #expect(fence.tick([1, 2, 3], at: at(2_000)))
    #expect(fence.deadline == nil)
    // A room may show a message behind its first answer.
    #expect(fence.answered([2, 3], at: at(2_100)) == [])
    #expect(fence.deadline == at(7_100))
    #expect(fence.tick([2], at: at(7_100)))
    #expect(fence.answered([2], at: at(7_200)) == [2])
    #expect(fence.deadline == nil)
  }

  @Test("what was said since the question waits for one of its own")
  func later() {
    let fence = Fence()
    fence.sent(at: at(0))
    #expect(fence.tick([1], at: at(2_000)))
    fence.sent(at: at(2_001))
    #expect(fence.answered([2], at: at(2_100)) == [])
    #expect(fence.tick([2], at: at(4_100)))
    #expect(fence.answered([2], at: at(4_200)) == [])
    #expect(fence.tick([2, 3], at: at(9_200)))
    #expect(fence.answered([2, 3], at: at(9_300)) == [2])
    #expect(fence.deadline == at(11_300))
  }

  @Test("an answer that nobody waits for tells nothing")
  func unasked() {
    let fence = Fence()
    #expect(fence.answered([1], at: at(0)) == [])
    fence.sent(at: at(0))
    fence.reset()
    #expect(!fence.tick([1], at: at(10_000)))
  }
}
