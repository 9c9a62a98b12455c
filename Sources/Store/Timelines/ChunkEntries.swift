import Clocks

/// The entries of one chunk, in memory or as they lie on its page.
enum ChunkEntries: RandomAccessCollection {
  case held([Entry])
  case packed(PackedEntries)

  var startIndex: Int { 0 }

  var endIndex: Int {
    switch self {
    case .held(let entries): entries.count
    case .packed(let entries): entries.endIndex
    }
  }

  subscript(index: Int) -> Entry {
    switch self {
    case .held(let entries): entries[index]
    case .packed(let entries): entries[index]
    }
  }

  /// Appends the entries of some rows.
  func append(_ rows: Range<Int>, to others: inout [Entry]) {
    switch self {
    case .held(let entries): others += entries[rows]
    case .packed(let entries): entries.append(rows, to: &others)
    }
  }

  /// The row of a message; nil where there is none of that id.
  func row(ofID id: UInt64) -> Int? {
    switch self {
    case .held(let entries): entries.firstIndex { $0.id == id }
    case .packed(let entries): entries.row(ofID: id)
    }
  }

  func time(at index: Int) -> Timestamp {
    switch self {
    case .held(let entries): entries[index].time
    case .packed(let entries): entries.time(at: index)
    }
  }

  func key(at index: Int) -> Entry.Key {
    switch self {
    case .held(let entries): entries[index].key
    case .packed(let entries): entries.key(at: index)
    }
  }
}
