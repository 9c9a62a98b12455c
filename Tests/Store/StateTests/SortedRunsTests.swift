import Clocks
import Timelines
import MessageLog
import TestSupport
import Testing

@testable import State

@Suite("sorted runs of records")
struct SortedRunsTests {
  private let storage = MemoryStorage()
  private let runs: SortedRuns<EvictedRecord>

  init() { runs = SortedRuns(in: IndexPages(of: .nobody, in: storage)) }

  private func record(_ key: UInt64, _ jid: String, body: UInt8, size: Int = 1, rank: Int64 = 0) -> EvictedRecord {
    var record = EvictedRecord(Conversation(account: 1, jid: jid, gap: .hours(1)), key: key)
    (record.body, record.rank) = (Array(repeating: body, count: size), rank)
    return record
  }

  private func write(_ pages: [WrittenPage]) throws {
    for (page, bytes) in pages {
      try storage.writePages(IndexFormat.fileName, bytes, at: IndexFormat.offset(ofPage: page.number))
    }
  }

  private func add(_ records: [EvictedRecord]) throws {
    try write(runs.write(records.sorted { $0.precedes($1) }))
    runs.stored(true)
  }

  private func merge() throws {
    while case let step = runs.takeStep(), !step.isEmpty {
      try write(step)
      runs.stored(true)
    }
  }

  private func bodies(of key: UInt64) -> [UInt8] {
    var bodies: [UInt8] = []
    runs.visit(key) {
      bodies.append($0.body[0])
      return true
    }
    return bodies
  }

  @Test("of records about one thing that of the newest run comes first, and a merge keeps it alone")
  func newest() throws {
    for run in 1...3 as ClosedRange<UInt8> {
      try add((0..<300).map { record($0, $0 % UInt64(run) == 0 ? "same@s" : "other@s", body: run) })
    }
    #expect(bodies(of: 6) == [3, 2, 1] && bodies(of: 2) == [3, 2, 1])
    var before: [[UInt8]] = []
    runs.forEach { before.append([UInt8($0.key & 255), $0.jid[0]] + $0.body) }
    try merge()
    #expect(runs.runs.count == 1 && runs.unnamedPages.isEmpty)
    #expect(bodies(of: 6) == [3] && Set(bodies(of: 2)) == [2, 3] && bodies(of: 300).isEmpty)
    var after: [[UInt8]] = []
    runs.forEach { after.append([UInt8($0.key & 255), $0.jid[0]] + $0.body) }
    #expect(after == before)
  }

  @Test("records of one key are found on however many pages they are")
  func parted() throws {
    try add((0..<9).map { record(7, "j\($0)@s", body: $0, size: 6000) } + [record(6, "a@s", body: 77)])
    #expect(Set(bodies(of: 7)) == Set(0..<9) && bodies(of: 6) == [77])
  }

  @Test("the highest are visited without reading pages on which all are lower")
  func highest() throws {
    try add((0..<1000).map { record($0, "j\($0)@s", body: 1, size: 500, rank: Int64($0)) })
    let reads = runs.pages.reads
    var found: [Int64] = []
    runs.visitHighest(isEnough: { $0 < 990 }, isWanted: { $0 >= 990 }) { found.append($0.rank) }
    #expect(found.sorted() == Array(990..<1000) && runs.pages.reads - reads <= 3)
  }

  @Test("what is on a damaged page is left out, and all else is found")
  func damaged() throws {
    try add((0..<100).map { record($0, "j@s", body: 1) })
    try add((200..<300).map { record($0, "j@s", body: 2) })
    let page = runs.runs[1].heads[0].page
    storage.change { $0.files[IndexFormat.fileName]?[Int(page.number) * IndexFormat.pageSize + 9] ^= 1 }
    #expect(bodies(of: 50) == [1] && runs.pages.damage == nil && bodies(of: 250).isEmpty)
    #expect(runs.pages.damage?.description == "page \(page.number) is not as it was written")
  }
}
