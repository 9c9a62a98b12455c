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
