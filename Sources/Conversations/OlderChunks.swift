import Clocks

/// The chunks of a list before its tail, in one object, since most conversations never have any. It belongs to one list
/// (`EntryList` copies it before it changes one that another list has too).
final class OlderChunks {
  private(set) var chunks: [Chunk]
  private(set) var counts: RunningCounts
  /// For each chunk the longest step to one of its entries from the one before it, which may be the last of the chunk
  /// before. Sometimes more, since a late arrival shortens steps: who looks for a step may look in vain, and misses none.
  private(set) var steps: [UInt32]

  init(copying other: OlderChunks?) {
    chunks = other?.chunks ?? []
    counts = other?.counts ?? RunningCounts()
    steps = other?.steps ?? []
  }

  /// How many entries they hold.
  var count: Int { counts.total }

  func append(_ chunk: Chunk) {
    steps.append(Step.longest(to: chunk.entries, after: chunks.last?.lastTime))
    chunks.append(chunk)
    counts.append(chunk.count)
  }

  func insert(_ entry: Entry, at position: EntryList.Position, chunkSize: Int) {
    let (index, offset) = (position.chunk, position.offset)
    guard chunks[index].count >= chunkSize else {
      chunks[index].insert(entry, at: offset)
      counts.increment(index)
      return noteSteps(at: position)
    }
    if index == 0, offset == 0 {
      insert(Chunk([entry]), at: 0)
    } else {
      split(index, for: entry, at: offset)
    }
  }

  func setFlags(_ flags: EntryFlags, at position: EntryList.Position) {
    chunks[position.chunk].setFlags(flags, at: position.offset)
  }

  /// Where a full chunk is split for an insertion at `offset`: there, so that a run of insertions (an archive filled
  /// backwards) leaves full chunks behind it, but never so that less than a quarter stands alone.
  static func split(of count: Int, for offset: Int) -> Int {
    min(max(offset, (count + 3) / 4), count - (count + 3) / 4)
  }

  private func split(_ index: Int, for entry: Entry, at offset: Int) {
    let place = Self.split(of: chunks[index].count, for: offset)
    var (left, right) = chunks[index].split(at: place)
    if offset <= place { left.insert(entry, at: offset) } else { right.insert(entry, at: offset - place) }
    chunks[index] = left
    insert(right, at: index + 1)
    measure(index)
  }

  private func insert(_ chunk: Chunk, at index: Int) {
    chunks.insert(chunk, at: index)
    steps.insert(0, at: index)
    measure(index)
    measure(index + 1)
    counts = RunningCounts(chunks.map(\.count))
  }

  private func measure(_ index: Int) {
    guard index < chunks.count else { return }
    steps[index] = Step.longest(to: chunks[index].entries, after: index > 0 ? chunks[index - 1].lastTime : nil)
  }

  /// A new entry cuts one step in two; the first part may now belong to another chunk than the whole did.
  private func noteSteps(at position: EntryList.Position) {
    let (index, offset) = (position.chunk, position.offset)
    let entries = chunks[index].entries
    let previous = offset > 0 ? entries[offset - 1].time : index > 0 ? chunks[index - 1].lastTime : nil
    let around = entries[offset..<min(offset + 2, entries.count)]
    steps[index] = max(steps[index], Step.longest(to: Array(around), after: previous))
  }
}
