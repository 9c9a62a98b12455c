import Bytes
package import Timelines
package import MessageLog

/// The pages on which entries are that left memory: where they are, which are free, and the last ones read. Confined to
/// the thread that has the state; what has to be written is handed out as a `PageBatch`.
package final class IndexPages {
  let storage: any LogStorage
  let log: LogUUID
  let limits: MemoryLimits
  package var memory = MemoryUse()
  var allocator = PageAllocator()
  /// The checkpoint that is durable, by the last record that it covers; 0: none.
  var durableCheckpoint: UInt64 = 0
  /// The header on the disk says that the pages are no checkpoint's, or the one that is durable.
  var isHeaderCurrent = false
  /// A sync failed: nobody knows which pages are on the disk, and no checkpoint may name them.
  var isSuspect = false
  private var cache = PageCache()
  /// The first damage that was met.
  private(set) var damage: IndexDamage?
  /// Takes it: what the state says from then on is not to be relied on.
  package var onDamage: (IndexDamage) -> Void = { _ in }
  /// How many pages were read from the disk.
  package private(set) var reads = 0

  /// Pages of a log's index.
  package init(of log: LogUUID, in storage: any LogStorage, limits: MemoryLimits = .usual) {
    (self.log, self.storage, self.limits) = (log, storage, limits)
  }

  /// Pages of the same log, storage and limits, none of them in use.
  convenience init(like other: IndexPages) {
    self.init(of: other.log, in: other.storage, limits: other.limits)
  }

  /// Head pages of message ids that may be in memory: 12 MiB, while messages come and their ids are looked up.
  static let mostHeads = 768

  /// Conversations take much more memory than they should.
  var isOverfull: Bool { memory.conversations > 2 * limits.conversations }

  /// A checkpoint would free much of the file.
  package var wantsCheckpoint: Bool { allocator.retiredCount > max(1024, allocator.count / 4) }

  /// How many pages the file has as of a checkpoint: none if it is missing, another log's, or of another time.
  func pages(asOf checkpoint: UInt64) throws(IndexDamage) -> UInt32 {
    do throws(StorageError) {
      guard let size = try storage.size(ofPages: IndexFormat.fileName), size >= UInt64(IndexFormat.headerSize),
        IndexFormat.isHeader(try read(at: 0, count: IndexFormat.headerSize), of: log, serving: checkpoint)
      else { return 0 }
      return UInt32(clamping: size / UInt64(IndexFormat.pageSize))
    } catch {
      throw IndexDamage(description: "its pages cannot be read: \(error)")
    }
  }

  var areReliable: Bool { !isSuspect && damage == nil }

  /// A checkpoint of that record is being written, which names the pages that are in use now. Returns the header for
  /// it; nil if there are no pages.
  func snapshotBegins(_ sequence: UInt64) -> [UInt8]? {
    guard allocator.isUsed else { return nil }
    allocator.checkpointBegins()
    return IndexFormat.header(of: log, serving: (sequence, durableCheckpoint))
  }

  /// The snapshot of that record has been stored, or could not be.
  package func snapshotStored(_ sequence: UInt64, _ outcome: Snapshot.Outcome) {
    switch outcome {
    case .done:
      (durableCheckpoint, isHeaderCurrent) = (sequence, true)
      allocator.checkpointEnds(isDurable: true)
    case .failed(_, let pagesAreSuspect):
      isSuspect = isSuspect || pagesAreSuspect
      allocator.checkpointEnds(isDurable: false)
    }
  }

  /// The checkpoint of that record names all pages but these.
  func restored(_ free: PageAllocator.Free, of checkpoint: UInt64) {
    allocator = PageAllocator(free)
    (durableCheckpoint, isHeaderCurrent) = (checkpoint, allocator.isUsed)
  }

  /// The page of a head; nil if it is damaged.
  func head(_ page: IndexPage) -> [UInt8]? {
    read(page) { bytes throws(FieldError) in try HeadPage.checked(bytes) }
  }

  /// The content of a page, decoded; nil if it is damaged.
  func read<Content>(_ page: IndexPage, _ decode: ([UInt8]) throws(FieldError) -> Content) -> Content? {
    reads += 1
    do {
      let bytes = try read(at: IndexFormat.offset(ofPage: page.number), count: IndexFormat.pageSize)
      if CRC32C.checksum(bytes) == page.checksum { return try decode(bytes) }
      note(damage: "page \(page.number) is not as it was written")
    } catch {
      note(damage: "page \(page.number): \(error)")
    }
    return nil
  }

  func note(damage description: String) {
    guard damage == nil else { return }
    let met = IndexDamage(description: description)
    damage = met
    onDamage(met)
  }

  private func read(at offset: UInt64, count: Int) throws(StorageError) -> [UInt8] {
    var failure: StorageError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      do throws(StorageError) {
        done = try unsafe storage.readPagesTwice(IndexFormat.fileName, at: offset, into: .init(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard bytes.count == count else {
      throw StorageError(.unreadable, "read \(IndexFormat.fileName): it ends before \(offset + UInt64(count))")
    }
    return bytes
  }
}

extension IndexPages: StoredEntries {
  /// The entries of a chunk; if its page is damaged, as many that say nothing.
  package func entries(of chunk: StoredChunk) -> PackedEntries {
    if let entries = cache[chunk.page] { return entries }
    let entries =
      read(chunk.page) { bytes throws(FieldError) in try IndexFormat.entries(bytes, of: chunk) }
      ?? PackedEntries(Array(repeating: Entry(time: chunk.first.time, id: chunk.first.id), count: Int(chunk.count)))
    cache[chunk.page] = entries
    return entries
  }

  package func release(_ page: IndexPage) {
    cache[page] = nil
    allocator.retire(page.number)
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
