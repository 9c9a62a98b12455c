import Clocks
import Records

/// New messages beside the read position at their coming (decisions 0095 and 0111).
extension LogWitness {
  /// A live message is unread. So is one that the archive has behind messages that were read in an earlier session, if it is
  /// not more than two minutes older, or our clock was ahead then.
  func checkIsUnread(_ message: MessageRecord, _ sequence: UInt64) {
    guard !message.author.isMe, !message.archived || isBehindEarlierSession(message, sequence) else { return }
    world.hold(
      !reading.isRead(sequence, in: .init(message), at: sequence),
      "\(message.text) came as \(sequence), and counts as read from the beginning")
  }

  /// Whether the archive had a message behind all that it had before, and what was read is of an earlier session.
  private func isBehindEarlierSession(_ message: MessageRecord, _ sequence: UInt64) -> Bool {
    guard world.seen[.changed] == nil, world.faults[.archiveExpiry] == nil, !isFilling(message.account),
      let read = reading.position(in: .init(message), at: sequence), read.id < writing.streamBegan(message.account),
      let time = writing.time(of: message)
    else { return false }
    let isAhead = read.time > world.now.wall.milliseconds && !world.clockWasSet(within: .minutes(2))
    return read.time - time / 1000 * 1000 <= 120_000 || isAhead
  }
}
