import Clocks
import Timelines
import MessageLog
import Records
import TestSupport
import Testing

@testable import State

/// Conversations on pages: strangers cost memory that has a bound, and every answer is that of a log in memory.
@Suite("state: evicted conversations")
struct EvictionTests {
  private static func message(from jid: String, at time: Int64, _ text: String = "text") -> Record {
    var message = MessageRecord(account: 1, jid: jid, peer: jid + "/x", time: time)
    message.text = text
    return .message(message)
  }

  /// So many strangers write one message each; now and then one of them again, is read, answered, or drafted to.
  private static func told(
    _ storage: any LogStorage, strangers: Int, each: (Story) throws -> Void = { _ in }
  ) throws -> Story {
    let story = try Story(on: storage)
    var random = SplitMix(seed: 7)
    for start in stride(from: 0, to: strangers, by: 100) {
      var records: [Record] = []
      for number in start..<start + 100 {
        let time = Int64(number) * 1000
        records.append(message(from: "s\(number)@s", at: time))
        let other = "s\(random.next() % UInt64(number + 1))@s"
        switch random.next() % 20 {
        case 0: records.append(message(from: other, at: time - Int64(random.next() % 5_000_000)))
        case 1: records.append(.read(ReadRecord(account: 1, jid: other, time: time, id: 1 << 40)))
        case 2: records.append(.draft(DraftRecord(account: 1, jid: other, text: "draft \(number)")))
        case 3: records.append(.draft(DraftRecord(account: 1, jid: "d\(number)@d", text: "never written to")))
        default: break
        }
      }
      try story.write(records)
      try story.storePages()
      try each(story)
    }
    return story
  }

  private static func table(_ state: State) throws -> ConversationTable {
    try #require(state.accounts[1]).conversations
  }

  /// The same state with everything in memory.
  private static func inMemory(_ storage: any LogStorage) throws -> State {
    var recovery = try Recovery(of: storage, log: nil, mode: .readOnly)
    let state = State(gap: Story.gap)
    _ = try recovery.run { state.apply($0) }
    return state
  }

  private static func newest(
    of table: ConversationTable, _ limit: Int, behind: Conversation.Place? = nil,
    now: Timestamp = Timestamp(milliseconds: .max)
  ) -> [Conversation] {
    var list = NewestConversations(limit, now: now, behind: behind)
    table.fill(&list)
    return list.sorted()
  }

  /// Everything that can be asked of conversations is as if all were in memory.
  private static func expectSame(_ state: State, _ storage: any LogStorage) throws {
    let (table, all) = (try table(state), try table(inMemory(storage)))
    #expect(Answer.all(state) == (try Answer.all(inLogOf: storage)))
    #expect(table.unread == all.unread && table.unread == table.values.reduce(0) { $0 + $1.unread })
    for limit in [0, 1, 10, 500] {
      let first = newest(of: table, limit)
      #expect(first.map(\.jid) == newest(of: all, limit).map(\.jid))
      guard let last = first.last?.newest else { continue }
      #expect(newest(of: table, limit, behind: last).map(\.jid) == newest(of: all, limit, behind: last).map(\.jid))
      // If the clock is behind, some messages are dated in the future.
      #expect(newest(of: table, limit, now: last.time).map(\.jid) == newest(of: all, limit, now: last.time).map(\.jid))
    }
    let unread = table.mapUnread { $0.jid }
    #expect(Set(unread) == Set(all.values.filter { $0.unread > 0 }.map(\.jid)) && Set(unread).count == unread.count)
    #expect(table.jids.sorted() == all.jids.sorted())
    for number in stride(from: 0, to: 4000, by: 97) {
      #expect(table["s\(number)@s"].map(Answer.init) == all["s\(number)@s"].map(Answer.init))
      #expect(table["d\(number)@d"]?.draft == all["d\(number)@d"]?.draft)
    }
    #expect(table["nobody@s"] == nil)
  }

  @Test("what is in memory has a bound, however many strangers write, and every answer is the same")
  func bounded() throws {
    let storage = MemoryStorage()
    var most = 0
    let story = try Self.told(storage, strangers: 4000) { most = max(most, $0.pages?.memory.conversations ?? 0) }
    let pages = try #require(story.pages)
    #expect(most <= pages.limits.conversations && most > 0)
    let table = try Self.table(story.state)
    let runs = try #require(table.evicted).runs
    #expect(runs.runs.count <= SortedRuns<EvictedRecord>.manyRuns + 1)
    #expect(runs.count >= 4000 && table.loaded.count < 40)
    // A stranger's conversation is some 90 bytes on a page; each head takes two pages more at most.
    let heads = (runs.runs + (story.state.accounts[1]?.messageIDs.runs ?? [])).reduce(0) { $0 + $1.heads.count }
    #expect(pages.allocator.count < 4500 * 120 / IndexFormat.pageSize + 2 * heads)
    try Self.expectSame(story.state, storage)
    #expect(pages.damage == nil)
  }

  @Test("long addresses count as what they take")
  func longAddresses() throws {
    let story = try Story(on: MemoryStorage())
    let name = String(repeating: "n", count: 2040)
    for start in stride(from: 0, to: 200, by: 10) {
      try story.write((start..<start + 10).map { Self.message(from: "\(name)\($0)@s", at: Int64($0)) })
      try story.storePages()
      #expect(try Self.table(story.state).loaded.count < 8)
    }
    try Self.expectSame(story.state, story.storage)
  }

  @Test("a batch that loads thousands of conversations costs work in proportion to their number")
  func loadingMany() throws {
    let story = try Self.told(MemoryStorage(), strangers: 4000)
    let table = try Self.table(story.state)
    let before = table.dropVisits
    try story.write((0..<4000).map { Self.message(from: "s\($0)@s", at: 10_000_000 + Int64($0)) })
    #expect(table.loaded.count >= 4000)
    #expect(table.dropVisits - before < 8 * 4000)
    try story.storePages()
    #expect(table.loaded.count < 40)
    try Self.expectSame(story.state, story.storage)
  }

  @Test("asking for all of them one after the other leaves few in memory")
  func asking() throws {
    let story = try Self.told(MemoryStorage(), strangers: 2000)
    let pages = try #require(story.pages)
    for number in 0..<2000 {
      let conversation = try Self.table(story.state)["s\(number)@s"]
      #expect(conversation?.count ?? 0 > 0)
      #expect(pages.memory.conversations <= 3 * pages.limits.conversations)
    }
  }

  @Test("a start finds them where they are, and reads none of them")
  func start() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage, strangers: 1500)
    try told.takeSnapshot()
    let story = try Story(on: MemoryStorage(storage.snapshot))
    #expect(story.opened.checkpoint != nil && story.pages?.reads == 0)
    #expect(try Self.table(story.state).loaded.count < 40)
    try Self.expectSame(story.state, storage)
    #expect(story.state.indexDamage == nil)
    // And it goes on from there.
    for round in 0..<20 {
      try story.write((0..<50).map { Self.message(from: "s\($0 * 7 + round)@s", at: 9_000_000 + Int64($0)) })
      try story.storePages()
    }
    try Self.expectSame(story.state, story.storage)
  }

  @Test(
    "histories that are forgotten while they are evicted stay forgotten, evicted, after a start and when somebody writes"
  )
  func forgotten() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage, strangers: 1500)
    let jids = stride(from: 0, to: 1500, by: 3).map { "s\($0)@s" }
    // More than can be in memory at once: they are loaded for it and evicted again.
    for start in stride(from: 0, to: jids.count, by: 50) {
      try told.write(jids[start..<start + 50].map { .forgetting(ForgettingRecord(account: 1, jid: $0)) })
      try told.storePages()
    }
    #expect(try Self.table(told.state).loaded.count < 40)
    try told.takeSnapshot()
    let story = try Story(on: MemoryStorage(storage.snapshot))
    #expect(story.opened.checkpoint != nil && story.pages?.reads == 0)
    try Self.expectForgotten(jids, story.state)
    try Self.expectSame(story.state, storage)
    try story.write(jids.map { Self.message(from: $0, at: 9_000_000) })
    try story.storePages()
    for jid in jids { #expect(try Self.table(story.state)[jid]?.count == 1) }
    try Self.expectSame(story.state, story.storage)
    #expect(story.state.indexDamage == nil)
  }

  private static func expectForgotten(_ jids: [String], _ state: State) throws {
    for jid in jids {
      let conversation = try #require(table(state)[jid])
      #expect(conversation.count == 0 && conversation.unread == 0)
      #expect(state.accounts[1]?.forgotten.hides(1, of: jid) == true)
    }
  }

  @Test("without any file that is derived the answers are the same", arguments: ["index", "checkpoint"])
  func deleted(name: String) throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage, strangers: 1000)
    try told.takeSnapshot()
    var content = storage.snapshot
    #expect(content.files.removeValue(forKey: name) != nil)
    let story = try Story(on: MemoryStorage(content))
    #expect(story.opened.checkpoint == nil)
    try Self.expectSame(story.state, storage)
  }

  @Test("a damaged page is noticed, and a state made anew from the log has all of them", arguments: [1, 2, 5])
  func damaged(number: Int) throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage, strangers: 1000)
    try told.takeSnapshot()
    var content = storage.snapshot
    guard var index = content.files["index"], index.count > (number + 1) * IndexFormat.pageSize else { return }
    index[number * IndexFormat.pageSize + 77] ^= 1
    content.files["index"] = index
    let story = try Story(on: MemoryStorage(content))
    #expect(story.opened.checkpoint != nil)
    _ = try Self.table(story.state).values.map(\.timeline.count)
    guard story.state.indexDamage != nil else { return try Self.expectSame(story.state, storage) }
    try Self.expectSame(try story.madeAnew(), storage)
  }

  @Test("a full disk leaves them in memory, and nothing fails")
  func fullDisk() throws {
    let storage = MemoryStorage()
    var failures = 0
    let story = try Self.told(storage, strangers: 300)
    for round in 0..<40 {
      try story.write((0..<50).map { Self.message(from: "t\(round * 50 + $0)@t", at: Int64($0)) })
      if round % 3 == 0 { storage.failNext("write index", StorageError(.noSpace, "full")) }
      do { try story.storePages() } catch { failures += 1 }
    }
    #expect(failures > 10)
    try story.storePages()
    let pages = try #require(story.pages)
    #expect(pages.memory.conversations <= pages.limits.conversations)
    try Self.expectSame(story.state, storage)
    try story.takeSnapshot()
    try Self.expectSame(Story(on: MemoryStorage(storage.snapshot)).state, storage)
  }

  @Test("damage of pages is noticed while runs of conversations are merged, and the merge ends")
  func damagedWhileMerging() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage, strangers: 1000)
    try told.takeSnapshot()
    let runs = try #require(Self.table(told.state).evicted).runs.runs
    #expect(runs.count > 1)
    for head in runs.flatMap(\.heads) {
      let leaf = try #require(told.pages?.head(head.page).map(HeadPage.leaves)?.first).page
      storage.change { $0.files["index"]?[Int(leaf.number) * IndexFormat.pageSize + 30] ^= 4 }
    }
    let story = try Story(on: storage)
    story.state.eviction?.rest(.long)
    try story.storePages()
    #expect(story.state.indexDamage?.description.hasSuffix("is not as it was written") == true)
  }

  @Test("pages are used again")
  func reuse() throws {
    let storage = MemoryStorage()
    let story = try Self.told(storage, strangers: 1000) { try $0.takeSnapshot() }
    for round in 0..<60 {
      try story.write((0..<100).map { Self.message(from: "s\($0 * 10)@s", at: 9_000_000 + Int64(round)) })
      try story.storePages()
      try story.takeSnapshot()
    }
    let runs = try #require(Self.table(story.state).evicted).runs
    let heads = (runs.runs + (story.state.accounts[1]?.messageIDs.runs ?? [])).reduce(0) { $0 + $1.heads.count }
    let used = runs.count * 120 / IndexFormat.pageSize + 2 * heads
    #expect((storage.snapshot.files["index"]?.count ?? 0) / IndexFormat.pageSize < 4 * used + 20)
    try Self.expectSame(story.state, storage)
  }

  // MARK: - Crashes

  private static func crashing(_ storage: CrashingStorage) throws {
    _ = try told(storage, strangers: 400) { try $0.takeSnapshot() }
  }

  private static let calls: Int = {
    let storage = CrashingStorage()
    try? crashing(storage)
    return storage.calls.count
  }()

  @Test("a crash at every write, sync and rename leaves what every question can be answered from", arguments: 0..<4)
  func crash(part: Int) throws {
    #expect(Self.calls > 20)
    for call in 1...Self.calls where call % 4 == part {
      let storage = CrashingStorage()
      storage.fail(at: call)
      try? Self.crashing(storage)
      for fate in CrashingStorage.Fate.allCases {
        let image = storage.crashImage(seed: UInt64(call), fate: fate)
        let story = try Story(on: MemoryStorage(image))
        let expected = try Answer.all(inLogOf: MemoryStorage(image))
        #expect(Answer.all(story.state) == expected, "\(call) \(fate)")
        #expect(story.state.indexDamage == nil, "\(call) \(fate)")
      }
    }
  }
}
