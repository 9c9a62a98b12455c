import Clocks
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
  /// One that the server has handed over, live or late.
  struct Last {
    let id: UInt64
    let time: Timestamp
    let isKept: Bool
  }

  private var young: [UInt64: KnownMessage] = [:]
  private var old: [UInt64: KnownMessage] = [:]
  /// By conversation.
  private var youngLast: [String: Last] = [:]
  private var oldLast: [String: Last] = [:]
  /// The newest in each.
  private var youngest: UInt64 = 0
  private var oldest: UInt64 = 0

  mutating func note(_ message: KnownMessage) {
    if let id = message.record.archiveID { young[TokenIndex.hash(id)] = message }
    if let token = message.record.copyToken { young[TokenIndex.hash(token)] = message }
    youngest = message.id
    guard !message.record.archived, !message.record.mine else { return }
    let time = Timestamp(milliseconds: message.record.time)
    youngLast[message.record.jid] = Last(id: message.id, time: time, isKept: message.record.delayed)
  }

  /// A sync came.
  mutating func durable(_ sequence: UInt64) {
    guard oldest <= sequence else { return }
    (old, oldLast, oldest) = (young, youngLast, youngest)
    (young, youngLast) = ([:], [:])
    if oldest <= sequence { (old, oldLast) = ([:], [:]) }
  }

  /// The last one that somebody sent us, of those that are no facts yet.
  func last(from jid: String) -> Last? { youngLast[jid] ?? oldLast[jid] }

  /// The one whose token has this hash.
  func candidate(_ hash: UInt64) -> KnownMessage? { young[hash] ?? old[hash] }
}
