import Bytes

/// Records that refer to messages which are not here: changes, receipts, markers and errors that came before their
/// message. Bounded: beyond that, the domain from whose conversations most of them are loses its oldest one.
package struct WaitingReferences: Sendable, Equatable {
  package static let most = 4_096

  private struct Waiting: Equatable {
    /// The hash of the message (`MessageIDHash.ofNamed`).
    let hash: UInt64
    /// The hash of its conversation's domain.
    let domain: UInt64
  }

  private var byRecord: [UInt64: Waiting] = [:]
  /// The records by the message that they wait for, oldest first.
  private var byHash: [UInt64: [UInt64]] = [:]
  /// How many records there are by domain.
  private var counts: [UInt64: Int] = [:]
  /// All records, and some that wait no more, oldest first.
  private var order: ArraySlice<UInt64> = []

  package var isEmpty: Bool { byRecord.isEmpty }

  /// The hashes of all messages that are waited for.
  package var awaited: [UInt64] { byHash.keys.sorted() }

  /// True if any record waits for a message with this hash.
  package func has(_ hash: UInt64) -> Bool { byHash[hash] != nil }

  /// The records that wait for a message with this hash.
  package func records(_ hash: UInt64) -> [UInt64] { byHash[hash] ?? [] }

  /// - Parameter jid: the conversation's bare JID; nil: earlier versions did not say it.
  mutating func insert(_ record: UInt64, _ hash: UInt64, in jid: String?) {
    insert(
      record, Waiting(hash: hash, domain: MessageIDHash.of(jid?.split(separator: "@").last.map(String.init) ?? "")))
  }

  private mutating func insert(_ record: UInt64, _ waiting: Waiting) {
    guard byRecord.updateValue(waiting, forKey: record) == nil else { return }
    byHash[waiting.hash, default: []].append(record)
    counts[waiting.domain, default: 0] += 1
    order.append(record)
    while byRecord.count > Self.most, let oldest = oldestOfFullest { remove(oldest) }
    if order.count > 2 * Self.most { order = order.filter { byRecord[$0] != nil }[...] }
  }

  /// The oldest record of the domain that has most of them.
  private var oldestOfFullest: UInt64? {
    let fullest = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    return order.first { byRecord[$0].map { $0.domain == fullest } ?? false }
  }

  mutating func remove(_ record: UInt64) {
    guard let waiting = byRecord.removeValue(forKey: record) else { return }
    byHash[waiting.hash]?.removeAll { $0 == record }
    if byHash[waiting.hash]?.isEmpty == true { byHash[waiting.hash] = nil }
    counts[waiting.domain, default: 1] -= 1
    if counts[waiting.domain] == 0 { counts[waiting.domain] = nil }
  }

  /// In a checkpoint: 2 (many) a record, its hash, and that of the domain.
  func write(into writer: inout FieldWriter) {
    for record in order {
      guard let waiting = byRecord[record] else { continue }
      writer.message(2) {
        $0.uint(1, record)
        $0.fixed64(2, waiting.hash)
        $0.fixed64(3, waiting.domain)
      }
    }
  }

  /// Takes a record and its hashes.
  mutating func read(_ reader: inout FieldReader) throws(FieldError) {
    var (record, hash, domain): (UInt64, UInt64, UInt64) = (0, 0, 0)
    while let field = try reader.next() {
      if field == 1 { record = try reader.uint() }
      if field == 2 { hash = try reader.fixed64() }
      if field == 3 { domain = try reader.fixed64() }
    }
    insert(record, Waiting(hash: hash, domain: domain))
  }
}
