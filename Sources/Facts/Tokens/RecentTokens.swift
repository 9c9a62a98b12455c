import Bytes

/// Tokens in memory: those of the newest records, 28 bytes each.
struct RecentTokens {
  /// In the order in which they came.
  private(set) var list: [Token] = []
  /// For each the place, plus 1, of the one before it with the same key; 0: there is none.
  private var earlier: [UInt32] = []
  /// Open addressing with linear probing: in each slot 0, or the place of the newest token of a key, plus 1. Their number is
  /// a power of two, and at least a quarter of them is empty.
  private var slots: [UInt32] = []

  var count: Int { list.count }

  mutating func insert(_ token: Token) {
    if (list.count + 1) * 4 > slots.count * 3 { grow() }
    list.append(token)
    let slot = slot(of: token.key)
    earlier.append(slots[slot])
    slots[slot] = UInt32(list.count)
  }

  /// Adds the ids of a key, the newest first, at most so many.
  func collect(_ key: UInt64, into ids: inout [UInt64]) {
    guard !slots.isEmpty else { return }
    var next = slots[slot(of: key)]
    var left = Token.mostOfKey
    while next != 0, left > 0 {
      ids.append(list[Int(next) - 1].id)
      next = earlier[Int(next) - 1]
      left -= 1
    }
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: max(16, slots.count * 2))
    for (place, token) in list.enumerated() { slots[slot(of: token.key)] = UInt32(place + 1) }
  }

  /// The slot of a key, or the empty one where it belongs.
  private func slot(of key: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: key) & mask
    while slots[slot] != 0, list[Int(slots[slot]) - 1].key != key { slot = (slot + 1) & mask }
    return slot
  }
}

// In a checkpoint: for each the 5 bytes of its key, and by how much its id differs from the one before it.
extension RecentTokens {
  private static let keySize = Int(Token.keyBits / 8)
  /// Bytes of one, at most, where ids do not lie far apart.
  static let packedSize = keySize + 2

  /// - Parameter last: the id before the first, and then the last one's.
  func pack(into bytes: inout [UInt8], after last: inout UInt64) {
    for token in list {
      for shift in 0..<Self.keySize { bytes.append(UInt8(truncatingIfNeeded: token.key >> UInt64(8 * shift))) }
      Varint.append(Varint.zigzag(Int64(bitPattern: token.id &- last)), to: &bytes)
      last = token.id
    }
  }

  /// Takes what `pack` gave; false where it is not that.
  mutating func unpack(_ bytes: [UInt8]) -> Bool {
    let bytes = bytes.span
    var (offset, last): (Int, UInt64) = (0, 0)
    while offset < bytes.count {
      guard offset + Self.keySize < bytes.count else { return false }
      var key: UInt64 = 0
      for shift in 0..<Self.keySize { key |= UInt64(bytes[offset + shift]) << UInt64(8 * shift) }
      offset += Self.keySize
      guard let step = Varint.read(bytes, at: &offset) else { return false }
      last = last &+ UInt64(bitPattern: Varint.unzigzag(step))
      insert(Token(key: key, id: last))
    }
    return true
  }
}
