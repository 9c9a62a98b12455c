/// The newest entries of a list. Many conversations never have more than one: it lies here, without an array.
struct Tail: Sendable {
  private enum Content {
    case none
    case one(Entry)
    case many([Entry])
  }

  private var content = Content.none

  init(_ entries: [Entry] = []) {
    if let only = entries.first { content = entries.count == 1 ? .one(only) : .many(entries) }
  }

  /// In the order of the conversation.
  var entries: [Entry] {
    switch content {
    case .none: []
    case .one(let entry): [entry]
    case .many(let entries): entries
    }
  }

  var count: Int {
    switch content {
    case .none: 0
    case .one: 1
    case .many(let entries): entries.count
    }
  }

  var isEmpty: Bool { count == 0 }

  var last: Entry? {
    switch content {
    case .none: nil
    case .one(let entry): entry
    case .many(let entries): entries.last
    }
  }

  mutating func append(_ entry: Entry) {
    guard case .many(var entries) = content else { return insert(entry, at: count) }
    // Leaves `entries` the only reference, so that appending copies nothing.
    content = .none
    entries.append(entry)
    content = .many(entries)
  }

  mutating func insert(_ entry: Entry, at offset: Int) {
    if isEmpty { return content = .one(entry) }
    change { $0.insert(entry, at: offset) }
  }

  /// Changes the entries in their place.
  mutating func change(_ body: (inout [Entry]) -> Void) {
    var entries = entries
    content = .none
    body(&entries)
    self = Tail(entries)
  }
}
