import Timelines
import MessageLog
import Records
import TestSupport
import Testing

@testable import State

/// Ids on pages: whatever their number, each finds its record, in memory that has a bound.
@Suite("state: message ids")
struct MessageIDIndexTests {
  /// An index that writes its pages at once.
  private final class Shelf {
    let storage = MemoryStorage()
    let pages: IndexPages
    let index: MessageIDIndex
    /// The most message ids that were in memory.
    private(set) var most = 0
    private(set) var last: UInt64 = 0
    /// Pages that were written.
    private(set) var written = 0

    init(heldLimit: Int = 512) {
      pages = IndexPages(of: .nobody, in: storage, limits: MemoryLimits(entries: heldLimit))
      index = MessageIDIndex(in: pages, of: pages.log)
    }

    func insert(_ kind: MessageIDKind, _ hashes: some Sequence<UInt64>) throws {
      for hash in hashes {
        last += 1
        index.insert(kind, hash, id: last)
        most = max(most, index.recentCount)
        try settle()
      }
    }

    func settle(_ pause: Eviction.Pause? = nil) throws {
      while true {
        let written = index.takePages(in: pause)
        if written.isEmpty { return }
        try write(written)
        index.stored(true)
      }
    }

    func write(_ written: [WrittenPage]) throws {
      self.written += written.count
      for (page, bytes) in written {
        try storage.writePages(IndexFormat.fileName, bytes, at: IndexFormat.offset(ofPage: page.number))
      }
    }
  }

  private static func hash(_ number: UInt64) -> UInt64 { MessageIDHash.of("text \(number)") }

  @Test("each of many is found, none that is not there, and few are in memory")
  func many() throws {
    let shelf = Shelf()
    let count: UInt64 = 60_000
    try shelf.insert(.archiveID, (1...count).lazy.map(Self.hash))
    #expect(shelf.most <= shelf.pages.limits.messageIDs + 1)
    for _ in 0..<2 {
      for number in stride(from: 1, through: count, by: 7) {
        #expect(shelf.index.ids(.archiveID, Self.hash(number)).contains(number))
        #expect(shelf.index.newest(.copy, Self.hash(number)) == nil)
      }
      var wrong = 0
      for number in count + 1...2 * count { wrong += shelf.index.newest(.archiveID, Self.hash(number)) == nil ? 0 : 1 }
      // A key has 38 bits of a hash.
      #expect(wrong <= 2)
      try shelf.settle(.long)
    }
    #expect(shelf.index.runs.count < 6)
  }

  @Test("what is not there costs no reads once the filters are in memory")
  func filters() throws {
    let shelf = Shelf()
    try shelf.insert(.archiveID, (1...40_000).lazy.map(Self.hash))
    try shelf.settle(.long)
    for number: UInt64 in 100_000..<101_000 { _ = shelf.index.newest(.archiveID, Self.hash(number)) }
    let before = shelf.pages.reads
    for number: UInt64 in 200_000..<210_000 { _ = shelf.index.newest(.archiveID, Self.hash(number)) }
    #expect(shelf.pages.reads - before < 10_000 * shelf.index.runs.count / 20)
  }

  @Test("pages take some eight bytes a message id")
  func size() throws {
    let shelf = Shelf(heldLimit: 20_000)
    try shelf.insert(.copy, (1...200_000).lazy.map(Self.hash))
    try shelf.settle(.long)
    #expect(shelf.index.runs.reduce(0) { $0 + $1.count } + shelf.index.recentCount == 200_000)
    // No checkpoint names any page: those that are not in use are free.
    #expect(shelf.pages.allocator.count * IndexFormat.pageSize < 200_000 * 10)
  }

  @Test(
    "while bursts come one behind the other a message id is merged once for a dozen runs, and not with each that comes")
  func bursts() throws {
    let shelf = Shelf(heldLimit: 20_000)
    try shelf.insert(.copy, (1...400_000).lazy.map(Self.hash))
    // Once as a run of its own, and about once more; two runs at a time, each would be written five times.
    let leaves = shelf.index.runs.reduce(0) { $0 + $1.count } / 2_300
    #expect(shelf.written > leaves && shelf.written < 3 * leaves)
  }

  @Test("a merge gives back what it has read, and leaves nothing out when it is broken off", arguments: [3, 40, 400])
  func merging(steps: Int) throws {
    let shelf = Shelf(heldLimit: 20_000)
    try shelf.insert(.copy, (1...200_000).lazy.map(Self.hash))
    let before = shelf.pages.allocator.count
    var most = before
    for _ in 0..<steps {
      let written = shelf.index.takePages(in: .long)
      try shelf.write(written)
      most = max(most, shelf.pages.allocator.count)
      if !written.isEmpty { shelf.index.stored(true) }
    }
    // No more than a step and what is between two heads is there twice.
    #expect(most < before + 80)
    if !shelf.index.takePages(in: .long).isEmpty { shelf.index.stored(false) }
    for number: UInt64 in 1...200_000 where number % 31 == 0 {
      #expect(shelf.index.ids(.copy, Self.hash(number)).contains(number))
    }
    try shelf.settle(.long)
    #expect(shelf.index.unnamedPages.isEmpty && shelf.pages.damage == nil)
    let count = shelf.index.runs.reduce(0) { $0 + $1.count } + shelf.index.recentCount
    #expect(count >= 200_000 && count < 200_500)
  }

  @Test("of records with the same message id, the newest are found, newest first, up to the limit")
  func same() throws {
    let shelf = Shelf()
    for _ in 0..<3000 { try shelf.insert(.copy, [1, 2, 3, Self.hash(shelf.last)]) }
    for pause in [Eviction.Pause?.none, .long] {
      try shelf.settle(pause)
      for hash: UInt64 in 1...3 {
        let newest = 4 * 2999 + hash
        #expect(shelf.index.ids(.copy, hash) == (0..<UInt64(MessageIDEntry.mostOfKey)).map { newest - 4 * $0 })
        #expect(shelf.index.newest(.copy, hash) == newest)
      }
    }
  }

  @Test("a message id of two parts is not that of other parts which read the same together")
  func hashesOfParts() {
    let hashes = [
      MessageIDHash.of(("a@b/c", "d")), MessageIDHash.of(("a@b/", "cd")), MessageIDHash.of(("a@b/cd", "")),
      MessageIDHash.of("a@b/cd"),
    ]
    #expect(Set(hashes).count == 4)
  }

  @Test("a copy is told by its sender and by the origin-id, else by the stanza's id")
  func hashOfSender() {
    var message = MessageRecord(account: 1, jid: "a@b", peer: "a@b/c", time: 1, stanzaID: "d")
    #expect(message.copyHash == MessageIDHash.of(("a@b/c", "d")))
    message.originID = "e"
    #expect(message.copyHash == MessageIDHash.of(("a@b/c", "e")))
    message.peer = "a@b/f"
    #expect(message.copyHash == MessageIDHash.of(("a@b/f", "e")))
  }

  @Test("message ids of any key and any number come back from a page as they went")
  func pages() throws {
    var random = SeededGenerator(seed: 3)
    var allocator = PageAllocator()
    for widest in [0, 8, 20, 40] as [UInt64] {
      var messageIDs: [MessageIDEntry] = []
      for _ in 0..<30_000 {
        messageIDs.append(
          MessageIDEntry(key: random.next() >> (64 - max(1, widest)), id: random.next() >> (random.next() % 64)))
      }
      messageIDs.sort { $0.precedes($1) }
      var pages = RunWriter<MessageIDEntry>()
      pages.fill(messageIDs, &allocator)
      let run = Run(heads: pages.heads)
      let written = Dictionary(uniqueKeysWithValues: pages.take().map { ($0.page, $0.bytes) })
      let storage = MemoryStorage()
      for (page, bytes) in written {
        try storage.writePages(IndexFormat.fileName, bytes, at: IndexFormat.offset(ofPage: page.number))
      }
      let read = IndexPages(of: .nobody, in: storage)
      var cursor = RunCursor<MessageIDEntry>([run])
      var found: [MessageIDEntry] = []
      while let entry = cursor.next(read) { found.append(entry) }
      #expect(read.damage == nil && pages.unnamed.isEmpty)
      #expect(found == Self.newest(of: messageIDs))
      for entry in found.prefix(500) {
        let heads = run.places(of: entry.key).compactMap { written[run.heads[$0].page] }
        #expect(heads.contains { HeadPage.mayHold(entry.key, $0) })
      }
    }
  }

  /// Those that are kept, of such in their order.
  private static func newest(of messageIDs: [MessageIDEntry]) -> [MessageIDEntry] {
    var kept: [MessageIDEntry] = []
    for entry in messageIDs where kept.last != entry {
      if kept.suffix(MessageIDEntry.mostOfKey).count(where: { $0.key == entry.key }) < MessageIDEntry.mostOfKey {
        kept.append(entry)
      }
    }
    return kept
  }

  @Test("those in memory are put in their order, and found in whatever order they came")
  func recent() {
    var random = SeededGenerator(seed: 5)
    for widest in [1, 6, 20, 40] as [UInt64] {
      var recent = RecentMessageIDs()
      var messageIDs: [MessageIDEntry] = []
      for number in 1...3_000 as ClosedRange<UInt64> {
        let id = random.next() % 9 == 0 ? random.next() % 3_000 : number
        messageIDs.append(MessageIDEntry(key: random.next() >> (64 - widest), id: id))
        recent.insert(messageIDs[messageIDs.count - 1])
        guard random.next() % 64 == 0 else { continue }
        var ids: [UInt64] = []
        let key = messageIDs[Int(random.next() % UInt64(messageIDs.count))].key
        recent.collect(key, into: &ids)
        #expect(ids == messageIDs.reversed().filter { $0.key == key }.prefix(MessageIDEntry.mostOfKey).map(\.id))
      }
      #expect(recent.sorted == messageIDs.sorted { $0.precedes($1) })
    }
  }

  @Test("a page of anything is none, or says something, and nothing breaks")
  func hostilePages() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<300 {
      var bytes = [UInt8](repeating: 0, count: IndexFormat.pageSize)
      for _ in 0..<40 { bytes[Int(random.next() % 64)] = UInt8(truncatingIfNeeded: random.next()) }
      _ = try? MessageIDPage.unpack(bytes)
      _ = try? MessageIDPage.visit(random.next(), on: bytes) { _ in true }
      _ = try? EvictedRecord.unpack(bytes)
      _ = try? HeadPage.leaves(HeadPage.checked(bytes))
      var recent = RecentMessageIDs()
      _ = recent.unpack(Array(bytes.prefix(Int(random.next() % 64))))
    }
  }
}
