import Bytes
import Timelines
/// Entries leave memory when there are too many: the oldest of them all go to pages, and stay in memory until these are
/// written. Nothing waits for that, and where it fails they just stay.
struct EntryEviction {
  /// Pages of one batch: 1 MiB.
  private static let pagesOfBatch = 64

  private let pages: IndexPages
  /// The chunks whose pages are being written.
  private(set) var leaving: [(conversation: Conversation, entries: [Entry], page: IndexPage)] = []

  init(_ pages: IndexPages) { self.pages = pages }

  /// Chunks to be written; must be answered by `stored`.
  mutating func take() -> [WrittenPage] {
    let written = collect(sealingTails: false)
    return written.isEmpty ? collect(sealingTails: true) : written
  }

  /// The chunks have been written, or could not be.
  mutating func stored(_ isStored: Bool) {
    for (conversation, entries, page) in leaving {
      if !isStored || !move(conversation, { $0.leave(entries, on: page, in: pages) }) {
        pages.allocator.giveBack(page.number)
      }
    }
    leaving = []
    pages.memory.dropFormerHolders()
  }

  /// Takes chunks of the conversations that have had some in memory for longest.
  private mutating func collect(sealingTails: Bool) -> [WrittenPage] {
    var written: [WrittenPage] = []
    for conversation in pages.memory.holders where conversation.evictable > 0 && written.count < Self.pagesOfBatch {
      let chunks = move(conversation) {
        $0.heldChunks(limit: Self.pagesOfBatch - written.count, sealsTail: sealingTails)
      }
      for (entries, bytes) in chunks.flatMap({ fitting($0, conversation) }) {
        let page = IndexPage(number: pages.allocator.take(), checksum: CRC32C.checksum(bytes))
        leaving.append((conversation, entries, page))
        written.append((page, bytes))
      }
    }
    pages.memory.rotateHolders()
    return written
  }

  /// A chunk and what its page says; of one that fits on no page, two chunks that do.
  private func fitting(_ entries: [Entry], _ conversation: Conversation) -> [([Entry], [UInt8])] {
    if let bytes = IndexFormat.page(entries) { return [(entries, bytes)] }
    move(conversation) { $0.halve(entries) }
    let half = entries.count / 2
    return fitting(Array(entries[..<half]), conversation) + fitting(Array(entries[half...]), conversation)
  }

  /// Changes where a conversation's entries are.
  private func move<R>(_ conversation: Conversation, _ body: (inout Timeline) -> R) -> R {
    let before = conversation.evictable
    defer { pages.memory.changed(conversation, evictable: before) }
    return conversation.move(body)
  }
}
