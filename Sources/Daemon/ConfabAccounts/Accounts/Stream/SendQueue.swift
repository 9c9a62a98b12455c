/// Stanzas that have their places on a stream and are not written yet, in their order. Each may wait for the disk, and
/// those behind it wait too.
struct SendQueue {
  struct Entry {
    let bytes: [UInt8]
    /// It leaves once this record is durable; 0: it waits for none.
    var sequence: UInt64 = 0
    /// Its place among our stanzas, if the stream counts them.
    var place: UInt32?
    /// The message of mine that it is; nil: another stanza.
    var message: UInt64?
  }

  private var entries: ArraySlice<Entry> = []
  /// The bytes of messages, and of all other stanzas.
  private(set) var messageBytes = 0
  private(set) var otherBytes = 0
  /// Nothing leaves before this record is durable, because it frees places of messages, or of our presence.
  var barrier: UInt64 = 0

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
