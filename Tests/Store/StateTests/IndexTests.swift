import Timelines
import MessageLog
import TestSupport
import Testing

@testable import State

/// Entries on pages: bounded memory, and the same answers whatever becomes of the files.
@Suite("state: the index on the disk")
struct IndexTests {
  private static let derived = ["index", "checkpoint"]

  /// A story with a checkpoint behind its last burst but some.
  private static func told(_ storage: any LogStorage, bursts: Int = 55) throws -> Story {
    let story = try Story(on: storage)
    for _ in 0..<bursts / 5 {
      try story.go(5)
      try story.learn()
      try story.takeSnapshot()
    }
    try story.go(2)
    return story
  }

  /// Starts anew on what is there, and asks.
  private func answers(on content: MemoryStorage.Content) throws -> (answers: [Answer], story: Story) {
    let story = try Story(on: MemoryStorage(content))
    return (Answer.all(story.state), story)
  }

  @Test("memory is bounded, and every answer is that of a log in memory")
  func bounded() throws {
    let storage = MemoryStorage()
    let story = try Self.told(storage)
    #expect(story.mostHeld <= Story.heldLimit)
    #expect(try #require(story.pages).reads > 0 && story.state.indexDamage == nil)
    let stored = story.state.accounts[1]?.conversations.values.reduce(0) { $0 + $1.timeline.count } ?? 0
    #expect(stored > 4 * Story.heldLimit)
    #expect(try Answer.all(story.state) == Answer.all(inLogOf: storage))
  }

  @Test("a start reads no page, and what it finds is the same")
  func start() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage)
    let before = Answer.all(told.state)
    try told.takeSnapshot()
    let story = try Story(on: MemoryStorage(storage.snapshot))
    #expect(story.opened.checkpoint != nil && story.pages?.reads == 0)
    #expect(Answer.all(story.state) == before)
    #expect(try #require(story.pages).reads > 0 && story.state.indexDamage == nil)
  }

  @Test("what a checkpoint says of long conversations is read when it is needed, also when another is there by then")
  func leftInCheckpoint() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage)
    try told.takeSnapshot()
    let before = Answer.all(told.state)
    let left = try Story(on: storage)
    for _ in 0..<2 { try left.takeSnapshot() }
    let again = try Story(on: storage)
    storage.change { $0.files["checkpoint"] = [] }
    for story in [left, again] {
      #expect(story.opened.checkpoint != nil && Answer.all(story.state) == before)
      #expect(story.state.indexDamage == nil)
    }
  }

  @Test("at the end no entry stays in memory that need not: the next start has none")
  func theEnd() throws {
    let storage = MemoryStorage()
    let story = try Self.told(storage)
    while story.held == 0 { try story.go(1) }
    story.state.eviction?.rest(.last)
    try story.storePages()
    #expect(story.held == 0)
    let before = Answer.all(story.state)
    try story.takeSnapshot()
    let next = try Story(on: storage)
    #expect(next.held == 0 && next.pages?.reads == 0 && Answer.all(next.state) == before)
  }

  @Test("where that can not be read any more it is damage, and the checkpoint stays as it is")
  func lostInCheckpoint() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage)
    told.state.eviction?.rest(.last)
    try told.storePages()
    try told.takeSnapshot()
    let before = Answer.all(told.state)
    for asksFirst in [true, false] {
      let copy = MemoryStorage(storage.snapshot)
      let story = try Story(on: copy)
      let checkpoint = copy.snapshot.files["checkpoint"]
      copy.change { $0.losesVersions = true }
      if asksFirst { _ = Answer.all(story.state) }
      try story.takeSnapshot()
      let isSame = copy.snapshot.files["checkpoint"] == checkpoint
      #expect(story.opened.checkpoint != nil && isSame && story.state.indexDamage != nil)
      #expect(Answer.all(try story.madeAnew()) == before)
    }
  }

  @Test("without any file that is derived the answers are the same", arguments: [["index"], ["checkpoint"], derived])
  func deleted(names: [String]) throws {
    let storage = MemoryStorage()
    let before = Answer.all(try Self.told(storage).state)
    var content = storage.snapshot
    for name in names { #expect(content.files.removeValue(forKey: name) != nil) }
    let (after, story) = try answers(on: content)
    #expect(after == before && story.opened.checkpoint == nil && story.state.indexDamage == nil)
    try story.go(12)
    #expect(try Answer.all(story.state) == Answer.all(inLogOf: story.storage))
  }

  @Test(
    "a damaged page is reported once, and nothing is made of the state any more; one made anew is whole",
    arguments: 1...5
  )
  func damagedPage(number: Int) throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage)
    try told.takeSnapshot()
    let before = Answer.all(told.state)
    let story = try Story(on: MemoryStorage(storage.snapshot))
    var reported: [IndexDamage] = []
    story.pages?.onDamage = { reported.append($0) }
    (story.storage as? MemoryStorage)?.change { $0.files["index"]?[number * IndexFormat.pageSize + 77] ^= 1 }
    let after = Answer.all(story.state)
    // Some page is free.
    guard let damage = story.state.indexDamage else { return #expect(after == before) }
    #expect(reported == [damage] && damage.description == "page \(number) is not as it was written")
    story.state.eviction?.rest(.last)
    #expect(story.state.eviction?.takePages() == nil)
    #expect(Snapshot(story.state, of: story.uuid, upTo: 9, LogLocation(packed: 0)) == nil)
    #expect(Answer.all(try story.madeAnew()) == before)
  }

  @Test("a page that cannot be read is damage that says why")
  func unreadablePage() throws {
    let story = try Self.told(MemoryStorage())
    (story.storage as? MemoryStorage)?.change { $0.files["index"] = [] }
    _ = Answer.all(story.state)
    #expect(story.state.indexDamage?.description.contains("read index: it ends before") == true)
  }

  @Test("damage met while a start applies the records behind the checkpoint: it is not used, and the report says why")
  func damagedAtStart() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage)
    try told.takeSnapshot()
    try told.learn()
    try told.go(3)
    let before = Answer.all(told.state)
    storage.change { content in
      let count = content.files["index"]?.count ?? 0
      for offset in stride(from: IndexFormat.pageSize + 40, to: count, by: IndexFormat.pageSize) {
        content.files["index"]?[offset] ^= 1
      }
    }
    let story = try Story(on: storage)
    #expect(story.opened.checkpoint == nil)
    #expect(story.opened.report.checkpointIgnored?.hasPrefix("the index is damaged: page ") == true)
    #expect(Answer.all(story.state) == before && story.state.indexDamage == nil)
  }

  @Test("an index cut short, or another log's, is none")
  func foreign() throws {
    let storage = MemoryStorage()
    let before = Answer.all(try Self.told(storage).state)
    var cut = storage.snapshot
    cut.files["index"] = Array((cut.files["index"] ?? []).prefix(2 * IndexFormat.pageSize))
    var foreign = storage.snapshot
    foreign.files["index"]?[20] ^= 1
    for content in [cut, foreign] {
      let (after, story) = try answers(on: content)
      #expect(after == before && story.opened.checkpoint == nil && story.state.indexDamage == nil)
    }
  }

  @Test("an index of one time beside a checkpoint of another makes no difference")
  func mixedTimes() throws {
    let storage = MemoryStorage()
    let story = try Story(on: storage)
    var times: [MemoryStorage.Content] = []
    for _ in 0..<3 {
      try story.go(15)
      try story.learn()
      times.append(storage.snapshot)
    }
    let expected = try Answer.all(inLogOf: storage)
    for index in times {
      for checkpoint in times {
        var content = storage.snapshot
        content.files["index"] = index.files["index"]
        content.files["checkpoint"] = checkpoint.files["checkpoint"]
        #expect(try answers(on: content).answers == expected)
      }
    }
  }

  @Test("a damaged head or leaf of message ids is noticed when an id is looked up, and while runs are merged")
  func damagedMessageIDs() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage, bursts: 30)
    let messageIDs = try #require(told.state.accounts[1]).messageIDs
    while messageIDs.runs.count < 3 { try told.go(1) }
    try told.takeSnapshot()
    let (before, content) = (Answer.all(told.state), storage.snapshot)
    let head = try #require(messageIDs.runs.last?.heads.first).page
    let leaf = try #require(told.pages?.head(head).map(HeadPage.leaves)?.first).page
    for (page, merges) in [(head, false), (leaf, false), (head, true), (leaf, true)] {
      var damaged = content
      damaged.files["index"]?[Int(page.number) * IndexFormat.pageSize + 30] ^= 4
      let story = try Story(on: MemoryStorage(damaged))
      #expect(story.opened.checkpoint != nil)
      if merges {
        story.state.eviction?.rest(.long)
        try story.storePages()
      } else {
        _ = Answer.all(story.state)
      }
      #expect(story.state.indexDamage?.description == "page \(page.number) is not as it was written")
      #expect(Answer.all(try story.madeAnew()) == before)
    }
  }

  @Test("a full disk leaves in memory what should leave it, and nothing fails")
  func fullDisk() throws {
    let storage = MemoryStorage()
    let story = try Story(on: storage)
    try story.go(8)
    // Entries and message ids take turns.
    for _ in 0..<6 {
      storage.failNext("write index", StorageError(.noSpace, "full"))
      #expect(throws: StorageError.self) { while true { try story.go(1) } }
      let messageIDs = try #require(story.state.accounts[1]).messageIDs.recentCount
      #expect(story.held > Story.heldLimit || messageIDs > story.pages?.limits.messageIDs ?? .max)
    }
    #expect(try Answer.all(story.state) == Answer.all(inLogOf: storage))
    try story.storePages()
    #expect(story.held <= Story.heldLimit)
    #expect(try Answer.all(story.state) == Answer.all(inLogOf: storage))
  }

  @Test("when a burst is over, little stays in memory; what it left is put in order when no other comes")
  func rest() throws {
    let storage = MemoryStorage()
    let story = try Self.told(storage, bursts: 30)
    let messageIDs = try #require(story.state.accounts[1]).messageIDs
    while messageIDs.runs.count < 3 || story.held <= Story.heldLimit / 8 { try story.go(1) }
    let runs = messageIDs.runs.count
    for (pause, isInterrupted, isInOrder) in [
      (Eviction.Pause.betweenBursts, false, false), (.long, true, false), (.long, false, true),
    ] {
      story.state.eviction?.rest(pause)
      if isInterrupted { story.state.eviction?.interruptRest() }
      try story.storePages()
      #expect(story.held <= Story.heldLimit / 8 && messageIDs.recentCount <= max(64, Story.heldLimit / 2) / 32)
      #expect((messageIDs.runs.count < runs) == isInOrder)
    }
    #expect(try Answer.all(story.state) == Answer.all(inLogOf: storage))
  }

  @Test("after a sync of the index that failed no checkpoint names its pages")
  func failedSync() throws {
    let storage = MemoryStorage()
    let story = try Self.told(storage)
    let checkpoint = storage.snapshot.files["checkpoint"]
    storage.failNext("sync index")
    #expect(throws: StorageError.self) { try story.takeSnapshot() }
    try story.go(12)
    #expect(storage.snapshot.files["checkpoint"] == checkpoint)
    #expect(try answers(on: storage.snapshot).answers == Answer.all(inLogOf: storage))
  }

  @Test("pages are used again: the file does not grow with what changes")
  func reuse() throws {
    let storage = MemoryStorage()
    let story = try Self.told(storage, bursts: 30)
    for _ in 0..<20 {
      try story.go(2)
      try story.learn()
      try story.takeSnapshot()
    }
    let pages = (storage.snapshot.files["index"]?.count ?? 0) / IndexFormat.pageSize
    let messages = story.state.accounts[1]?.conversations.values.reduce(0) { $0 + $1.timeline.count } ?? 0
    // Of message ids, two for each message, a run has a few pages, and a new one is made of each two while they merge.
    let heads = story.state.accounts[1]?.messageIDs.runs.reduce(0) { $0 + $1.heads.count } ?? 0
    #expect(heads > 0 && pages < 6 * messages / 1024 + 24 + 6 * heads)
  }

  // MARK: - Crashes

  private static func crashing(_ storage: CrashingStorage) throws {
    let story = try Story(on: storage)
    for _ in 0..<7 {
      try story.go(3)
      try story.learn()
      try story.takeSnapshot()
    }
  }

  private static let calls: Int = {
    let storage = CrashingStorage()
    try? crashing(storage)
    return storage.calls.count
  }()

  @Test("a crash at every write, sync and rename leaves what every question can be answered from", arguments: 0..<8)
  func crash(part: Int) throws {
    #expect(Self.calls > 80)
    for call in 1...Self.calls where call % 8 == part {
      let storage = CrashingStorage()
      storage.fail(at: call)
      try? Self.crashing(storage)
      for fate in CrashingStorage.Fate.allCases {
        let image = storage.crashImage(seed: UInt64(call), fate: fate)
        let story = try Story(on: MemoryStorage(image))
        let expected = try Answer.all(inLogOf: MemoryStorage(image))
        #expect(Answer.all(story.state) == expected, "\(storage.calls.last ?? "") \(fate)")
        // What a checkpoint names was durable before it: nothing had to be searched for.
        #expect(story.state.indexDamage == nil, "\(storage.calls.last ?? "") \(fate)")
        let ignored = story.opened.report.checkpointIgnored
        #expect(ignored?.contains("damaged") != true, "\(storage.calls.last ?? "") \(fate)")
      }
    }
  }
}
