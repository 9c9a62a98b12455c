import Conversations

/// All that is kept in memory of some ten thousand tokens that stand together: their head page, which says where they are,
/// and of most keys that they are not there.
struct TokenHead {
  /// The least key.
  var first: UInt64
  var page: IndexPage
  /// How many tokens there are.
  var count: UInt16
  /// What is on the page, as long as it is used.
  var bytes: [UInt8]?
}

/// The form of a head page (docs/LOG-FORMAT.md, "Index"): up to ten leaves, and a Bloom filter of their keys in blocks of 64
/// bytes, four bits for each key in one block: where there are 9 bits a key, one of fifty that are not there seems to be.
enum TokenHeadPage {
  static let mostLeaves = 10
  /// When there are so many tokens, a head has enough of them: the filter gets worse.
  static let manyTokens = 12_000
  private static let filterStart = 256
  private static let blockSize = 64
  private static let blocks = UInt64(IndexFormat.pageSize - filterStart) / UInt64(blockSize)
  private static let bitsOfKey = 4

  /// One of its leaves.
  struct Leaf {
    /// The least key.
    var first: UInt64
    var page: IndexPage
  }

  static func pack(_ leaves: [Leaf], keys: [UInt64]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: IndexFormat.pageSize) { page in
      TokenLeaf.append(UInt64(leaves.count), 8, to: &page)
      for leaf in leaves {
        TokenLeaf.append(leaf.first, 8, to: &page)
        TokenLeaf.append(UInt64(leaf.page.number), 4, to: &page)
        TokenLeaf.append(UInt64(leaf.page.checksum), 4, to: &page)
      }
      page.append(repeating: 0, count: IndexFormat.pageSize - page.count)
    }
    var page = bytes.mutableSpan
    for key in keys {
      var places = Places(key)
      for _ in 0..<bitsOfKey {
        let bit = places.next()
        page[places.block + bit >> 3] |= 1 << UInt8(bit & 7)
      }
    }
    return bytes
  }

  /// The leaves that a page names; nil where it is none.
  static func leaves(_ bytes: [UInt8]) -> [Leaf]? {
    let bytes = bytes.span
    let count = TokenLeaf.load(bytes, at: 0, 8)
    guard count > 0, count <= mostLeaves else { return nil }
    return (0..<Int(count)).map { place in
      let offset = 8 + place * 16
      return Leaf(
        first: TokenLeaf.load(bytes, at: offset, 8),
        page: IndexPage(
          number: UInt32(truncatingIfNeeded: TokenLeaf.load(bytes, at: offset + 8, 4)),
          checksum: UInt32(truncatingIfNeeded: TokenLeaf.load(bytes, at: offset + 12, 4))))
    }
  }

  /// The leaf that a key is on, if it is on any.
  static func leaf(of key: UInt64, _ bytes: [UInt8]) -> IndexPage? {
    guard let leaves = leaves(bytes) else { return nil }
    let next = leaves.partitioningIndex { $0.first > key }
    return next > 0 ? leaves[next - 1].page : nil
  }

  /// Whether a key may be on one of the leaves.
  static func mayHold(_ key: UInt64, _ bytes: [UInt8]) -> Bool {
    let bytes = bytes.span
    var places = Places(key)
    for _ in 0..<bitsOfKey {
      let bit = places.next()
      if bytes[places.block + bit >> 3] & 1 << UInt8(bit & 7) == 0 { return false }
    }
    return true
  }

  /// Where a key's bits stand.
  private struct Places {
    /// The offset of its block.
    let block: Int
    private var rest: UInt64

    init(_ key: UInt64) {
      // Keys of one page differ in their lower bits only.
      let hash = TokenHash.mixed(key)
      block = filterStart + Int(((hash >> 32) * blocks) >> 32) * blockSize
      rest = hash
    }

    /// The next one in the block: of the 36 lowest bits of the hash nine each.
    mutating func next() -> Int {
      defer { rest >>= 9 }
      return Int(truncatingIfNeeded: rest & 511)
    }
  }
}
