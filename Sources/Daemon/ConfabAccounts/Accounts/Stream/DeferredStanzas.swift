/// Stanzas that get no place on the stream before a record is durable, oldest first.
struct DeferredStanzas {
  private var entries: ArraySlice<(bytes: [UInt8], sequence: UInt64)> = []
  private(set) var byteCount = 0
  /// True if an ack is requested once they have left, because a client asked for them.
  private var isFollowed = false

  mutating func append(_ bytes: [UInt8], until sequence: UInt64) {
    entries.append((bytes, sequence))
    byteCount += bytes.count
  }

  mutating func follow() { isFollowed = true }

  /// Takes the oldest stanza if its record is durable.
  mutating func takeFirst(upTo durable: UInt64) -> [UInt8]? {
    guard let first = entries.first, first.sequence <= durable else { return nil }
    entries.removeFirst()
    byteCount -= first.bytes.count
    return first.bytes
  }

  /// True if an ack of those that have left is to be requested now.
  mutating func takeFollowUp() -> Bool {
    guard entries.isEmpty, isFollowed else { return false }
    isFollowed = false
    return true
  }

  mutating func takeAll() -> [[UInt8]] {
    defer { (entries, byteCount) = ([], 0) }
    return entries.map(\.bytes)
  }
}
