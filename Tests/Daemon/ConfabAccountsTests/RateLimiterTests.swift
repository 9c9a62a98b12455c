import Clocks
import Testing

@testable import ConfabAccounts

@Suite("rate limiter")
struct RateLimiterTests {
  private func waits(_ amount: Int, each period: Interval, at times: [Int64]) -> [Int64?] {
    var limiter = RateLimiter(of: amount, each: period)
    return times.map { limiter.wait(toTake: 1, at: Instant(milliseconds: $0))?.milliseconds }
  }

  @Test("A limiter lets exactly so many through in its period, and each grows back after its part of it")
  func exact() {
    #expect(
      waits(3, each: .milliseconds(10), at: [0, 0, 0, 0, 3, 4, 4]) == [nil, nil, nil, 4, 1, nil, 3])
    #expect(waits(1, each: .seconds(1), at: [5, 5, 1004, 1005]) == [nil, 1000, 1, nil])
    var limiter = RateLimiter(of: 1_000_000, each: .milliseconds(1))
    var through = 0
    while limiter.take(1, at: Instant(milliseconds: 7)) { through += 1 }
    #expect(through == 1_000_000)
  }

  @Test("The ends of time do not overflow")
  func ends() {
    #expect(waits(1_000_000, each: .days(365), at: [.min, .max, .min])[0...1] == [nil, nil])
    #expect(waits(1, each: .days(365), at: [.max, .min]) == [nil, .max])
  }

  @Test("An amount is spent, and grows back with time and no further")
  func amount() {
    let start = Instant(milliseconds: 0)
    var limiter = RateLimiter(of: 3_600, each: .hours(1))
    func take(_ amount: Int, after interval: Interval = .seconds(0)) -> Bool {
      limiter.take(amount, at: start.advanced(by: interval))
    }
    #expect(!take(3_601))
    #expect(take(3_600))
    #expect(!take(1, after: .milliseconds(999)))
    #expect(take(1, after: .seconds(1)))
    #expect(!take(1, after: .seconds(1)))
    #expect(take(3_600, after: .days(300)))
    #expect(!take(1, after: .days(300)))
  }
}
