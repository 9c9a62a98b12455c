import Bytes
import Timelines
/// Puts records, which come in their order, on pages.
struct RunWriter<Record: RunRecord> {
  /// The pages to be written.
  private(set) var full: [WrittenPage] = []
  private(set) var heads: [RunHead] = []
  /// The pages that no head names yet.
  private(set) var unnamed: [UInt32] = []
  /// The records of the page that is being filled.
  private var open: [Record] = []
  private var extent = Record.Extent()
  private var leaves: [HeadPage.Leaf] = []
  private var keys: [UInt64] = []
  private var last: Record?
  /// How many records have the last one's key.
  private var countOfKey = 0

  mutating func append(_ record: Record, _ allocator: inout PageAllocator) {
    guard isWanted(record) else { return }
    var larger = extent
    larger.add(record)
    if larger.size > IndexFormat.pageSize {
      closeLeaf(&allocator)
      if leaves.count == HeadPage.mostLeaves || keys.count >= HeadPage.manyKeys { closeHead(&allocator) }
      larger = extent
      larger.add(record)
    }
    extent = larger
    open.append(record)
    keys.append(record.key)
  }

  /// Puts all records on pages.
  mutating func fill(_ records: [Record], _ allocator: inout PageAllocator) {
    for record in records { append(record, &allocator) }
    close(&allocator)
  }

  /// There are no more records.
  mutating func close(_ allocator: inout PageAllocator) {
    closeLeaf(&allocator)
    closeHead(&allocator)
  }

  /// All records with lesser keys have a head.
  var end: UInt64 { leaves.first?.first ?? open.first?.key ?? .max }

  /// Hands out the pages that are full.
  mutating func take() -> [WrittenPage] {
    defer { full = [] }
    return full
  }

  /// True if a record has not come already and is not one too many of its key.
  private mutating func isWanted(_ record: Record) -> Bool {
    guard let last, last.key == record.key else {
      (last, countOfKey) = (record, 1)
      return true
    }
    guard !record.isSame(as: last), countOfKey < Record.mostOfKey else { return false }
    self.last = record
    countOfKey += 1
    return true
  }

  private mutating func closeLeaf(_ allocator: inout PageAllocator) {
    guard let first = open.first?.key else { return }
    let page = write(Record.pack(open, extent), &allocator)
    let rank = open.reduce(Int64.min) { max($0, $1.rank) }
    leaves.append(HeadPage.Leaf(first: first, page: page, rank: rank))
    open.removeAll(keepingCapacity: true)
    extent = Record.Extent()
  }

  private mutating func closeHead(_ allocator: inout PageAllocator) {
    guard let first = leaves.first?.first else { return }
    let page = write(HeadPage.pack(leaves, keys: keys), &allocator)
    let rank = leaves.reduce(Int64.min) { max($0, $1.rank) }
    heads.append(RunHead(first: first, page: page, count: UInt16(clamping: keys.count), rank: rank))
    unnamed = []
    leaves.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
  }

  private mutating func write(_ bytes: [UInt8], _ allocator: inout PageAllocator) -> IndexPage {
    let page = IndexPage(number: allocator.take(), checksum: CRC32C.checksum(bytes))
    unnamed.append(page.number)
    full.append((page, bytes))
    return page
  }
}
