import Clocks

/// A conversation's messages in their order, in chunks: an append is O(1), and an insertion anywhere moves what one
/// chunk holds and nothing else.
struct EntryList {
  /// The position of a message: its chunk, and its index there.
  struct Position: Equatable {
    var chunk: Int
    var offset: Int
  }

  /// The most entries of a chunk.
  static let chunkSize = 1024

  /// The newest ones; empty only where there are none at all.
  private(set) var tail = Tail()
  /// All before them; nil: there are none, as in most conversations.
  private(set) var sealed: SealedChunks?
  private let chunkSize: UInt16

  init(chunkSize: Int) {
    self.chunkSize = UInt16(chunkSize)
  }

  var count: Int { (sealed?.count ?? 0) + tail.count }

  /// How many chunks there are, the tail among them.
  var chunkCount: Int { sealedCount + (tail.isEmpty ? 0 : 1) }

  private var sealedCount: Int { sealed?.chunks.count ?? 0 }

  var last: Entry? { tail.last }

  subscript(row: Int) -> Entry {
    let position = position(of: row)
    return entries(of: position.chunk)[position.offset]
  }

  /// The entry that stands there; nil behind the last one of all.
  func entry(at position: Position) -> Entry? {
    let row = row(of: position)
    return row < count ? self[row] : nil
  }

  /// The entries of a chunk.
  func entries(of chunk: Int) -> ChunkEntries {
    guard let sealed, chunk < sealed.chunks.count else { return .held(tail.entries) }
    return sealed.entries(of: chunk)
  }

  /// The entries of some rows, each chunk asked for once.
  func entries(of rows: Range<Int>) -> [Entry] {
    guard let first = rows.first else { return [] }
    var position = position(of: first)
    var found: [Entry] = []
    found.reserveCapacity(rows.count)
    while found.count < rows.count {
      let entries = entries(of: position.chunk)
      let end = min(entries.count, position.offset + rows.count - found.count)
      entries.append(position.offset..<end, to: &found)
      position = Position(chunk: position.chunk + 1, offset: 0)
    }
    return found
  }

  /// The chunk and place of a row in `0 ..< count`.
  func position(of row: Int) -> Position {
    guard let sealed, row < sealed.count else {
      return Position(chunk: sealedCount, offset: row - (sealed?.count ?? 0))
    }
    let (chunk, offset) = sealed.counts.find(row)
    return Position(chunk: chunk, offset: offset)
  }

  func row(of position: Position) -> Int { (sealed?.counts.before(position.chunk) ?? 0) + position.offset }

  /// The key of the first entry of a chunk.
  func first(of chunk: Int) -> Entry.Key {
    guard let sealed, chunk < sealed.chunks.count else { return tail.entries[0].key }
    return sealed.chunks[chunk].first
  }

  /// The last entry of a chunk.
  func last(of chunk: Int) -> Entry.Place {
    guard let sealed, chunk < sealed.chunks.count else { return tail.entries[tail.count - 1].place }
    return sealed.chunks[chunk].last
  }

  /// The time gaps inside of a chunk that are longer than a gap, where they are known without its entries.
  func knownTimeGaps(in chunk: Int, beyond gap: Interval) -> [InnerTimeGaps.TimeGap]? {
    guard let sealed, chunk < sealed.chunks.count else { return nil }
    return sealed.chunks[chunk].stored?.timeGaps.all(beyond: gap)
  }

  /// The last chunk before `chunk` with an entry that may be more than a gap later than the one before it.
  func lastChunk(before chunk: Int, withTimeGapBeyond gap: Interval) -> Int? {
    guard let timeGaps = sealed?.timeGaps else { return nil }
    return timeGaps[..<chunk].lastIndex { TimeGap.mayBe($0, beyond: gap) }
  }

  /// The first chunk from `chunk` on with such an entry.
  func firstChunk(from chunk: Int, withTimeGapBeyond gap: Interval) -> Int? {
    guard let timeGaps = sealed?.timeGaps, chunk < timeGaps.count else { return chunk < chunkCount ? chunk : nil }
    // Nothing is known of the tail.
    return timeGaps[chunk...].firstIndex { TimeGap.mayBe($0, beyond: gap) } ?? timeGaps.count
  }

  /// The position of the first entry that satisfies a condition which, once true, stays true for all that follow;
  /// behind the last entry of a chunk if the first match begins the next one.
  func firstPosition(where holds: (Entry.Key) -> Bool) -> Position {
    let next = (0..<chunkCount).partitioningIndex { holds(first(of: $0)) }
    guard next > 0 else { return Position(chunk: 0, offset: 0) }
    let entries = entries(of: next - 1)
    return Position(chunk: next - 1, offset: entries.indices.partitioningIndex { holds(entries.key(at: $0)) })
  }

  mutating func append(_ entry: Entry) {
    if tail.count >= chunkSize { sealTail(tail.count) }
    tail.append(entry)
  }

  /// Puts an entry where `firstPosition` found that it stands before all that it should.
  mutating func insert(_ entry: Entry, at position: Position) {
    if position.chunk < sealedCount {
      ensureUnique()
      sealed?.insert(entry, at: position, chunkSize: Int(chunkSize))
    } else if tail.count < chunkSize {
      tail.insert(entry, at: position.offset)
    } else {
      insertIntoFullTail(entry, at: position.offset)
    }
  }

  /// Changes the entry of a row, but for what orders it.
  mutating func change(row: Int, _ body: (inout Entry) -> Void) {
    let position = position(of: row)
    guard position.chunk < sealedCount else { return tail.change { body(&$0[position.offset]) } }
    ensureUnique()
    sealed?.change(position, body)
  }

  mutating func remove(row: Int) {
    let position = position(of: row)
    if position.chunk < sealedCount {
      ensureUnique()
      sealed?.remove(at: position)
    } else {
      tail.change { $0.remove(at: position.offset) }
      if tail.isEmpty, sealedCount > 0 {
        ensureUnique()
        tail = Tail(sealed?.removeLast() ?? [])
      }
    }
  }

  private mutating func insertIntoFullTail(_ entry: Entry, at offset: Int) {
    let first = chunkCount == 1 && offset == 0
    guard !first else {
      ensureUnique()
      sealed?.append(Chunk([entry]))
      return
    }
    let split = SealedChunks.split(of: tail.count, for: offset)
    let rows = sealed?.count ?? 0
    sealTail(split)
    guard offset <= split else { return tail.insert(entry, at: offset - split) }
    insert(entry, at: position(of: rows + offset))
  }

  /// Makes a chunk of the first `count` entries of the tail, or puts them into the one before where they fit.
  mutating func sealTail(_ count: Int, merging: Bool = true) {
    ensureUnique()
    let entries = tail.entries
    tail = Tail(Array(entries[count...]))
    sealed?.append(Array(entries[..<count]), chunkSize: merging ? Int(chunkSize) : 0)
  }

  /// A list is a value: what another one has is copied before it is changed.
  mutating func ensureUnique() {
    if sealed == nil || !isKnownUniquelyReferenced(&sealed) { sealed = SealedChunks(copying: sealed) }
  }
}
