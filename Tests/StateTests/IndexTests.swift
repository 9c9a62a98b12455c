import Conversations
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
    #expect(try #require(story.pages).reads > 0 && story.pages?.mends == 0)
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
    #expect(try #require(story.pages).reads > 0 && story.pages?.mends == 0)
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
      #expect(story.pages?.mends == 0)
    }
  }

  @Test("at the end no entry stays in memory that need not: the next start has none")
  func theEnd() throws {
    let storage = MemoryStorage()
    let story = try Self.told(storage)
    while story.state.held == 0 { try story.go(1) }
    story.state.rest(.last)
    try story.storePages()
    #expect(story.state.held == 0)
    let before = Answer.all(story.state)
    try story.takeSnapshot()
    let next = try Story(on: storage)
    #expect(next.state.held == 0 && next.pages?.reads == 0 && Answer.all(next.state) == before)
  }

  @Test("where that can not be read any more the answers are the same, and the checkpoint stays as it is")
  func lostInCheckpoint() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage)
    try told.takeSnapshot()
    let before = Answer.all(told.state)
    for asksFirst in [true, false] {
      let story = try Story(on: storage)
      #expect(story.opened.checkpoint != nil)
      let checkpoint = storage.snapshot.files["checkpoint"]
      storage.change { $0.losesVersions = true }
      if asksFirst { #expect(Answer.all(story.state) == before) }
      try story.takeSnapshot()
      #expect(storage.snapshot.files["checkpoint"] == checkpoint)
      #expect(Answer.all(story.state) == before)
      try story.storePages()
      #expect(story.state.held <= Story.heldLimit && Answer.all(story.state) == before)
      storage.change { $0.losesVersions = false }
    }
    #expect(Answer.all(try Story(on: storage).state) == before)
  }

  @Test("without any file that is derived the answers are the same", arguments: [["index"], ["checkpoint"], derived])
  func deleted(names: [String]) throws {
    let storage = MemoryStorage()
    let before = Answer.all(try Self.told(storage).state)
    var content = storage.snapshot
    for name in names { #expect(content.files.removeValue(forKey: name) != nil) }
    let (after, story) = try answers(on: content)
    #expect(after == before && story.opened.checkpoint == nil && story.pages?.mends == 0)
    try story.go(12)
    #expect(try Answer.all(story.state) == Answer.all(inLogOf: story.storage))
  }

  @Test("a page that is damaged is found again in the log, and mended", arguments: 1...5)
  func damagedPage(number: Int) throws {
    let storage = MemoryStorage()
    let before = Answer.all(try Self.told(storage).state)
    var content = storage.snapshot
    var index = try #require(content.files["index"])
    index[number * IndexFormat.pageSize + 77] ^= 1
    content.files["index"] = index
    let (after, story) = try answers(on: content)
    #expect(after == before)
    // Some page is free.
    guard story.pages?.mends != 0 else { return }
    #expect(story.opened.checkpoint != nil && story.pages?.mends == 1)
    let damage = try #require(story.state.takeIndexDamage())
    #expect(damage.page == UInt32(number) && damage.error == nil && story.state.takeIndexDamage() == nil)
    try story.storePages()
    try story.takeSnapshot()
    let again = try Story(on: MemoryStorage((story.storage as? MemoryStorage)?.snapshot ?? .init()))
    #expect(Answer.all(again.state) == before && again.pages?.mends == 0)
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
      #expect(after == before && story.opened.checkpoint == nil && story.pages?.mends == 0)
    }
  }

  @Test("an index of one time beside a checkpoint of another makes no difference")
  func mixedTimes() throws {
    let storage = MemoryStorage()
    let story = try Story(on: storage)
    var times: [MemoryStorage.Content] = []
    for _ in 0..<4 {
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

  @Test("a head or a leaf of message ids that is damaged is found again in the log")
  func damagedMessageIDs() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage)
    told.state.rest(.long)
    try told.storePages()
    try told.takeSnapshot()
    let (before, content) = (Answer.all(told.state), storage.snapshot)
    let run = try #require(told.state.accounts[1]?.messageIDs.runs.first)
    let head = try #require(run.heads.first).page
    let leaf = try #require(told.pages?.bytes(of: head).flatMap(HeadPage.leaves)?.first).page
    for page in [head, leaf] {
      var damaged = content
      damaged.files["index"]?[Int(page.number) * IndexFormat.pageSize + 30] ^= 4
      let (after, story) = try answers(on: damaged)
      #expect(after == before && story.opened.checkpoint != nil && story.pages?.mends == 1)
      // What was found goes to other pages, and the damage is behind us.
      story.state.rest(.long)
      try story.storePages()
      try story.takeSnapshot()
      let again = try Story(on: MemoryStorage((story.storage as? MemoryStorage)?.snapshot ?? .init()))
      #expect(Answer.all(again.state) == before && again.pages?.mends == 0)
    }
  }

  @Test("a run is damaged while it is merged: nothing is lost")
  func damagedMerge() throws {
    let storage = MemoryStorage()
    let told = try Self.told(storage, bursts: 30)
    let messageIDs = try #require(told.state.accounts[1]).messageIDs
    while messageIDs.runs.count < 3 { try told.go(1) }
    try told.takeSnapshot()
    let runs = messageIDs.runs
    for run in runs {
      var content = storage.snapshot
      content.files["index"]?[Int(try #require(run.heads.first).page.number) * IndexFormat.pageSize] ^= 4
      let story = try Story(on: MemoryStorage(content))
      story.state.rest(.long)
      try story.storePages()
      #expect(story.pages?.mends ?? 0 <= 1 && story.state.accounts[1]?.messageIDs.runs.count ?? 99 < runs.count)
      #expect(try Answer.all(story.state) == Answer.all(inLogOf: storage))
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
      #expect(story.state.held > Story.heldLimit || messageIDs > story.pages?.limits.messageIDs ?? .max)
    }
    #expect(try Answer.all(story.state) == Answer.all(inLogOf: storage))
    try story.storePages()
    #expect(story.state.held <= Story.heldLimit)
    #expect(try Answer.all(story.state) == Answer.all(inLogOf: storage))
  }

  @Test("when a burst is over, little stays in memory; what it left is put in order when no other comes")
  func rest() throws {
    let storage = MemoryStorage()
    let story = try Self.told(storage, bursts: 30)
    let messageIDs = try #require(story.state.accounts[1]).messageIDs
    while messageIDs.runs.count < 3 || story.state.held <= Story.heldLimit / 8 { try story.go(1) }
    let runs = messageIDs.runs.count
    for (pause, isInterrupted, isInOrder) in [
      (State.Pause.betweenBursts, false, false), (.long, true, false), (.long, false, true),
    ] {
      story.state.rest(pause)
      if isInterrupted { story.state.interruptRest() }
      try story.storePages()
      #expect(story.state.held <= Story.heldLimit / 8 && messageIDs.recentCount <= max(64, Story.heldLimit / 2) / 32)
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
    // Of message ids a run has a page or two, and a new one is made of each two while they are merged.
    let heads = story.state.accounts[1]?.messageIDs.runs.reduce(0) { $0 + $1.heads.count } ?? 0
    #expect(heads > 0 && pages < 3 * messages / 1024 + 12 + 6 * heads)
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
        #expect(story.pages?.mends == 0, "\(storage.calls.last ?? "") \(fate)")
        #expect(story.opened.report.checkpointIgnored != "its pages are damaged", "\(storage.calls.last ?? "") \(fate)")
      }
    }
  }
}
