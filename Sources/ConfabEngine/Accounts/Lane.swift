/// Stanzas of one stream that have their places and have not been written, in their order: each may wait for the disk, and
/// all behind it wait too.
struct Lane {
  struct Entry {
    let bytes: [UInt8]
    /// It leaves when this record is durable; 0: it waits for none.
    var sequence: UInt64 = 0
    /// Its place among our stanzas, where they are counted.
    var place: UInt32?
    /// The message of mine that it is; nil: it is none.
    var message: UInt64?
  }

  private var entries: ArraySlice<Entry> = []
  /// The bytes of messages, and of all else.
  private(set) var messageBytes = 0
  private(set) var otherBytes = 0

  var first: Entry? { entries.first }
  var hasMessages: Bool { messageBytes > 0 }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
    count(entry, 1)
  }

  mutating func removeFirst() {
    guard let entry = entries.popFirst() else { return }
    if entries.isEmpty { entries = [] }
    count(entry, -1)
  }

  private mutating func count(_ entry: Entry, _ sign: Int) {
    if entry.message == nil { otherBytes += sign * entry.bytes.count } else { messageBytes += sign * entry.bytes.count }
  }
}
