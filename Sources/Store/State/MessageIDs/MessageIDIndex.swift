import Bytes
import Timelines
import MessageLog

/// Finds the records that carry a message id (an id of our archive, a sender's id, a key), whatever their number: the
/// newest in memory, all others on pages, in sorted runs. Only hashes are kept, so each record found must be confirmed
/// by reading it. Confined to the engine's thread.
package final class MessageIDIndex {
  /// Nil: all stay in memory.
  private let sorted: SortedRuns<MessageIDEntry>?
  private let seed: UInt64
  private var recent = RecentMessageIDs()
  /// Message ids that are being written.
  private var leaving: RecentMessageIDs?
  /// The recent ids as a checkpoint holds them, undecoded until the first look-up.
  private var evicted: [UInt8] = []

  /// So much less is in memory at rest.
  private static let restingPart = 32

  /// - Parameter log: gives the seed, with pages or without: a checkpoint says the same keys of either.
  init(in pages: IndexPages?, of log: LogUUID?) {
    sorted = pages.map { SortedRuns(in: $0) }
    seed = log?.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } ?? 0
  }

  private var pages: IndexPages? { sorted?.pages }

  /// How many are in memory and counted.
  var recentCount: Int { recent.count }

  /// Oldest first.
  var runs: [Run] { sorted?.runs ?? [] }

  // MARK: - Looking

  /// The newest record that may carry a message id with this hash.
  package func newest(_ kind: MessageIDKind, _ hash: UInt64) -> UInt64? { ids(kind, hash).first }

  /// The records that may have this hash, the newest first; at most `MessageIDEntry.mostOfKey`.
  package func ids(_ kind: MessageIDKind, _ hash: UInt64) -> [UInt64] {
    let key = MessageIDEntry.key(kind, hash, seed: seed)
    load()
    var ids: [UInt64] = []
    recent.collect(key, into: &ids)
    leaving?.collect(key, into: &ids)
    sorted?.visit(key) {
      ids.append($0.id)
      return true
    }
    guard ids.count > 1 else { return ids }
    return Array(Set(ids).sorted(by: >).prefix(MessageIDEntry.mostOfKey))
  }

  func insert(_ kind: MessageIDKind, _ hash: UInt64, id: UInt64) {
    load()
    insert(MessageIDEntry(key: MessageIDEntry.key(kind, hash, seed: seed), id: id))
  }

  private func insert(_ entry: MessageIDEntry) {
    recent.insert(entry)
    if let pages, recent.count > pages.limits.messageIDs { pages.memory.wantsMessageIDs = true }
  }

  private func load() {
    guard !evicted.isEmpty else { return }
    let bytes = evicted
    evicted = []
    if !recent.unpack(bytes) { pages?.note(damage: "the newest message ids in the checkpoint") }
  }
}

// MARK: - Pages

// Like evicted conversations: written while they stay in memory, and where that fails they just stay.
extension MessageIDIndex {
  /// Pages that are in use and that no checkpoint may name.
  var unnamedPages: [UInt32] { sorted?.unnamedPages ?? [] }

  /// There are many more in memory than should be.
  var isOverfull: Bool { pages.map { recent.count > 2 * $0.limits.messageIDs } ?? false }

  /// The next pages to be written; empty where there are none. Must be answered by `stored`.
  ///
  /// - Parameter pause: few stay in memory in one, and runs are merged in a long one; nil: much else is going on.
  func takePages(in pause: Eviction.Pause?) -> [WrittenPage] {
    guard let sorted, leaving == nil else { return [] }
    let limit = sorted.pages.limits.messageIDs
    let most = pause != nil ? limit / Self.restingPart : limit
    if pause != nil { sorted.forgetHeads() }
    if evicted.count > most * RecentMessageIDs.packedSize { load() }
    if recent.count > most {
      let full = recent
      (leaving, recent) = (full, RecentMessageIDs())
      return sorted.write(full.sorted)
    }
    guard sorted.isMergeDue(in: pause) else { return [] }
    return sorted.takeStep()
  }

  /// Notes that the pages of `takePages` were written, or could not be.
  func stored(_ isStored: Bool) {
    guard let sorted else { return }
    let runCount = sorted.runs.count
    sorted.stored(isStored)
    guard let leaving = leaving.take() else { return }
    sorted.pages.memory.wantsMessageIDs = runCount >= SortedRuns<MessageIDEntry>.manyRuns
    guard !isStored else { return }
    let newer = recent
    recent = leaving
    for entry in newer.list { recent.insert(entry) }
  }
}

// MARK: - Checkpoints

// Field 2: the message ids in memory; 3 (many): a run.
extension MessageIDIndex {
  func write(into writer: inout FieldWriter) {
    var (bytes, last) = (evicted, UInt64(0))
    leaving?.pack(into: &bytes, after: &last)
    recent.pack(into: &bytes, after: &last)
    if !bytes.isEmpty { writer.bytes(2, bytes) }
    sorted?.write(3, into: &writer)
  }

  /// Takes what `write` wrote, before anything else is inserted; false where it is not that.
  func restore(_ recent: [UInt8], _ runs: [Run]) -> Bool {
    evicted = recent
    sorted?.restore(runs)
    return sorted != nil || runs.isEmpty
  }
}
