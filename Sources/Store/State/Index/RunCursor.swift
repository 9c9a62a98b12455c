import Bytes
import Timelines
/// Goes through runs in the order of their records; of the same ones, that of the newest run comes first.
struct RunCursor<Record: RunRecord> {
  /// The newest run first.
  private var sources: [Source]
  /// The next record of each source that has one, the first of all last.
  private var line: [(record: Record, source: Int)] = []
  private var isBegun = false

  /// One run.
  private struct Source {
    var heads: ArraySlice<RunHead>
    var leaves: ArraySlice<HeadPage.Leaf> = []
    var records: [Record] = []
    var next = 0

    mutating func take() -> Record? {
      guard next < records.count else { return nil }
      next += 1
      return records[next - 1]
    }

    /// Reads the next leaf, if there is one that can be read.
    mutating func fill(_ pages: IndexPages) {
      (records, next) = ([], 0)
      if leaves.isEmpty, let head = heads.popFirst() {
        leaves = pages.head(head.page).map(HeadPage.leaves)?[...] ?? []
      }
      guard let leaf = leaves.popFirst() else { return }
      records = pages.read(leaf.page) { bytes throws(FieldError) in try Record.unpack(bytes) } ?? []
    }
  }

  /// A cursor before the first record of runs, which come oldest first.
  init(_ runs: some Collection<Run>) { sources = runs.reversed().map { Source(heads: $0.heads[...]) } }

  /// The next record; nil behind the last one. Behind damage, which the pages take note of, some are left out.
  mutating func next(_ pages: IndexPages) -> Record? {
    if !isBegun {
      isBegun = true
      for source in sources.indices { lineUp(source, pages) }
    }
    guard let (record, source) = line.popLast() else { return nil }
    lineUp(source, pages)
    return record
  }

  /// Puts the next record of a source where it belongs in the line.
  private mutating func lineUp(_ source: Int, _ pages: IndexPages) {
    if sources[source].next == sources[source].records.count { sources[source].fill(pages) }
    guard let record = sources[source].take() else { return }
    // There are few sources.
    let place = line.lastIndex { other, otherSource in
      other.precedes(record) ? false : record.precedes(other) || source < otherSource
    }
    line.insert((record, source), at: place.map { $0 + 1 } ?? 0)
  }
}
