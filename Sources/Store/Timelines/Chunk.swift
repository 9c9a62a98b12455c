import Clocks

/// Some hundred messages that stand together in a conversation, in memory or on a page; never empty.
struct Chunk {
  enum Content {
    case held([Entry])
    case stored(IndexPage, InnerTimeGaps)
  }

  /// The key of the first entry.
  private(set) var first: Entry.Key
  private(set) var last: Entry.Place
  private(set) var size: UInt16
  private(set) var content: Content

  /// A chunk of entries that stand in their order; there is at least one.
  init(_ entries: [Entry]) {
    first = entries[0].key
    last = entries[entries.count - 1].place
    size = UInt16(entries.count)
    content = .held(entries)
  }

  init(_ stored: StoredChunk) {
    (first, last, size) = (stored.first, stored.last, stored.count)
    content = .stored(stored.page, stored.timeGaps)
  }

  var count: Int { Int(size) }

  /// The entries, where they are in memory.
  var held: [Entry]? {
    if case .held(let entries) = content { return entries }
    return nil
  }

  /// The chunk's description without entries; nil if they are in memory.
  var stored: StoredChunk? {
    guard case .stored(let page, let timeGaps) = content else { return nil }
    return StoredChunk(page: page, count: size, first: first, last: last, timeGaps: timeGaps)
  }

  /// Changes the entries, which are in memory, in their place.
  mutating func change(_ body: (inout [Entry]) -> Void) {
    guard case .held(var entries) = content else { return }
    content = .held([])
    body(&entries)
    self = Chunk(entries)
  }

  /// Leaves the entries where they have been stored.
  mutating func leave(on page: IndexPage, _ timeGaps: InnerTimeGaps) { content = .stored(page, timeGaps) }
}

/// A place outside of memory that holds the entries of one chunk, with the checksum by which they are known again.
package struct IndexPage: Hashable, Sendable {
  package var number: UInt32
  package var checksum: UInt32

  package init(number: UInt32, checksum: UInt32) {
    (self.number, self.checksum) = (number, checksum)
  }
}

/// The part of a chunk that stays in memory while its entries are on a page.
package struct StoredChunk: Hashable, Sendable {
  package var page: IndexPage
  package var count: UInt16
  /// The key of its first entry.
  package var first: Entry.Key
  package var last: Entry.Place
  package var timeGaps: InnerTimeGaps

  package init(page: IndexPage, count: UInt16, first: Entry.Key, last: Entry.Place, timeGaps: InnerTimeGaps) {
    (self.page, self.count, self.first, self.last, self.timeGaps) = (page, count, first, last, timeGaps)
  }
}

/// The storage of entries that are not in memory.
package protocol StoredEntries: AnyObject {
  /// The entries of a chunk, always `count` of them: where its page cannot be read, whoever answers finds them
  /// elsewhere.
  func entries(of chunk: StoredChunk) -> PackedEntries

  /// The chunk has been changed, or is no more: nobody will ask for what is on this page again.
  func release(_ page: IndexPage)
}
