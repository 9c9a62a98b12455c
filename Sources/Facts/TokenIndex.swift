package import Clocks

/// Finds the message that carries a token (an idempotency key, a stanza id) among the newest ones, in 40 bytes each:
/// only a hash is kept, so a hit must be confirmed by reading the message.
package struct TokenIndex: Sendable {
  /// One token's hash and the message that carries it.
  package struct Entry: Sendable, Equatable {
    package var hash: UInt64
    package var id: UInt64
    package var time: Timestamp
  }

  private let capacity: Int
  private var byHash: [UInt64: UInt64] = [:]
  /// Oldest first, from `start` on.
  private var order: [Entry] = []
  private var start = 0
  /// Entries as a checkpoint has them, as long as nobody has asked for any.
  private var asleep: [UInt8] = []

  package init(capacity: Int) { self.capacity = capacity }

  /// The entries, oldest first.
  package var entries: ArraySlice<Entry> {
    mutating get {
      wake()
      return order[start...]
    }
  }

  /// The entries, oldest first, in 24 bytes each: hash, id, time.
  var packed: [UInt8] {
    guard asleep.isEmpty else { return asleep }
    var bytes: [UInt8] = []
    bytes.reserveCapacity((order.count - start) * Self.packedSize)
    for entry in order[start...] {
      for number in [entry.hash, entry.id, UInt64(bitPattern: entry.time.milliseconds)] {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
      }
    }
    return bytes
  }

  private static let packedSize = 24

  /// Takes what `packed` gave, before anything else is inserted.
  mutating func restore(_ packed: [UInt8]) { asleep = packed }

  private mutating func wake() {
    guard !asleep.isEmpty else { return }
    let bytes = asleep
    asleep = []
    for start in stride(from: 0, to: bytes.count - bytes.count % Self.packedSize, by: Self.packedSize) {
      let numbers = (0..<3).map { part in
        bytes[start + part * 8..<start + part * 8 + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      insert(
        Entry(hash: numbers[0], id: numbers[1], time: Timestamp(milliseconds: Int64(bitPattern: numbers[2]))))
    }
  }

  mutating func insert(_ token: String, id: UInt64, time: Timestamp) {
    insert(Entry(hash: Self.hash(token), id: id, time: time))
  }

  /// The same for a token of two parts.
  mutating func insert(_ token: (String, String), id: UInt64, time: Timestamp) {
    insert(Entry(hash: Self.hash(token), id: id, time: time))
  }

  /// The newest message whose token of two parts has the same hash.
  package mutating func candidate(_ token: (String, String)) -> UInt64? { candidate(Self.hash(token)) }

  mutating func insert(_ entry: Entry) {
    wake()
    byHash[entry.hash] = entry.id
    order.append(entry)
    if order.count - start > capacity { dropOldest() }
  }

  /// The newest message whose token has this hash.
  package mutating func candidate(_ hash: UInt64) -> UInt64? {
    wake()
    return byHash[hash]
  }

  /// Every message of the index's kind from this id on is in it.
  package var completeFrom: UInt64 {
    mutating get {
      wake()
      return order.count - start < capacity ? 0 : order[start].id
    }
  }

  /// The newest message whose token has the same hash.
  package mutating func candidate(_ token: String) -> UInt64? { candidate(Self.hash(token)) }

  /// Forgets tokens from before a time.
  mutating func dropEntries(before time: Timestamp) {
    wake()
    while start < order.count, order[start].time < time { dropOldest() }
  }

  private mutating func dropOldest() {
    let oldest = order[start]
    if byHash[oldest.hash] == oldest.id { byHash[oldest.hash] = nil }
    start += 1
    if start > 1024, start * 2 > order.count {
      order.removeFirst(start)
      start = 0
    }
  }

  /// FNV-1a, 64 bits: stable between runs, since a checkpoint keeps it.
  package static func hash(_ token: String) -> UInt64 { hash(token, from: 0xcbf2_9ce4_8422_2325) }

  /// The parts are kept apart by a byte that is in neither.
  package static func hash(_ token: (String, String)) -> UInt64 {
    hash(token.1, from: hash(token.0) &* 0x100_0000_01b3)
  }

  /// The same from another beginning.
  static func hash(_ token: String, from start: UInt64) -> UInt64 {
    // A loop over memory: for every message, two tokens are hashed byte by byte.
    let bytes = token.utf8.span
    var hash = start
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return hash
  }
}
