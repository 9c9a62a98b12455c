/// A page of tokens in their order (docs/LOG-FORMAT.md, "Index"): first all keys, then all ids, each in as few bytes as the
/// largest of them needs, so that a key is found without looking at the others.
enum TokenLeaf {
  static let headerSize = 24

  /// What decides how many tokens go on a page.
  struct Extent {
    var count = 0
    var first: UInt64 = 0
    var last: UInt64 = 0
    var lowestID: UInt64 = .max
    var highestID: UInt64 = 0

    /// With more tokens, which follow.
    func with(_ tokens: ArraySlice<Token>) -> Extent {
      guard let next = tokens.first?.key else { return self }
      var extent = self
      if count == 0 { extent.first = next }
      extent.last = next
      extent.count += tokens.count
      for token in tokens {
        extent.lowestID = min(extent.lowestID, token.id)
        extent.highestID = max(extent.highestID, token.id)
      }
      return extent
    }

    var keyWidth: Int { Self.width(last &- first) }
    var idWidth: Int { Self.width(highestID &- lowestID) }
    var size: Int { headerSize + count * (keyWidth + idWidth) }

    private static func width(_ largest: UInt64) -> Int { max(1, (71 - largest.leadingZeroBitCount) / 8) }
  }

  /// The page of tokens; there is at least one.
  static func pack(_ tokens: ArraySlice<Token>, _ extent: Extent) -> [UInt8] {
    let (keyWidth, idWidth) = (extent.keyWidth, extent.idWidth)
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: IndexFormat.pageSize) { page in
      append(UInt64(extent.count), 4, to: &page)
      append(UInt64(keyWidth), 2, to: &page)
      append(UInt64(idWidth), 2, to: &page)
      append(extent.first, 8, to: &page)
      append(extent.lowestID, 8, to: &page)
      for token in tokens { append(token.key &- extent.first, keyWidth, to: &page) }
      for token in tokens { append(token.id &- extent.lowestID, idWidth, to: &page) }
      page.append(repeating: 0, count: IndexFormat.pageSize - page.count)
    }
    return bytes
  }

  /// All tokens of a page; nil where it is none.
  static func unpack(_ bytes: [UInt8]) -> [Token]? {
    let bytes = bytes.span
    guard let shape = Shape(bytes) else { return nil }
    var tokens: [Token] = []
    tokens.reserveCapacity(shape.count)
    for place in 0..<shape.count { tokens.append(Token(key: shape.key(bytes, place), id: shape.id(bytes, place))) }
    return tokens
  }

  /// Adds the ids of a key; false where the page is none.
  static func collect(_ key: UInt64, in bytes: [UInt8], into ids: inout [UInt64]) -> Bool {
    let bytes = bytes.span
    guard let shape = Shape(bytes) else { return false }
    var (low, high) = (0, shape.count)
    while low < high {
      let middle = (low + high) / 2
      if shape.key(bytes, middle) < key { low = middle + 1 } else { high = middle }
    }
    while low < shape.count, shape.key(bytes, low) == key {
      ids.append(shape.id(bytes, low))
      low += 1
    }
    return true
  }

  /// Where everything stands on a page.
  private struct Shape {
    let count: Int
    private let keyWidth: Int
    private let idWidth: Int
    private let first: UInt64
    private let lowestID: UInt64

    init?(_ bytes: Span<UInt8>) {
      guard bytes.count == IndexFormat.pageSize else { return nil }
      count = Int(load(bytes, at: 0, 4))
      (keyWidth, idWidth) = (Int(load(bytes, at: 4, 2)), Int(load(bytes, at: 6, 2)))
      (first, lowestID) = (load(bytes, at: 8, 8), load(bytes, at: 16, 8))
      guard 1...8 ~= keyWidth, 1...8 ~= idWidth, headerSize + count * (keyWidth + idWidth) <= bytes.count else {
        return nil
      }
    }

    func key(_ bytes: Span<UInt8>, _ place: Int) -> UInt64 {
      first &+ load(bytes, at: headerSize + place * keyWidth, keyWidth)
    }

    func id(_ bytes: Span<UInt8>, _ place: Int) -> UInt64 {
      lowestID &+ load(bytes, at: headerSize + count * keyWidth + place * idWidth, idWidth)
    }
  }

  static func append(_ value: UInt64, _ width: Int, to bytes: inout OutputSpan<UInt8>) {
    for shift in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift))) }
  }

  static func load(_ bytes: Span<UInt8>, at offset: Int, _ width: Int) -> UInt64 {
    var value: UInt64 = 0
    for shift in 0..<width { value |= UInt64(bytes[offset + shift]) << UInt64(8 * shift) }
    return value
  }
}
