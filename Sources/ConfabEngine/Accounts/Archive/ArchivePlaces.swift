import Clocks
import Records

/// Places of archived messages in their conversations, by the messages before them in the same run. A stamp alone
/// does not tell: many servers stamp whole seconds.
struct ArchivePlaces {
  /// When the message before stands here.
  private(set) var previous: Timestamp?
  /// When the last message of each conversation stands, and its order there.
  private var lasts: [String: (time: Timestamp, order: UInt32)] = [:]
  /// Whether `lasts` has all conversations of which the archive has shown something at the time `previous`.
  private var knowsAll = true
  /// On the way back, when the page before begins: nothing stands behind that.
  private var limit: Timestamp?

  init() {}

  /// - Parameter place: where the message stands after which the run begins, in milliseconds.
  init(behind place: Int64) { (previous, knowsAll) = (Timestamp(milliseconds: place), false) }

  /// A message stands here at its time. Where that is not about its stamp, as of what I wrote long before it left, it
  /// tells nothing of those that follow; in its own conversation it tells more.
  mutating func passed(_ message: MessageRecord, stamp: Timestamp) {
    let time = Timestamp(milliseconds: message.time)
    guard time - stamp <= MessageOrder.searchMargin else { return }
    let isLater = previous.map { time > $0 } ?? true
    if isLater, time - stamp <= MessageOrder.delay { (previous, knowsAll) = (time, true) }
    let last = lasts[message.jid] ?? (time, 0)
    guard time >= last.time else { return }
    lasts[message.jid] = (time, time == last.time ? max(last.order, message.archiveOrder) : message.archiveOrder)
    if lasts.count > ArchivePage.size { (lasts, knowsAll) = ([:], false) }
  }

  /// The next page is of older messages, which do not follow those before.
  mutating func turnBack(before oldest: Timestamp?) { (limit, previous, lasts) = (oldest, nil, [:]) }

  /// The last order of a conversation at this time that the archive has shown; 0: it has shown none; nil: it is unknown.
  func order(of jid: String, at time: Timestamp) -> UInt32? {
    if let last = lasts[jid], last.time == time { return last.order }
    return knowsAll || previous != time ? 0 : nil
  }

  /// When a message with this stamp is to stand: behind what comes before it.
  func place(of stamp: Timestamp, in jid: String) -> Timestamp {
    var time = stamp
    if let previous, previous > time, previous - stamp <= MessageOrder.delay { time = previous }
    if let last = lasts[jid]?.time, last > time, last - stamp <= MessageOrder.searchMargin { time = last }
    return max(stamp, limit.map { min($0, time) } ?? time)
  }
}
