package import Clocks

// Moving chunks out of memory, and restoring a timeline. The caller decides when to store them.
extension Timeline {
  /// A part of a timeline, in the order of the conversation.
  package enum Segment {
    case held([Entry])
    /// Chunks that follow each other; there is at least one.
    case stored([StoredChunk])
    /// The times of messages that stand at another time than that of their records, by id.
    case moved([UInt64: Timestamp])
  }

  /// The most entries that lie together, so that one page holds them.
  package static let chunkSize = EntryList.chunkSize

  /// Fewer entries of the tail than this are not worth a page.
  package static let shortestTail = 64

  /// How many entries could leave memory.
  package var evictable: Int {
    (list.sealed?.held ?? 0) + (list.tail.count > Self.shortestTail ? list.tail.count - 1 : 0)
  }

  /// How many of the newest entries are in memory, whatever becomes of the others.
  package var tailCount: Int { list.tail.count }

  /// At most `limit` chunks that are in memory and could leave it, oldest first.
  ///
  /// - Parameter sealsTail: true: the tail but for its last entry becomes one, too.
  package mutating func heldChunks(limit: Int, sealsTail: Bool) -> [[Entry]] {
    if sealsTail, list.tail.count > Self.shortestTail { list.sealTail(list.tail.count - 1) }
    return Array((list.sealed?.chunks ?? []).lazy.compactMap(\.held).prefix(limit))
  }

  /// Entries that `heldChunks` gave are stored now. False where they have changed since: the page is not wanted.
  package mutating func leave(_ entries: [Entry], on page: IndexPage, in source: any StoredEntries) -> Bool {
    list.ensureUnique()
    return list.sealed?.leave(entries, on: page, in: source, gap: gap) ?? false
  }

  /// Entries that `heldChunks` gave do not fit on a page: they become two chunks.
  package mutating func halve(_ entries: [Entry]) {
    list.ensureUnique()
    list.sealed?.halve(entries)
  }

  /// Forgets all of it.
  package mutating func removeAll() {
    list.ensureUnique()
    list.sealed?.release()
    self = Timeline(gap: gap)
  }

  /// Has the chunks that are not in memory; nil while none has left it.
  package var source: (any StoredEntries)? { list.sealed?.source }

  /// All of it, as it is.
  package var segments: [Segment] {
    var (segments, run): ([Segment], [StoredChunk]) = (moved.isEmpty ? [] : [.moved(moved)], [])
    for chunk in list.sealed?.chunks ?? [] {
      if let stored = chunk.stored {
        run.append(stored)
        continue
      }
      if !run.isEmpty { segments.append(.stored(run)) }
      run = []
      segments.append(.held(chunk.held ?? []))
    }
    if !run.isEmpty { segments.append(.stored(run)) }
    return list.tail.isEmpty ? segments : segments + [.held(list.tail.entries)]
  }

  /// A timeline of what `segments` gave; nil where that cannot be.
  package init?(gap: Interval, segments: [Segment], source: (any StoredEntries)?) {
    self.init(gap: gap)
    for segment in segments {
      let isSound: Bool
      switch segment {
      case .held(let entries): isSound = list.restore(entries)
      case .stored(let run): isSound = list.restore(run, in: source)
      case .moved(let moved): (self.moved, isSound) = (moved, true)
      }
      guard isSound else { return nil }
    }
    guard segments.isEmpty || !list.tail.isEmpty else { return nil }
  }
}

extension EntryList {
  /// Takes entries as the tail, behind what was the tail before; false where they do not stand behind it.
  fileprivate mutating func restore(_ entries: [Entry]) -> Bool {
    guard let first = entries.first, entries.count <= Self.chunkSize, isBehindAll(first.key),
      zip(entries, entries.dropFirst()).allSatisfy({ $0.0.key < $0.1.key })
    else { return false }
    if !tail.isEmpty { sealTail(tail.count, merging: false) }
    for entry in entries { append(entry) }
    return true
  }

  /// Takes stored chunks as the end of the list; false if they do not follow its entries.
  fileprivate mutating func restore(_ run: [StoredChunk], in source: (any StoredEntries)?) -> Bool {
    guard let source, let first = run.first, isBehindAll(first.first), Self.isSound(run) else { return false }
    if !tail.isEmpty { sealTail(tail.count, merging: false) }
    ensureUnique()
    sealed?.append(run, in: source)
    return true
  }

  /// True if such chunks, in this order, are possible.
  private static func isSound(_ run: [StoredChunk]) -> Bool {
    for index in run.indices {
      let (first, last) = (run[index].first, run[index].last)
      guard run[index].count > 0, run[index].count <= chunkSize, !(last.time < first.time),
        index == 0 || run[index - 1].first < first && !(first.time < run[index - 1].last.time)
      else { return false }
    }
    return true
  }

  private func isBehindAll(_ key: Entry.Key) -> Bool {
    if let last = tail.last { return last.key < key }
    guard let last = sealed?.chunks.last else { return true }
    return last.first < key && last.last.time <= key.time
  }
}
