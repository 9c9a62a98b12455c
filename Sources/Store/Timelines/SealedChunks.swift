import Clocks

/// The chunks of a list before its tail, in one object, since most conversations never have any. It belongs to one list
/// (`EntryList` copies it before it changes one that another list has too).
final class SealedChunks {
  private(set) var chunks: [Chunk]
  private(set) var counts: RunningCounts
  /// For each chunk the longest time gap to one of its entries from the one before it, which may be the last of the
  /// chunk before. Sometimes more, since a late arrival shortens time gaps: who looks for a time gap may look in vain,
  /// and misses none.
  private(set) var timeGaps: [UInt32]
  /// How many entries are in memory.
  private(set) var held: Int
  /// Has what is not in memory; nil only while all is.
  private(set) var source: (any StoredEntries)?

  init(copying other: SealedChunks?) {
    chunks = other?.chunks ?? []
    counts = other?.counts ?? RunningCounts()
    timeGaps = other?.timeGaps ?? []
    held = other?.held ?? 0
    source = other?.source
  }

  /// How many entries there are.
  var count: Int { counts.total }

  func entries(of index: Int) -> ChunkEntries {
    if let stored = chunks[index].stored, let source { return .packed(source.entries(of: stored)) }
    return .held(chunks[index].held ?? [])
  }

  /// Puts entries behind all others: into the last chunk where they fit there.
  func append(_ entries: [Entry], chunkSize: Int) {
    let last = chunks.count - 1
    guard last >= 0, chunks[last].count + entries.count <= chunkSize else { return append(Chunk(entries)) }
    hold(last)
    timeGaps[last] = max(timeGaps[last], TimeGap.longest(to: entries, after: chunks[last].last.time))
    chunks[last].change { $0 += entries }
    held += entries.count
    counts = RunningCounts(chunks.map(\.count))
  }

  func append(_ chunk: Chunk) {
    timeGaps.append(TimeGap.longest(to: chunk, after: chunks.last?.last.time))
    chunks.append(chunk)
    counts.append(chunk.count)
    held += chunk.held?.count ?? 0
  }

  /// Takes chunks that were stored before, as the last ones.
  func append(_ run: [StoredChunk], in source: any StoredEntries) {
    var (chunks, timeGaps) = (chunks, timeGaps)
    chunks.reserveCapacity(chunks.count + run.count)
    timeGaps.reserveCapacity(chunks.count + run.count)
    for stored in run {
      timeGaps.append(TimeGap.longest(to: stored, after: chunks.last?.last.time))
      chunks.append(Chunk(stored))
    }
    (self.chunks, self.timeGaps) = (chunks, timeGaps)
    counts.append(run.lazy.map { Int($0.count) })
    self.source = source
  }

  func insert(_ entry: Entry, at position: EntryList.Position, chunkSize: Int) {
    let (index, offset) = (position.chunk, position.offset)
    guard chunks[index].count >= chunkSize else {
      hold(index)
      chunks[index].change { $0.insert(entry, at: offset) }
      counts.increment(index)
      held += 1
      return noteTimeGaps(at: position)
    }
    if index == 0, offset == 0 {
      insert(Chunk([entry]), at: 0)
    } else {
      split(index, for: entry, at: offset)
    }
  }

  func change(_ position: EntryList.Position, _ body: (inout Entry) -> Void) {
    hold(position.chunk)
    chunks[position.chunk].change { body(&$0[position.offset]) }
  }

  func remove(at position: EntryList.Position) {
    let index = position.chunk
    hold(index)
    held -= 1
    if chunks[index].count == 1 {
      chunks.remove(at: index)
      timeGaps.remove(at: index)
    } else {
      chunks[index].change { $0.remove(at: position.offset) }
    }
    counts = RunningCounts(chunks.map(\.count))
    // The removal made new neighbours here.
    for place in index...index + 1 where place < chunks.count {
      timeGaps[place] = TimeGap.longest(to: chunks[place], after: place > 0 ? chunks[place - 1].last.time : nil)
    }
  }

  /// Takes the last chunk out.
  func removeLast() -> [Entry] {
    hold(chunks.count - 1)
    let entries = chunks.removeLast().held ?? []
    timeGaps.removeLast()
    held -= entries.count
    counts = RunningCounts(chunks.map(\.count))
    return entries
  }

  /// Entries have been stored: the chunk that they are still the entries of leaves memory. False where there is none.
  /// Steps longer than a gap stay.
  func leave(_ entries: [Entry], on page: IndexPage, in source: any StoredEntries, gap: Interval) -> Bool {
    guard let index = index(of: entries) else { return false }
    chunks[index].leave(on: page, InnerTimeGaps(of: entries, beyond: gap))
    timeGaps[index] = TimeGap.longest(to: chunks[index], after: index > 0 ? chunks[index - 1].last.time : nil)
    held -= entries.count
    self.source = source
    return true
  }

  /// The chunk in memory that consists of these entries.
  private func index(of entries: [Entry]) -> Int? {
    guard let first = entries.first?.key else { return nil }
    let index = chunks.partitioningIndex { $0.first >= first }
    return index < chunks.count && chunks[index].held == entries ? index : nil
  }

  /// Makes two chunks of the one in memory that consists of these entries.
  func halve(_ entries: [Entry]) {
    guard entries.count > 1, let index = index(of: entries) else { return }
    let half = entries.count / 2
    held -= entries.count - half
    chunks[index] = Chunk(Array(entries[..<half]))
    insert(Chunk(Array(entries[half...])), at: index + 1)
  }

  /// All of them are of no use any more: their pages are given back.
  func release() {
    for case .stored(let page, _) in chunks.map(\.content) { source?.release(page) }
  }

  /// Takes a chunk into memory, where it can be changed.
  func hold(_ index: Int) {
    guard case .stored(let page, _) = chunks[index].content else { return }
    chunks[index] = Chunk(Array(entries(of: index)))
    held += chunks[index].count
    source?.release(page)
  }

  /// The index at which a full chunk is split for an insertion at `offset`: at `offset` itself, so that a run of
  /// insertions (an archive filled backwards) leaves full chunks behind it, but with at least a quarter of the entries
  /// on each side.
  static func split(of count: Int, for offset: Int) -> Int {
    min(max(offset, (count + 3) / 4), count - (count + 3) / 4)
  }

  private func split(_ index: Int, for entry: Entry, at offset: Int) {
    hold(index)
    var left = chunks[index].held ?? []
    let place = Self.split(of: left.count, for: offset)
    var right = Array(left[place...])
    left.removeSubrange(place...)
    held -= right.count
    if offset <= place { left.insert(entry, at: offset) } else { right.insert(entry, at: offset - place) }
    if offset <= place { held += 1 }
    chunks[index] = Chunk(left)
    timeGaps[index] = TimeGap.longest(to: left, after: index > 0 ? chunks[index - 1].last.time : nil)
    insert(Chunk(right), at: index + 1)
  }

  private func insert(_ chunk: Chunk, at index: Int) {
    let before = index > 0 ? chunks[index - 1].last.time : nil
    chunks.insert(chunk, at: index)
    timeGaps.insert(TimeGap.longest(to: chunk, after: before), at: index)
    held += chunk.count
    counts = RunningCounts(chunks.map(\.count))
    guard index + 1 < chunks.count else { return }
    timeGaps[index + 1] = max(
      timeGaps[index + 1], TimeGap.length(from: chunk.last.time, to: chunks[index + 1].first.time))
  }

  /// A new entry cuts one time gap in two; the first part may now belong to another chunk than the whole did.
  private func noteTimeGaps(at position: EntryList.Position) {
    let (index, offset) = (position.chunk, position.offset)
    let entries = entries(of: index)
    let previous = offset > 0 ? entries[offset - 1].time : index > 0 ? chunks[index - 1].last.time : nil
    let around = entries[offset..<min(offset + 2, entries.count)]
    timeGaps[index] = max(timeGaps[index], TimeGap.longest(to: Array(around), after: previous))
  }
}
