import Bytes

/// Message ids in memory: those of the newest records, 28 bytes each.
struct RecentMessageIDs {
  /// In the order in which they came.
  private(set) var list: [MessageIDEntry] = []
  /// For each id the index, plus 1, of the one before it with the same key; 0: there is none. Ids that came since the
  /// last look-up are neither in it nor in the slots: most go to pages without having been looked for.
  private var earlier: [UInt32] = []
  /// Open addressing with linear probing: in each slot 0, or the place of the newest message id of a key, plus 1. Their
  /// number is a power of two, and at least a quarter of them is empty.
  private var slots: [UInt32] = []

  var count: Int { list.count }

  mutating func insert(_ entry: MessageIDEntry) { list.append(entry) }

  /// Adds the ids of a key, the newest first, at most so many.
  mutating func collect(_ key: UInt64, into ids: inout [UInt64]) {
    guard !list.isEmpty else { return }
    takeIn()
    var next = slots[slot(of: key)]
    var left = MessageIDEntry.mostOfKey
    while next != 0, left > 0 {
      ids.append(list[Int(next) - 1].id)
      next = earlier[Int(next) - 1]
      left -= 1
    }
  }

  /// All of them in their order, by ten bits of their keys at a time, the lowest first: to compare them takes several
  /// times as long.
  var sorted: [MessageIDEntry] {
    var messageIDs = newestFirst
    var next = messageIDs
    for shift in stride(from: 0, to: MessageIDEntry.keyBits, by: 10) {
      var places = [Int](repeating: 0, count: 1025)
      for entry in messageIDs { places[Int(entry.key >> shift & 1023) + 1] += 1 }
      for digit in 1..<1024 { places[digit] += places[digit - 1] }
      for entry in messageIDs {
        let digit = Int(entry.key >> shift & 1023)
        next[places[digit]] = entry
        places[digit] += 1
      }
      swap(&messageIDs, &next)
    }
    return messageIDs
  }

  /// They nearly always came in the order of their records.
  private var newestFirst: [MessageIDEntry] {
    var messageIDs = Array(list.reversed())
    if list.indices.dropFirst().contains(where: { list[$0].id < list[$0 - 1].id }) { messageIDs.sort { $0.id > $1.id } }
    return messageIDs
  }

  /// Makes all that came be found.
  private mutating func takeIn() {
    if list.count * 4 > slots.count * 3 { grow() }
    for place in earlier.count..<list.count {
      let slot = slot(of: list[place].key)
      earlier.append(slots[slot])
      slots[slot] = UInt32(place + 1)
    }
  }

  /// Makes twice the room that is needed.
  private mutating func grow() {
    var count = max(16, slots.count)
    while list.count * 4 > count * 3 { count *= 2 }
    slots = Array(repeating: 0, count: count)
    for place in earlier.indices { slots[slot(of: list[place].key)] = UInt32(place + 1) }
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
extension RecentMessageIDs {
  private static let keySize = Int(MessageIDEntry.keyBits / 8)
  /// Bytes of one, at most, where ids do not lie far apart.
  static let packedSize = keySize + 2

  /// - Parameter last: the id before the first, and then the last one's.
  func pack(into bytes: inout [UInt8], after last: inout UInt64) {
    for entry in list {
      for shift in 0..<Self.keySize { bytes.append(UInt8(truncatingIfNeeded: entry.key >> UInt64(8 * shift))) }
      Varint.append(Varint.zigzag(Int64(bitPattern: entry.id &- last)), to: &bytes)
      last = entry.id
    }
  }

  /// Takes what `pack` gave; false where it is not that.
  mutating func unpack(_ bytes: [UInt8]) -> Bool {
    let bytes = bytes.span
    var (offset, last): (Int, UInt64) = (0, 0)
    while offset < bytes.count {
      guard offset + Self.keySize < bytes.count else { return false }
      let key = bytes.load(at: offset, width: Self.keySize)
      offset += Self.keySize
      guard let step = Varint.read(bytes, at: &offset) else { return false }
      last = last &+ UInt64(bitPattern: Varint.unzigzag(step))
      insert(MessageIDEntry(key: key, id: last))
    }
    return true
  }
}
