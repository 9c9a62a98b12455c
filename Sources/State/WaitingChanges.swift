import Bytes

/// Records that change messages which are not here: what came before the message that it changes. Bounded, the newest ones.
package struct WaitingChanges: Sendable, Equatable {
  package static let most = 4_096

  /// The records by the hash of the message that they wait for (`MessageIDHash.ofNamed`), oldest first.
  private var byHash: [UInt64: [UInt64]] = [:]
  /// The hashes by record.
  private var hashes: [UInt64: UInt64] = [:]
  /// All records, and some that wait no more, oldest first.
  private var order: ArraySlice<UInt64> = []

  package var isEmpty: Bool { hashes.isEmpty }

  /// The hashes of all messages that are waited for.
  package var awaited: [UInt64] { byHash.keys.sorted() }

  /// The records that wait for a message with this hash.
  package func records(_ hash: UInt64) -> [UInt64] { byHash[hash] ?? [] }

  mutating func insert(_ record: UInt64, _ hash: UInt64) {
    byHash[hash, default: []].append(record)
    hashes[record] = hash
    order.append(record)
    while hashes.count > Self.most, let oldest = order.popFirst() { remove(oldest) }
    if order.count > 2 * Self.most { order = order.filter { hashes[$0] != nil }[...] }
  }

  mutating func remove(_ record: UInt64) {
    guard let hash = hashes.removeValue(forKey: record) else { return }
    byHash[hash]?.removeAll { $0 == record }
    if byHash[hash]?.isEmpty == true { byHash[hash] = nil }
  }

  /// In a checkpoint: 2 (many) a record and its hash.
  func write(into writer: inout FieldWriter) {
    for record in order {
      guard let hash = hashes[record] else { continue }
      writer.message(2) {
        $0.uint(1, record)
        $0.fixed64(2, hash)
      }
    }
  }

  /// Takes a record and its hash.
  mutating func read(_ reader: inout FieldReader) throws(FieldError) {
    var (record, hash): (UInt64, UInt64) = (0, 0)
    while let field = try reader.next() {
      if field == 1 { record = try reader.uint() }
      if field == 2 { hash = try reader.fixed64() }
    }
    insert(record, hash)
  }
}
