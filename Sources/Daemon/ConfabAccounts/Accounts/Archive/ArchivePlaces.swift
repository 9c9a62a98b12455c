import Clocks
import Records

/// Places of archived messages in their conversations, by the messages before them in the same run. A stamp alone
/// does not tell: many servers stamp whole seconds.
struct ArchivePlaces {
  /// When the message before stands here.
  private var previous: Timestamp?
  /// The time from the anchor's stamp to its position here: the server's clock is not ours. Later messages have no
  /// earlier stamp.
  private var shift = Interval.zero
  /// When the last message stands, whatever its stamp.
  private var last: Timestamp?
  /// When the last message of each conversation stands, and its order there.
  private var lasts: [String: (time: Timestamp, order: UInt32)] = [:]
  /// The last order at the time `previous` that the archive has shown in a conversation that `lasts` does not have; nil:
  /// it is unknown.
  private var order: UInt32? = 0
  /// On the way back, when the page before begins: nothing stands behind that.
  private var limit: Timestamp?
  /// The earliest time at which a message of the present page stands.
  private var earliest: Timestamp?

  init() {}

  /// Behind the message after which the run begins.
  init(behind anchor: ArchiveRecord.Anchor) {
    guard let place = anchor.place else { return }
    (previous, order) = (Timestamp(milliseconds: place), anchor.order)
    shift = min(.milliseconds(max(0, place - anchor.time)), MessageOrder.searchMargin)
  }

  /// On the way back from messages that begin here at this time; nil: it is unknown.
  init(before limit: Timestamp?) { self.limit = limit }

  /// The time at which another run begins to place the messages behind the last one.
  var end: Timestamp? { [previous, last].compactMap(\.self).max() }

  /// The last order of any conversation at the time `end`; nil: it is unknown.
  var endOrder: UInt32? {
    let orders = lasts.values.filter { $0.time == end }.map(\.order)
    let last = max(orders.max() ?? 0, previous == end ? order ?? 0 : 0)
    return last == 0 && previous == end ? order : last
  }

  /// A message stands here at its time. A time more than `MessageOrder.delay` behind its stamp says nothing about later
  /// messages of other conversations; one more than `searchMargin` behind it is ignored.
  mutating func passed(_ message: MessageRecord, stamp: Timestamp) {
    let time = Timestamp(milliseconds: message.time)
    earliest = earliest.map { min($0, time) } ?? time
    guard time - stamp <= MessageOrder.searchMargin else { return }
    last = time
    let isLater = previous.map { time > $0 } ?? true
    if isLater, time - stamp <= MessageOrder.delay { (previous, shift, order) = (time, .zero, 0) }
    let before = lasts[message.jid] ?? (time, 0)
    guard time >= before.time else { return }
    lasts[message.jid] = (time, time == before.time ? max(before.order, message.archiveOrder) : message.archiveOrder)
    if lasts.count > ArchivePage.size { (lasts, order) = ([:], nil) }
  }

  /// The next page is of older messages, which do not follow those before.
  mutating func turnBack(before oldest: Timestamp?) {
    limit = [oldest, earliest].compactMap(\.self).min()
    (earliest, previous, last, lasts) = (nil, nil, nil, [:])
  }

  /// The last order of a conversation at this time that the archive has shown; 0: it has shown none; nil: it is
  /// unknown.
  func order(of jid: String, at time: Timestamp) -> UInt32? {
    let shown = lasts[jid].flatMap { $0.time == time ? $0.order : nil } ?? 0
    guard previous == time else { return shown }
    return order.map { max($0, shown) } ?? (shown > 0 ? shown : nil)
  }

  /// When a message with this stamp is to stand: behind what comes before it. On the way back, a stamp of a clock that is
  /// ahead of ours, from what was the future when the page before came, does not put it behind that page.
  func place(of stamp: Timestamp, in jid: String) -> Timestamp {
    var time = stamp
    if let previous, previous > time, previous - stamp <= max(MessageOrder.delay, shift) { time = previous }
    if let last = lasts[jid]?.time, last > time, last - stamp <= MessageOrder.searchMargin { time = last }
    guard let limit, limit < time else { return time }
    return stamp - limit <= MessageOrder.searchMargin ? limit : stamp
  }
}
