/// A Bloom filter in blocks of 64 bytes, at the end of a page: four bits for each key, in one block. With 9 bits a key,
/// one of fifty absent keys seems to be there.
struct BloomFilter {
  private static let blockSize = 64
  private static let bitsOfKey = 4
  /// The offset of the first block.
  private let start: Int
  private let blocks: UInt64

  /// The filter that fills a page from an offset.
  init(from start: Int) {
    self.start = start
    blocks = UInt64((IndexFormat.pageSize - start) / Self.blockSize)
  }

  func insert(_ key: UInt64, into page: inout MutableSpan<UInt8>) {
    var bits = Bits(key, blocks)
    for _ in 0..<Self.bitsOfKey {
      let bit = bits.next()
      page[start + bits.block + bit >> 3] |= 1 << UInt8(bit & 7)
    }
  }

  /// True if the key may be one that was inserted.
  func mayHold(_ key: UInt64, in page: Span<UInt8>) -> Bool {
    var bits = Bits(key, blocks)
    for _ in 0..<Self.bitsOfKey {
      let bit = bits.next()
      if page[start + bits.block + bit >> 3] & 1 << UInt8(bit & 7) == 0 { return false }
    }
    return true
  }

  /// The bits of a key.
  private struct Bits {
    /// The offset of its block.
    let block: Int
    private var rest: UInt64

    init(_ key: UInt64, _ blocks: UInt64) {
      // Keys of one page differ in their lower bits only.
      let hash = MessageIDHash.mixed(key)
      block = Int(((hash >> 32) * blocks) >> 32) * BloomFilter.blockSize
      rest = hash
    }

    /// The next one in the block: of the 36 lowest bits of the hash nine each.
    mutating func next() -> Int {
      defer { rest >>= 9 }
      return Int(truncatingIfNeeded: rest & 511)
    }
  }
}
