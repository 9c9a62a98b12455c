import Clocks
import TestSupport
import Testing

@testable import ConfabAccounts

@Suite("The pauses between tries to connect")
struct BackoffTests {
  private let random = SeededRandom(1)
  private let now = Instant(milliseconds: 1_000_000)

  @Test("Pauses double up to five minutes, each at least half of its step")
  func doubles() {
    var backoff = Backoff()
    for step in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] as [Int64] {
      let pause = backoff.next(random).milliseconds
      #expect((step * 500...step * 1000).contains(pause), "\(pause) of \(step) s")
    }
  }

  @Test("A stream of a minute begins the pauses anew, a shorter one does not")
  func stable() {
    var backoff = Backoff()
    for _ in 0..<8 { _ = backoff.next(random) }
    backoff.lasted(.seconds(59))
    let long = backoff.next(random)
    backoff.lasted(.minutes(1))
    let short = backoff.next(random)
    #expect(long >= .minutes(2) && short <= .seconds(1))
  }

  @Test("Ten changes of the network end a pause, the next ones do not, and half a minute brings one back")
  func hastened() {
    var backoff = Backoff()
    let early = (0..<12).map { _ in backoff.endsEarly(at: now) }
    #expect(early.count { $0 } == 10)
    let later = [29, 30].map { backoff.endsEarly(at: now.advanced(by: .seconds($0))) }
    #expect(later == [false, true])
  }

  @Test("No change of the network ends a pause that the server asked for")
  func requested() {
    var backoff = Backoff()
    _ = backoff.next(random, atLeast: .minutes(1))
    let requested = backoff.endsEarly(at: now)
    _ = backoff.next(random)
    let own = backoff.endsEarly(at: now)
    #expect(!requested && own)
  }

  @Test("Links that are cut begin the pauses anew, but not again and again")
  func cut() {
    var backoff = Backoff()
    for _ in 0..<10 {
      for _ in 0..<5 { _ = backoff.next(random) }
      backoff.linkWasCut(at: now)
      let pause = backoff.next(random)
      #expect(pause <= .seconds(1))
    }
    for _ in 0..<5 { _ = backoff.next(random) }
    backoff.linkWasCut(at: now)
    let pause = backoff.next(random)
    #expect(pause >= .seconds(16))
  }
}
