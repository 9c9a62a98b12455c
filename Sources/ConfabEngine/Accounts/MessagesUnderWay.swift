import Facts
import Records

/// A message that is here, or on its way to the disk.
struct KnownMessage {
  /// Its record's number.
  let id: UInt64
  let record: MessageRecord
}

/// Messages on their way to the disk, by what a copy of them would have in common: no fact knows them yet. What is
/// durable is dropped in two steps, so that it holds no more than the disk has waiting for it, twice.
struct MessagesUnderWay {
  private var young: [UInt64: KnownMessage] = [:]
  private var old: [UInt64: KnownMessage] = [:]
  /// The newest in each.
  private var youngest: UInt64 = 0
  private var oldest: UInt64 = 0

  mutating func note(_ message: KnownMessage) {
    if let id = message.record.archiveID { young[TokenIndex.hash(id)] = message }
    if let token = message.record.copyToken { young[TokenIndex.hash(token)] = message }
    youngest = message.id
  }

  /// A sync came.
  mutating func durable(_ sequence: UInt64) {
    guard oldest <= sequence else { return }
    (old, oldest) = (young, youngest)
    young.removeAll()
    if oldest <= sequence { old.removeAll() }
  }

  /// The one whose token has this hash.
  func candidate(_ hash: UInt64) -> KnownMessage? { young[hash] ?? old[hash] }
}
