import Clocks
import JSON
import LineProtocol
import Testing

@testable import ConfabEngine

@Suite("deadlines, waiters, late news")
struct SmallPartsTests {
  @Test("deadlines come in their order, equal ones by key, and cleared ones take no room")
  func deadlines() {
    var deadlines = Deadlines<UInt64>()
    deadlines.set(0, at: Instant(milliseconds: 1))
    for key in 1...10_000 as ClosedRange<UInt64> {
      deadlines.set(key, at: Instant(milliseconds: 1_000_000 - Int64(key % 7)))
      deadlines.set(key, at: key % 100 == 0 ? Instant(milliseconds: 5) : nil)
    }
    #expect(deadlines.count == 101)
    #expect(deadlines.room < 400)
    #expect(deadlines.next == Instant(milliseconds: 1))
    var due: [UInt64] = []
    while let key = deadlines.takeDue(at: Instant(milliseconds: 5)) { due.append(key) }
    #expect(due == [0] + (1...100).map { $0 * 100 })
    #expect(deadlines.next == nil && deadlines.room == 0)
  }

  @Test("a deadline that was moved comes once, at its last time")
  func moved() {
    var deadlines = Deadlines<UInt64>()
    for at in [5, 9, 5, 7] as [Int64] { deadlines.set(1, at: Instant(milliseconds: at)) }
    #expect(deadlines.takeDue(at: Instant(milliseconds: 6)) == nil)
    #expect(deadlines.takeDue(at: Instant(milliseconds: 7)) == 1)
    #expect(deadlines.takeDue(at: Instant(milliseconds: 99)) == nil)
  }

  @Test("late news is one piece for each thing, with the number of its newest")
  func lateNews() {
    var news = LateNews()
    news.add(.presence(account: 1, jid: "a"))
    news.add(.connection(account: 1))
    news.add(.presence(account: 1, jid: "a"))
    news.add(.resection(account: 1, jid: "a", from: 1, to: 2))
    news.add(.resection(account: 1, jid: "a", from: 3, to: 4))
    #expect(news.pieces(after: 0).map(\.number) == [2, 3, 4, 5])
    #expect(news.pieces(after: 3).map(\.number) == [4, 5])
    news.forget(upTo: 4)
    #expect(news.count == 4)
    news.forget(upTo: 5)
    #expect(news.count == 0 && news.newest == 5)
  }

  @Test("late news is told roughly where it is old, and is bounded")
  func muchLateNews() {
    var news = LateNews()
    for number in 0..<50_000 { news.add(.presence(account: 1, jid: "\(number % 20_000)")) }
    #expect((LateNews.maximum / 2...LateNews.maximum).contains(news.count))
    for number in 0..<1000 { news.add(.resection(account: 1, jid: "b", from: UInt64(number), to: 2000)) }
    for number in 0..<50_000 { news.add(.presence(account: 1, jid: "\(number % 100)")) }
    let told = news.pieces(after: 0).map(\.notice)
    #expect(told.count { $0.kind == .resection } == 1)
    #expect(told.contains(.resection(account: 1, jid: "b", from: nil, to: nil)))
    #expect(told.suffix(100).map(\.jid) == (0..<100).map { "\($0)" })
    #expect(Set(told).count == told.count)
  }

  @Test("the feed hands out what it has whole, and nothing where something is missing")
  func feed() {
    var feed = EventFeed()
    #expect(feed.lines(after: 0) == nil)
    for number in 10...20 as ClosedRange<UInt64> {
      let line = number % 2 == 0 ? EventLine(.read, sequence: number, account: 1, jid: "a") { _ in } : nil
      feed.append(line, sequence: number)
    }
    #expect(feed.completeAfter == 9)
    #expect(feed.lines(after: 8) == nil)
    #expect(feed.lines(after: 9)?.map(\.sequence) == [10, 12, 14, 16, 18, 20])
    #expect(feed.lines(after: 17)?.map(\.sequence) == [18, 20])
    #expect(feed.lines(after: 25)?.isEmpty == true)
    let large = String(repeating: "x", count: 100_000)
    for number in 21...40 as ClosedRange<UInt64> {
      feed.append(
        EventLine(.draft, sequence: number, account: 1, jid: "a") { $0.member("text", large) }, sequence: number)
    }
    let first = feed.lines(after: feed.completeAfter)?.first?.sequence
    #expect(first == feed.completeAfter + 1 && (first ?? 0) > 30)
    #expect(feed.lines(after: feed.completeAfter - 1) == nil)
    feed.clear()
    #expect(feed.lines(after: 40) == nil)
  }
}
