import Bytes
import Conversations
import MessageLog

/// Conversations on pages, ordered by their keys.
struct SleepingRun {
  var pages: [SleepingPage]
  /// Says of most keys that they are not here, without reading; nil: a start does not make one.
  var filter: KeyFilter?

  /// How many there are.
  var count: Int { pages.reduce(0) { $0 + Int($1.count) } }

  /// The pages on which a key may be.
  func places(of key: UInt64) -> Range<Int> {
    guard filter?.mayHold(key) ?? true else { return 0..<0 }
    let end = pages.partitioningIndex { $0.first > key }
    return max(0, min(end, pages.partitioningIndex { $0.first >= key }) - 1)..<end
  }
}

/// A Bloom filter: 10 bits for each key, of which three are set, so that one of sixty that are not there seems to be.
struct KeyFilter {
  private var words: [UInt64]

  /// A filter for so many keys; nil for more than are worth the memory.
  init?(for count: Int) {
    guard count <= Self.most else { return nil }
    words = Array(repeating: 0, count: count * 10 / 64 + 1)
  }

  /// 2.5 MiB.
  private static let most = 2_000_000

  mutating func insert(_ key: UInt64) {
    for bit in bits(of: key) { words[bit / 64] |= 1 << UInt64(bit % 64) }
  }

  func mayHold(_ key: UInt64) -> Bool {
    bits(of: key).allSatisfy { words[$0 / 64] & 1 << UInt64($0 % 64) != 0 }
  }

  private func bits(of key: UInt64) -> [Int] {
    let step = key >> 17 | 1
    return (0..<3).map { Int((key &+ step &* $0) % UInt64(words.count * 64)) }
  }
}

/// Puts records, which come in their order, on pages.
struct SleepingPages {
  /// Those that are full, and what is to be written there.
  private(set) var full: [(page: SleepingPage, bytes: [UInt8])] = []
  private(set) var filter: KeyFilter?
  private var open = SleepingPage(first: 0, page: IndexPage(number: 0, checksum: 0), count: 0, newest: .min)
  private var writer = FieldWriter()

  /// Pages for about so many records.
  init(for count: Int) { filter = KeyFilter(for: count) }

  mutating func append(_ record: SleepingRecord, _ ledger: inout PageLedger) {
    if writer.bytes.count + record.size > IndexFormat.pageSize { close(&ledger) }
    if open.count == 0 { open.first = record.key }
    open.count += 1
    open.newest = max(open.newest, record.newest)
    record.write(into: &writer)
    filter?.insert(record.key)
  }

  /// What comes goes to the next page.
  mutating func close(_ ledger: inout PageLedger) {
    guard open.count > 0 else { return }
    let bytes = writer.bytes + Array(repeating: 0, count: IndexFormat.pageSize - writer.bytes.count)
    open.page = IndexPage(number: ledger.take(), checksum: CRC32C.checksum(bytes))
    full.append((open, bytes))
    (writer, open.count, open.newest) = (FieldWriter(), 0, .min)
  }

  /// Hands out the pages that are full.
  mutating func take() -> [(page: SleepingPage, bytes: [UInt8])] {
    defer { full = [] }
    return full
  }
}

/// Goes through runs in the order of their keys. Of what several say of one conversation it has what the newest says.
struct SleepingCursor {
  /// The newest first.
  private var sources: [Source]

  private struct Source {
    var pages: ArraySlice<SleepingPage>
    var records: ArraySlice<SleepingRecord> = []
  }

  /// A cursor before the first record of runs, which come oldest first.
  init(_ runs: some Collection<SleepingRun>) {
    sources = runs.reversed().map { Source(pages: $0.pages[...]) }
  }

  /// The next record.
  ///
  /// - Parameter read: the records of a page; none where it cannot be read.
  mutating func next(_ read: (SleepingPage) -> [SleepingRecord]) -> SleepingRecord? {
    var next: SleepingRecord?
    for index in sources.indices {
      while sources[index].records.isEmpty, let page = sources[index].pages.popFirst() {
        sources[index].records = read(page)[...]
      }
      guard let record = sources[index].records.first else { continue }
      if next.map({ record.precedes($0) }) ?? true { next = record }
    }
    guard let next else { return nil }
    for index in sources.indices where sources[index].records.first?.isSame(as: next) == true {
      sources[index].records.removeFirst()
    }
    return next
  }
}
