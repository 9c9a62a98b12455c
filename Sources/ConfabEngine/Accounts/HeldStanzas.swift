/// Stanzas that have no place on the stream before a record is durable, oldest first.
struct HeldStanzas {
  private var entries: ArraySlice<(bytes: [UInt8], sequence: UInt64)> = []
  private(set) var byteCount = 0
  /// They are somebody's request: when they have left, their arrival is asked for.
  private var isFollowed = false

  mutating func append(_ bytes: [UInt8], until sequence: UInt64) {
    entries.append((bytes, sequence))
    byteCount += bytes.count
  }

  mutating func follow() { isFollowed = true }

  /// Takes the oldest, where it waits for nothing that is not durable.
  mutating func takeFirst(upTo durable: UInt64) -> [UInt8]? {
    guard let first = entries.first, first.sequence <= durable else { return nil }
    entries.removeFirst()
    byteCount -= first.bytes.count
    return first.bytes
  }

  /// Whether the arrival of what has left is to be asked for now.
  mutating func takeQuestion() -> Bool {
    guard entries.isEmpty, isFollowed else { return false }
    isFollowed = false
    return true
  }

  mutating func takeAll() -> [[UInt8]] {
    defer { (entries, byteCount) = ([], 0) }
    return entries.map(\.bytes)
  }
}
