import Clocks
import Testing

@testable import Facts

@Suite("tokens")
struct TokenIndexTests {
  @Test("tokens: the newest are found, the oldest go where there is no room, and a token again is the newer message's")
  func tokens() {
    let time = Timestamp(milliseconds: 0)
    var index = TokenIndex(capacity: 1_000)
    for id in 1...10_000 as ClosedRange<UInt64> {
      index.insert("t\(id)", id: id, time: time.advanced(by: .seconds(Int64(id))))
    }
    #expect(index.entries.count == 1_000)
    #expect(index.entries.first?.id == 9_001 && index.entries.last?.id == 10_000)
    #expect(index.candidate("t9000") == nil)
    #expect(index.candidate("t9001") == 9_001)
    // The old entry goes later, and takes nothing of the new one's with it.
    index.insert("t9001", id: 10_001, time: time.advanced(by: .seconds(10_001)))
    #expect(index.candidate("t9001") == 10_001)
    #expect(index.candidate("t9002") == 9_002)
    index.insert("t10002", id: 10_002, time: time.advanced(by: .seconds(10_002)))
    #expect(index.candidate("t9001") == 10_001)
    #expect(index.candidate("t9002") == nil)
    index.dropEntries(before: time.advanced(by: .seconds(10_001)))
    #expect(index.entries.map(\.id) == [10_001, 10_002])
    index.dropEntries(before: time.advanced(by: .days(1)))
    #expect(index.entries.isEmpty && index.candidate("t10002") == nil)
  }

  @Test("a token of two parts is not that of other parts which read the same together")
  func tokensOfParts() {
    var index = TokenIndex(capacity: 2)
    let time = Timestamp(milliseconds: 0)
    index.insert(("a@b/c", "d"), id: 1, time: time)
    #expect(index.candidate(("a@b/c", "d")) == 1)
    #expect(index.candidate(("a@b/", "cd")) == nil && index.candidate(("a@b/cd", "")) == nil)
    #expect(index.candidate("a@b/cd") == nil)
  }
}
