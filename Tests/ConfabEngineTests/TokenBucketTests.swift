import Clocks
import Settings
import Testing

@testable import ConfabEngine

@Suite("a rate")
struct TokenBucketTests {
  private func taken(_ rate: SendRate, at times: [Int64]) -> [Int64?] {
    var bucket = TokenBucket(rate: rate)
    return times.map { bucket.take(at: Instant(milliseconds: $0))?.milliseconds }
  }

  @Test("lets exactly so many through in its time, and each comes back after its part of it")
  func exact() {
    #expect(
      taken(SendRate(count: 3, interval: .milliseconds(10)), at: [0, 0, 0, 0, 3, 4, 4]) == [
        nil, nil, nil, 4, 1, nil, 3,
      ])
    #expect(taken(SendRate(count: 1, interval: .seconds(1)), at: [5, 5, 1004, 1005]) == [nil, 1000, 1, nil])
    var bucket = TokenBucket(rate: SendRate(count: 1_000_000, interval: .milliseconds(1)))
    var through = 0
    while bucket.take(at: Instant(milliseconds: 7)) == nil { through += 1 }
    #expect(through == 1_000_000)
  }

  @Test("the ends of time are no trap")
  func ends() {
    let rate = SendRate(count: 1_000_000, interval: .days(365))
    #expect(taken(rate, at: [.min, .max, .min])[0...1] == [nil, nil])
    #expect(taken(SendRate(count: 1, interval: .days(365)), at: [.max, .min]) == [nil, .max])
  }
}
