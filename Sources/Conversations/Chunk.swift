import Clocks

/// Some hundred messages that stand together in a conversation; never empty.
struct Chunk: Sendable {
  /// In the order of the conversation.
  private(set) var entries: [Entry]

  /// A chunk of entries that stand in their order; there is at least one.
  init(_ entries: [Entry]) {
    self.entries = entries
  }

  var count: Int { entries.count }

  var first: Entry.Key { entries[0].key }

  var lastTime: Timestamp { entries[entries.count - 1].time }

  mutating func insert(_ entry: Entry, at offset: Int) { entries.insert(entry, at: offset) }

  mutating func setFlags(_ flags: EntryFlags, at offset: Int) { entries[offset].flags = flags }

  /// Both halves, the second from `offset` on; neither may be empty.
  func split(at offset: Int) -> (Chunk, Chunk) {
    (Chunk(Array(entries[..<offset])), Chunk(Array(entries[offset...])))
  }
}
