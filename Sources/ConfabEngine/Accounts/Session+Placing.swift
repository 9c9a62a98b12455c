import Clocks
import Conversations
import Facts
import Records

/// Where a message with a stamp stands. Many servers stamp whole seconds, what comes live has the time at which it came,
/// and two copies of one message may be stamped at different moments. So what is known to come before a message tells
/// more than a stamp does, where both are about the same time.
extension Session {
  /// How long a message may take from its server's stamp to here, and how much coarser a stamp may be.
  static let delay = Interval.seconds(5)
  /// Entries that are looked at.
  private static let mostNeighbours = 1_000

  /// A stamped message, where it stands.
  func placed(_ message: MessageRecord) -> MessageRecord {
    guard message.delayed else { return message }
    var message = message
    let stamp = Timestamp(milliseconds: message.time)
    if !message.archived {
      message.time = max(stamp, lastHandedOver(message.jid, since: stamp) ?? stamp).milliseconds
    } else if let run = archive.run {
      message.time = run.place(of: stamp).milliseconds
      message.depth = run.course == .backward ? archived?.pages ?? 0 : standsBeforeKept(message, run) ? 1 : 0
    }
    return message
  }

  /// The server hands over in its order, live or late: when the last one stands that it has handed over, or that the
  /// archive has within that second, if that is not long after this one's stamp.
  private func lastHandedOver(_ jid: String, since stamp: Timestamp) -> Timestamp? {
    let last = underWay.last(from: jid)?.time
    if let last, last >= stamp, last - stamp <= Self.delay { return last }
    return lastDurable(jid, from: stamp, to: stamp.advanced(by: Self.delay)) { entry in
      !entry.flags.contains(.archived) || entry.time - stamp < .seconds(1)
    }?.time
  }

  /// What the server kept for us has come already, and the archive shows this one before it: both have one time.
  private func standsBeforeKept(_ message: MessageRecord, _ run: ArchiveRun) -> Bool {
    let time = Timestamp(milliseconds: message.time)
    if let last = underWay.last(from: message.jid), last.time == time {
      return last.isKept && run.hasToShow(last.id, at: time)
    }
    guard let last = lastDurable(message.jid, from: time, to: time, where: { _ in true }) else { return false }
    return last.archiveOrder > 0 && !last.flags.contains(.archived) && run.hasToShow(last.id, at: time)
  }

  /// The last message of others in a time, among those that are facts.
  private func lastDurable(
    _ jid: String, from start: Timestamp, to end: Timestamp, where isWanted: (Entry) -> Bool
  ) -> Entry? {
    guard let timeline = account.conversations[jid]?.timeline else { return nil }
    let behind = timeline.firstRow(notBefore: end.advanced(by: .milliseconds(1)))
    for row in (max(0, behind - Self.mostNeighbours)..<behind).reversed() {
      let entry = timeline[row]
      if entry.time < start { return nil }
      if !entry.flags.contains(.mine), isWanted(entry) { return entry }
    }
    return nil
  }
}
