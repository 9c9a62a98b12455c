import Conversations

/// Goes through runs in the order of their records; of the same ones, that of the newest run comes first.
struct RunCursor<Record: RunRecord> {
  /// The newest run first.
  private var sources: [Source]
  /// The next record of each source that has one, the first of all last.
  private var line: [(record: Record, source: Int)] = []
  private var isBegun = false
  /// A head that is damaged, or has a leaf that is: no record comes any more.
  private(set) var damaged: RunHead?

  /// One run.
  private struct Source {
    var heads: ArraySlice<RunHead>
    var head: RunHead?
    var leaves: ArraySlice<HeadPage.Leaf> = []
    var records: [Record] = []
    var next = 0

    mutating func take() -> Record? {
      guard next < records.count else { return nil }
      next += 1
      return records[next - 1]
    }

    /// Reads the next leaf, if there is one; returns a head that is damaged, or has a leaf that is.
    mutating func fill(_ read: (IndexPage) -> [UInt8]?) -> RunHead? {
      (records, next) = ([], 0)
      if leaves.isEmpty {
        head = heads.popFirst()
        guard let head else { return nil }
        guard let found = read(head.page).flatMap(HeadPage.leaves) else { return head }
        leaves = found[...]
      }
      guard let leaf = leaves.popFirst() else { return nil }
      guard let found = read(leaf.page).flatMap(Record.unpack) else { return head }
      records = found
      return nil
    }
  }

  /// A cursor before the first record of runs, which come oldest first.
  init(_ runs: some Collection<Run>) { sources = runs.reversed().map { Source(heads: $0.heads[...]) } }

  /// - Parameter read: the content of a page; nil if it is damaged.
  mutating func next(_ read: (IndexPage) -> [UInt8]?) -> Record? {
    if !isBegun {
      isBegun = true
      for source in sources.indices { lineUp(source, read) }
    }
    guard damaged == nil, let (record, source) = line.popLast() else { return nil }
    lineUp(source, read)
    return record
  }

  /// Puts the next record of a source where it belongs in the line.
  private mutating func lineUp(_ source: Int, _ read: (IndexPage) -> [UInt8]?) {
    if sources[source].next == sources[source].records.count {
      damaged = damaged ?? sources[source].fill(read)
    }
    guard let record = sources[source].take() else { return }
    // There are few sources.
    let place = line.lastIndex { other, otherSource in
      other.precedes(record) ? false : record.precedes(other) || source < otherSource
    }
    line.insert((record, source), at: place.map { $0 + 1 } ?? 0)
  }
}
