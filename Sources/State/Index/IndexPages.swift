import Bytes
import Conversations
package import MessageLog

/// The pages on which entries are that left memory: where they are, which are free, and the last ones read. Confined to
/// the thread that has the state; what has to be written is handed out as a `PageBatch`.
package final class IndexPages {
  let storage: any LogStorage
  let log: LogUUID
  let limits: MemoryLimits
  /// How many bytes conversations take in memory, about.
  var loadedWeight = 0
  var allocator = PageAllocator()
  /// The checkpoint that is durable, by the last record that it covers; 0: none.
  var durableCheckpoint: UInt64 = 0
  /// The header on the disk says that the pages are no checkpoint's, or the one that is durable.
  var isHeaderCurrent = false
  /// A sync failed: nobody knows which pages are on the disk, and no checkpoint may name them. Or what is known of pages
  /// could not be read.
  package internal(set) var isSuspect = false
  private var cache = PageCache()
  /// Finds what damaged pages should say; nil while the log cannot be read yet.
  var mending: IndexMending?
  /// The damage that nobody has been told of yet.
  var damage: IndexDamage?
  /// There are more message ids in memory than should be, or more runs.
  var wantsMessageIDs = false
  /// Head pages of message ids that are in memory.
  var heads = 0
  /// A page was damaged, and nothing could mend it: the state are not sound.
  package private(set) var isBroken = false
  /// Pages that were not what they should be; their entries have been found again.
  private(set) var mended: [(account: UInt32, jid: String, page: IndexPage)] = []
  /// Conversations that were found again as a whole.
  private var found: [(account: UInt32, jid: String)] = []
  /// How many pages were read from the disk, and how many of them were not what they should be.
  package private(set) var reads = 0
  package private(set) var mends = 0

  /// Pages of a log's index.
  package init(of log: LogUUID, in storage: any LogStorage, limits: MemoryLimits = .usual) {
    (self.log, self.storage, self.limits) = (log, storage, limits)
  }

  /// The same pages, none of them in use.
  convenience init(like other: IndexPages) {
    self.init(of: other.log, in: other.storage, limits: other.limits)
  }

  /// Head pages of message ids that may be in memory: 12 MiB, while messages come and their ids are looked up.
  static let mostHeads = 768

  /// Conversations take much more memory than they should.
  var isOverfull: Bool { loadedWeight > 2 * limits.conversations }

  /// A checkpoint would free much of the file.
  var wantsCheckpoint: Bool { allocator.retiredCount > max(1024, allocator.count / 4) }

  /// Bytes of the index on the disk that are in use.
  package var byteCount: Int { allocator.count * IndexFormat.pageSize }

  /// How many pages the file has as of a checkpoint: none where it is missing, another log's, or of another time.
  func pages(asOf checkpoint: UInt64) -> UInt32 {
    guard let size = try? storage.size(ofPages: IndexFormat.fileName),
      let header = read(at: 0, count: IndexFormat.headerSize),
      IndexFormat.isHeader(header, of: log, serving: checkpoint)
    else { return 0 }
    return UInt32(clamping: size / UInt64(IndexFormat.pageSize))
  }

  /// The checkpoint of that record names all pages but these.
  func restored(_ free: PageAllocator.Free, of checkpoint: UInt64) {
    allocator = PageAllocator(free)
    (durableCheckpoint, isHeaderCurrent) = (checkpoint, allocator.isUsed)
  }

  /// The entries of a chunk; where its page is not what it should be, they are found in the log.
  func entries(of chunk: StoredChunk, account: UInt32, jid: String) -> PackedEntries {
    if let entries = cache[chunk.page] { return entries }
    reads += 1
    let bytes = read(at: IndexFormat.offset(ofPage: chunk.page.number), count: IndexFormat.pageSize)
    let entries = bytes.flatMap { IndexFormat.entries($0, of: chunk) } ?? mend(chunk, account, jid)
    cache[chunk.page] = entries
    return entries
  }

  /// The content of a page; nil if it is damaged.
  func bytes(of page: IndexPage) -> [UInt8]? {
    reads += 1
    let bytes = read(at: IndexFormat.offset(ofPage: page.number), count: IndexFormat.pageSize)
    if let bytes, CRC32C.checksum(bytes) == page.checksum { return bytes }
    notice(page)
    return nil
  }

  /// All entries of a conversation of which a checkpoint says what cannot be.
  func found(account: UInt32, jid: String) -> [Entry] {
    if mending != nil { found.append((account, jid)) }
    return find { $0.entries(of: account, jid) }
  }

  /// The conversations whose keys lie in some ranges, of which pages are damaged.
  func conversations(_ account: UInt32, _ keys: [ClosedRange<UInt64>]) -> [Conversation] {
    find { $0.conversations(of: account, keys) }
  }

  /// The message ids of an account's records, of which pages are damaged.
  func messageIDs(_ account: UInt32) -> [FoundMessageID] { find { $0.messageIDs(of: account) } }

  /// The log cannot be read either: what is known is not whole, and no checkpoint may be made of it.
  func couldNotMend(_ error: StorageError) {
    isSuspect = true
    damage?.error = error
  }

  func release(_ page: IndexPage) {
    cache[page] = nil
    allocator.retire(page.number)
  }

  /// Hands out what has been mended, to be taken back into memory.
  func takeMended() -> [(account: UInt32, jid: String, page: IndexPage)] {
    defer { mended = [] }
    return mended
  }

  /// Hands out the conversations that were found again as a whole, to be counted.
  func takeFound() -> [(account: UInt32, jid: String)] {
    defer { found = [] }
    return found
  }

  private func notice(_ page: IndexPage) {
    damage?.count += 1
    damage = damage ?? IndexDamage(page: page.number)
  }

  private func find<Found>(_ body: (IndexMending) -> [Found]) -> [Found] {
    mends += 1
    if mending == nil { isBroken = true }
    return mending.map(body) ?? []
  }

  private func mend(_ chunk: StoredChunk, _ account: UInt32, _ jid: String) -> PackedEntries {
    notice(chunk.page)
    if mending != nil { mended.append((account, jid, chunk.page)) }
    let found = find { $0.entries(of: chunk, account, jid) }
    // Records that the log has lost, too, leave rows of which nothing is known.
    let lost = Entry(time: found.last?.time ?? chunk.first.time, id: found.last?.id ?? chunk.first.id)
    return PackedEntries(Array(found) + Array(repeating: lost, count: Int(chunk.count) - found.count))
  }

  /// So many bytes of the file; nil where they are not all there.
  private func read(at offset: UInt64, count: Int) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = (try? unsafe storage.readPages(IndexFormat.fileName, at: offset, into: .init(buffer))) ?? 0
    }
    return bytes.count == count ? bytes : nil
  }
}

/// The pages that were read last. Bounded.
private struct PageCache {
  static let capacity = 32

  private var pages: [(page: IndexPage, entries: PackedEntries, used: UInt64)] = []
  private var clock: UInt64 = 0

  subscript(page: IndexPage) -> PackedEntries? {
    mutating get {
      guard let index = index(of: page) else { return nil }
      use(index)
      return pages[index].entries
    }
    set {
      guard let newValue else { return remove(page) }
      if pages.count < Self.capacity {
        pages.append((page, newValue, 0))
        use(pages.count - 1)
      } else if let oldest = pages.indices.min(by: { pages[$0].used < pages[$1].used }) {
        pages[oldest] = (page, newValue, 0)
        use(oldest)
      }
    }
  }

  private mutating func use(_ index: Int) {
    clock += 1
    pages[index].used = clock
  }

  private mutating func remove(_ page: IndexPage) {
    if let index = index(of: page) { pages.remove(at: index) }
  }

  private func index(of page: IndexPage) -> Int? {
    for index in pages.indices where pages[index].page == page { return index }
    return nil
  }
}

/// One conversation's way to its pages.
final class ConversationPages: StoredEntries {
  private let pages: IndexPages
  private let account: UInt32
  private let jid: String

  init(_ pages: IndexPages, of conversation: Conversation) {
    (self.pages, account, jid) = (pages, conversation.account, conversation.jid)
  }

  func entries(of chunk: StoredChunk) -> PackedEntries { pages.entries(of: chunk, account: account, jid: jid) }

  func release(_ page: IndexPage) { pages.release(page) }
}
