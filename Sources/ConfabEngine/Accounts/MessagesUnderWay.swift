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
  /// The last messages of a conversation.
  private struct Last {
    /// When the last one stands that the server has handed over, live or late.
    var handedOver: Timestamp?
    /// The last one that was noted, however it came.
    var time: Timestamp
    var order: UInt32
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
    if let id = message.record.archiveID { young[TokenHash.of(id)] = message }
    if let hash = message.record.copyHash { young[hash] = message }
    youngest = message.id
    note(message.record)
  }

  private mutating func note(_ message: MessageRecord) {
    let time = Timestamp(milliseconds: message.time)
    var last = youngLast[message.jid] ?? Last(time: time, order: 0)
    last.order = last.time == time ? max(last.order, message.archiveOrder) : message.archiveOrder
    last.time = time
    if !message.archived, !message.mine { last.handedOver = time }
    youngLast[message.jid] = last
  }

  /// A sync came.
  mutating func durable(_ sequence: UInt64) {
    guard oldest <= sequence else { return }
    (old, oldLast, oldest) = (young, youngLast, youngest)
    (young, youngLast) = ([:], [:])
    if oldest <= sequence { (old, oldLast) = ([:], [:]) }
  }

  /// When the last one stands that somebody sent us, of those that are no facts yet.
  func last(from jid: String) -> Timestamp? { youngLast[jid]?.handedOver ?? oldLast[jid]?.handedOver }

  /// The last order in a conversation at this time, as far as the last of those tell; 0: they do not.
  func order(of jid: String, at time: Timestamp) -> UInt32 {
    [youngLast[jid], oldLast[jid]].reduce(0) { $1?.time == time ? max($0, $1?.order ?? 0) : $0 }
  }

  /// The one whose token has this hash.
  func candidate(_ hash: UInt64) -> KnownMessage? { young[hash] ?? old[hash] }
}
