import Clocks
import State
import MessageLog
import Reactor
import Records
import Search
import TestSupport
import Testing

@testable import ConfabRuntime

@Suite("the thread that searches")
struct SearchThreadTests {
  /// A log of one message.
  private func log() throws -> (storage: MemoryStorage, scope: SearchScope) {
    let (storage, state) = (MemoryStorage(), State(gap: .hours(24)))
    let uuid = try #require(LogUUID(random: Array(repeating: 7, count: 16)))
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    var writer = try recovery.run { _ in }.makeWriter(uuid: uuid)
    let message = MessageRecord(account: 1, jid: "bob@example.org", peer: "bob@example.org", time: 1_000, text: "word")
    for record in [.account(.init(number: 1, name: "a", jid: "me@example.org")), .message(message)] as [Record] {
      writer.append(kind: record.kind) { record.encode(into: &$0) }
    }
    let taken = writer.takeBatch()
    let batch = try #require(taken)
    try batch.perform(on: storage)
    batch.forEachRecord { (frame: borrowing LogFrame) in state.apply(frame) }
    writer.completed(batch)
    return (storage, SearchScope(index: writer.index, timeRanges: state.timeRanges.list))
  }

  /// Reads of the log for a first search, which cannot go on for as long as `meanwhile` takes, and for a last one.
  private func reads(_ meanwhile: (SearchThread, SearchQuery, SearchScope) -> Void) throws -> Int {
    let (storage, scope) = try log()
    let query = SearchQuery(text: "word", accounts: [.init(1, "me@example.org")], limit: 10)
    let loop = try EventLoop()
    var found: [SearchID: Int] = [:]
    let thread = SearchThread(storage: storage, loop: loop) { found[$0] = $1.hits.count }
    let before = storage.reads.calls
    storage.change { _ in
      thread.start(SearchID(1), query, in: scope, for: 0)
      meanwhile(thread, query, scope)
      thread.start(SearchID(1_000), query, in: scope, for: 0)
    }
    while found[SearchID(1_000)] == nil { try loop.turn() }
    #expect(found == [SearchID(1): 1, SearchID(1_000): 1])
    return storage.reads.calls - before
  }

  @Test("what is cancelled before its turn comes reads nothing, however many there are")
  func cancelled() throws {
    let alone = try reads { _, _, _ in }
    let amongOthers = try reads { thread, query, scope in
      for number in 2..<100 as Range<UInt64> {
        thread.start(SearchID(number), query, in: scope, for: 0)
        thread.cancel(SearchID(number))
      }
    }
    #expect(alone > 0 && amongOthers == alone)
  }
}
