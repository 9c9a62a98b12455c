import Clocks
import Testing

@testable import Reactor

@Suite("TimerQueue")
struct TimerQueueTests {
  private func instant(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  @Test("Timers fall due by deadline, equal ones in the order in which they were set")
  func order() {
    var queue = TimerQueue()
    var fired: [Int] = []
    for (number, deadline) in [30, 10, 20, 10].enumerated() {
      _ = queue.insert(at: instant(Int64(deadline))) { fired.append(number) }
    }
    #expect(queue.earliest == instant(10))
    while let handler = queue.popDue(at: instant(25), newest: queue.lastNumber) { handler() }
    #expect(fired == [1, 3, 2])
    #expect(queue.earliest == instant(30))
  }

  @Test("A removed timer does not fire, and a timer set by a handler waits for the next turn")
  func removal() {
    var queue = TimerQueue()
    let first = queue.insert(at: instant(1)) {}
    let newest = queue.lastNumber
    queue.remove(first)
    queue.remove(first)
    _ = queue.insert(at: instant(1)) {}
    #expect(queue.popDue(at: instant(5), newest: newest) == nil)
    #expect(queue.popDue(at: instant(5), newest: queue.lastNumber) != nil)
  }
}
