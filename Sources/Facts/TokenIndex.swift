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

  package init(capacity: Int) { self.capacity = capacity }

  /// The entries, oldest first.
  package var entries: ArraySlice<Entry> { order[start...] }

  mutating func insert(_ token: String, id: UInt64, time: Timestamp) {
    insert(Entry(hash: Self.hash(token), id: id, time: time))
  }

  /// The same for a token of two parts.
  mutating func insert(_ token: (String, String), id: UInt64, time: Timestamp) {
    insert(Entry(hash: Self.hash(token), id: id, time: time))
  }

  /// The newest message whose token of two parts has the same hash.
  package func candidate(_ token: (String, String)) -> UInt64? { byHash[Self.hash(token)] }

  mutating func insert(_ entry: Entry) {
    byHash[entry.hash] = entry.id
    order.append(entry)
    if order.count - start > capacity { dropOldest() }
  }

  /// The newest message whose token has this hash.
  package func candidate(_ hash: UInt64) -> UInt64? { byHash[hash] }

  /// Every message of the index's kind from this id on is in it.
  package var completeFrom: UInt64 { order.count - start < capacity ? 0 : order[start].id }

  /// The newest message whose token has the same hash.
  package func candidate(_ token: String) -> UInt64? { byHash[Self.hash(token)] }

  /// Forgets tokens from before a time.
  mutating func dropEntries(before time: Timestamp) {
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

  private static func hash(_ token: String, from start: UInt64) -> UInt64 {
    // A loop over memory: for every message, two tokens are hashed byte by byte.
    let bytes = token.utf8.span
    var hash = start
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return hash
  }
}
