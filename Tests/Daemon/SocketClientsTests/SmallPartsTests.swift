import Clocks
import JSON
import LineProtocol
import Testing

@testable import ConfabAccounts
@testable import SocketClients

@Suite("deadlines, waiters, late news")
struct SmallPartsTests {
  @Test("deadlines come in their order, equal ones by key, and cleared ones take no memory")
  func deadlines() {
    var deadlines = Deadlines<UInt64>()
    deadlines.set(0, at: Instant(milliseconds: 1))
    for key in 1...10_000 as ClosedRange<UInt64> {
      deadlines.set(key, at: Instant(milliseconds: 1_000_000 - Int64(key % 7)))
      deadlines.set(key, at: key % 100 == 0 ? Instant(milliseconds: 5) : nil)
    }
    #expect(deadlines.count == 101)
    #expect(deadlines.heapCount < 400)
    #expect(deadlines.next == Instant(milliseconds: 1))
    var due: [UInt64] = []
    while let key = deadlines.takeDue(at: Instant(milliseconds: 5)) { due.append(key) }
    #expect(due == [0] + (1...100).map { $0 * 100 })
    #expect(deadlines.next == nil && deadlines.heapCount == 0)
  }

  @Test("a deadline that was moved comes once, at its last time")
  func moved() {
    var deadlines = Deadlines<UInt64>()
    for at in [5, 9, 5, 7] as [Int64] { deadlines.set(1, at: Instant(milliseconds: at)) }
    #expect(deadlines.takeDue(at: Instant(milliseconds: 6)) == nil)
    #expect(deadlines.takeDue(at: Instant(milliseconds: 7)) == 1)
    #expect(deadlines.takeDue(at: Instant(milliseconds: 99)) == nil)
  }

  @Test("of equal ephemeral events only the newest is kept, with its number")
  func ephemeralEvents() {
    var events = EphemeralEvents()
    events.append(.presence(account: 1, contact: "a"))
    events.append(.connection(account: 1))
    events.append(.presence(account: 1, contact: "a"))
    events.append(.sections(account: 1, conversation: "a", from: 1, to: 2))
    events.append(.sections(account: 1, conversation: "a", from: 3, to: 4))
    #expect(events.events(after: 0).map(\.number) == [2, 3, 4, 5])
    #expect(events.events(after: 3).map(\.number) == [4, 5])
    events.forget(upTo: 4)
    #expect(events.count == 4)
    events.forget(upTo: 5)
    #expect(events.count == 0 && events.newest == 5)
  }

  @Test("old ephemeral events lose their details, and their number is bounded")
  func manyEphemeralEvents() {
    var events = EphemeralEvents()
    for number in 0..<50_000 { events.append(.presence(account: 1, contact: "\(number % 20_000)")) }
    #expect((EphemeralEvents.maximum / 2...EphemeralEvents.maximum).contains(events.count))
    for number in 0..<1000 as Range<UInt64> {
      events.append(.sections(account: 1, conversation: "b", from: number, to: 2000))
    }
    for number in 0..<50_000 { events.append(.presence(account: 1, contact: "\(number % 100)")) }
    let told = events.events(after: 0).map(\.event)
    #expect(told.count { $0.kind == .resection } == 1)
    let coarse = EphemeralEvent.sections(account: 1, conversation: "b")
    #expect(told.contains { $0 == coarse })
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
