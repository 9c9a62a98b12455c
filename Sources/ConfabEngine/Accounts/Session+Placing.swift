import Clocks
import Conversations
import Facts
import Records

/// Where a message with a stamp stands. Many servers stamp whole seconds, what comes live has the time at which it came,
/// and two copies of one message may be stamped at different moments. So what is known to come before a message tells
/// more than a stamp does, where both are about the same time.
extension Session {
  /// How long a message may take from its server's stamp to here, and how much coarser a stamp may be, where nothing more
  /// is known than that both came one behind the other.
  static let delay = Interval.seconds(5)
  /// How much later than its stamp a message may stand here where it waited for us.
  static let searchMargin = Interval.minutes(2)
  /// Of what the server hands over late, the first one of a time; each further one has two less, so that what the archive
  /// has between two of them has a place there.
  private static let firstKept: UInt32 = 1 << 13
  /// Entries that are looked at.
  private static let mostNeighbours = 1_000

  /// A stamped message, where it stands.
  func placed(_ message: consuming MessageRecord) -> MessageRecord {
    guard message.delayed else { return message }
    let stamp = Timestamp(milliseconds: message.time)
    if !message.archived {
      let time = max(stamp, lastHandedOver(message.jid, since: stamp) ?? stamp)
      (message.time, message.depth) = (time.milliseconds, depthOfKept(message.jid, at: time))
    } else if let run = archive.run {
      let time = run.place(of: stamp, in: message.jid)
      message.time = time.milliseconds
      message.depth = run.course == .backward ? archived?.pages ?? 0 : depth(in: run, message.jid, at: time)
    }
    return message
  }

  /// The server hands over in its order, live or late: when the last one stands that it has handed over, if that is not
  /// long after this one's stamp.
  private func lastHandedOver(_ jid: String, since stamp: Timestamp) -> Timestamp? {
    if let last = underWay.last(from: jid), last >= stamp, last - stamp <= Self.delay { return last }
    guard let timeline = account.conversations[jid]?.timeline else { return nil }
    let end = timeline.firstRow(notBefore: stamp.advanced(by: Self.searchMargin))
    for row in (max(0, end - Self.mostNeighbours)..<end).reversed() {
      let entry = timeline[row]
      if entry.time < stamp { return nil }
      if entry.time - stamp <= reach(behind: entry) { return entry.time }
    }
    return nil
  }

  /// How much earlier the stamp may be of what the server hands over behind this one. What came on an earlier connection
  /// may have waited for us, and stands there; on this one, what is late may have waited for another to end.
  private func reach(behind entry: Entry) -> Interval {
    if !entry.flags.isDisjoint(with: [.mine, .archived]) { return .milliseconds(999) }
    return entry.id <= began ? Self.searchMargin : Self.delay
  }

  /// Behind all that are here of that time.
  private func depthOfKept(_ jid: String, at time: Timestamp) -> UInt32 {
    let last = max(underWay.order(of: jid, at: time), lastOrder(of: jid, at: time))
    return last == 0 ? Self.firstKept : MessageRecord.depth(forOrder: (last + 2) & ~1)
  }

  private func lastOrder(of jid: String, at time: Timestamp) -> UInt32 {
    guard let timeline = account.conversations[jid]?.timeline else { return 0 }
    let row = timeline.firstRow(notBefore: time.advanced(by: .milliseconds(1))) - 1
    return row >= 0 && timeline[row].time == time ? timeline[row].archiveOrder : 0
  }

  /// Behind what the archive has shown of that time, and before what it has yet to show.
  private func depth(in run: ArchiveRun, _ jid: String, at time: Timestamp) -> UInt32 {
    switch run.order(of: jid, at: time) {
    case 0: hasKept(jid, at: time) ? Self.firstKept + 1 : 0
    case let order?: MessageRecord.depth(forOrder: order | 1)
    case nil: 0
    }
  }

  /// The server has handed over something late that has this time.
  private func hasKept(_ jid: String, at time: Timestamp) -> Bool {
    let underWay = underWay.order(of: jid, at: time)
    if underWay > 0 { return underWay < MessageRecord.newestOrder }
    guard let timeline = account.conversations[jid]?.timeline else { return false }
    let first = timeline.firstRow(notBefore: time)
    for row in first..<min(first + Self.mostNeighbours, timeline.count) where timeline[row].archiveOrder > 0 {
      return timeline[row].time == time && timeline[row].archiveOrder < MessageRecord.newestOrder
    }
    return false
  }
}
