import Bytes
import Timelines
/// The part of a run that stays in memory: some thousand records that stand together, and the page that names theirs.
struct RunHead {
  /// The least key.
  var first: UInt64
  var page: IndexPage
  /// The number of records.
  var count: UInt16
  /// The highest rank of a record.
  var rank: Int64
  /// The content of the page, as long as it is used.
  var bytes: [UInt8]?
}

/// Records on pages, ordered by their keys; a run is never changed, only written and, merged with others, given up.
struct Run {
  var heads: [RunHead] = []

  /// The number of records.
  var count: Int { heads.reduce(0) { $0 + Int($1.count) } }

  /// The heads that may have a key.
  func places(of key: UInt64) -> Range<Int> { HeadPage.places(of: key, in: heads) { $0.first } }

  /// The keys that a head may have.
  func keys(of place: Int) -> ClosedRange<UInt64> {
    heads[place].first...(place + 1 < heads.count ? heads[place + 1].first : .max)
  }
}

/// The form of a head's page (docs/LOG-FORMAT.md, "Index"): the pages of records, and a Bloom filter of their keys.
enum HeadPage {
  /// Pages of records that one head may name.
  static let mostLeaves = 84
  /// A head with so many keys is full: with more the filter gets worse.
  static let manyKeys = 10_500
  private static let leafSize = 24
  private static let filter = BloomFilter(from: 2048)

  /// A page of records.
  struct Leaf {
    /// The least key.
    var first: UInt64
    var page: IndexPage
    /// The highest rank of a record.
    var rank: Int64
  }

  static func pack(_ leaves: [Leaf], keys: [UInt64]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: IndexFormat.pageSize) { page in
      page.append(UInt64(leaves.count), width: 8)
      for leaf in leaves {
        page.append(leaf.first, width: 8)
        page.append(UInt64(leaf.page.number), width: 4)
        page.append(UInt64(leaf.page.checksum), width: 4)
        page.append(UInt64(bitPattern: leaf.rank), width: 8)
      }
      page.append(repeating: 0, count: IndexFormat.pageSize - page.count)
    }
    var page = bytes.mutableSpan
    for key in keys { filter.insert(key, into: &page) }
    return bytes
  }

  /// The bytes of a page, which name leaves.
  static func checked(_ bytes: [UInt8]) throws(FieldError) -> [UInt8] {
    guard 1...UInt64(mostLeaves) ~= bytes.span.load(at: 0, width: 8) else { throw .malformed }
    return bytes
  }

  /// The leaves that a checked page names.
  static func leaves(_ bytes: [UInt8]) -> [Leaf] {
    let bytes = bytes.span
    return (0..<Int(bytes.load(at: 0, width: 8))).map { place in
      let offset = 8 + place * leafSize
      return Leaf(
        first: bytes.load(at: offset, width: 8),
        page: IndexPage(
          number: UInt32(truncatingIfNeeded: bytes.load(at: offset + 8, width: 4)),
          checksum: UInt32(truncatingIfNeeded: bytes.load(at: offset + 12, width: 4))),
        rank: Int64(bitPattern: bytes.load(at: offset + 16, width: 8)))
    }
  }

  /// True if a key may be on one of the leaves.
  static func mayHold(_ key: UInt64, _ bytes: [UInt8]) -> Bool { filter.mayHold(key, in: bytes.span) }

  /// The leaves that may have a key.
  static func leaves(of key: UInt64, _ bytes: [UInt8]) -> ArraySlice<Leaf> {
    let leaves = leaves(bytes)
    return leaves[places(of: key, in: leaves) { $0.first }]
  }

  /// The places that may have a key, of such that know their least ones.
  static func places<Place>(of key: UInt64, in list: [Place], _ first: (Place) -> UInt64) -> Range<Int> {
    let end = list.partitioningIndex { first($0) > key }
    var start = end
    while start > 0, start == end || first(list[start]) == key { start -= 1 }
    return start..<end
  }
}

// In a checkpoint, for each head: 1 the least key, 2 page and checksum, 3 the highest rank, 4 the count.
extension Run {
  func write(into writer: inout FieldWriter) {
    for head in heads {
      writer.fixed64(1, head.first)
      writer.fixed64(2, UInt64(head.page.number) << 32 | UInt64(head.page.checksum))
      writer.int(3, head.rank)
      writer.uint(4, UInt64(head.count))
    }
  }

  static func read(_ reader: inout FieldReader) throws(FieldError) -> Run {
    var run = Run()
    var head = RunHead(first: 0, page: IndexPage(number: 0, checksum: 0), count: 0, rank: .min)
    while let field = try reader.next() {
      switch field {
      case 1: head.first = try reader.fixed64()
      case 2:
        let place = try reader.fixed64()
        head.page = IndexPage(number: UInt32(place >> 32), checksum: UInt32(truncatingIfNeeded: place))
      case 3: head.rank = try reader.int()
      case 4:
        head.count = try reader.uint(UInt16.self)
        run.heads.append(head)
      default: break
      }
    }
    let isSorted = zip(run.heads, run.heads.dropFirst()).allSatisfy { $0.first <= $1.first }
    guard isSorted, !run.heads.isEmpty else { throw .malformed }
    return run
  }
}
