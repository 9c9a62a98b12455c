import Clocks
import Records

/// Decides whether a live message or a carbon with a delay stamp in our server's name (XEP-0203) can have waited at the
/// server. Some servers do not drop forged stamps (section 5), so a stamp is believed only when messages can have
/// waited, right after our first presence, when the server delivers offline messages, and after a resumption; and only
/// if it is not from a time in which an earlier session took messages as they came
/// (docs/decisions/0095-believed-stamps.md).
final class BelievedStamps {
  /// The longest wait until the server begins to deliver offline messages; it may first have to find another connection
  /// of ours dead.
  static let patience = Interval.minutes(2)
  /// The longest pause between two offline messages.
  static let pause = Interval.seconds(10)
  /// After that, offline messages are over, even if stamped messages follow each other without a pause.
  static let longest = Interval.minutes(10)
  /// How much the server's clock may be behind ours.
  static let margin = Interval.minutes(2)

  /// Until then the server may deliver offline messages; nil before the first stream.
  private var end: Instant?
  /// The last instant to which that may move.
  private var lastEnd = Instant(milliseconds: 0)
  /// No message can have waited since before that; nil: no earlier session is known.
  private var oldest: Timestamp?

  /// A stream begins or is resumed.
  ///
  /// - Parameter lastLive: when an earlier session took live messages last. A later time than now is of a wrong clock.
  func expect(at now: Moment, since lastLive: Timestamp?) {
    (end, lastEnd) = (now.instant.advanced(by: Self.patience), now.instant.advanced(by: Self.longest))
    oldest = lastLive.flatMap { $0 > now.wall ? nil : $0.advanced(by: .milliseconds(-Self.margin.milliseconds)) }
  }

  /// True if stamps of live messages are no longer believed: messages that waited for us have all come.
  func isOver(at now: Instant) -> Bool { end.map { $0 < now } ?? false }

  /// True if this message's stamp can be the server's own. The account vouches for stamps of archived messages and
  /// inside of carbons, and my own messages have my own stamp.
  func mayHaveWaited(_ message: MessageRecord, _ way: IncomingMessage.Way, at now: Instant) -> Bool {
    guard message.delayed, way == .lateCarbon || way == .live && !message.isMine else { return true }
    guard let end, now <= end, oldest.map({ message.time >= $0.milliseconds }) ?? true else { return false }
    self.end = min(lastEnd, max(end, now.advanced(by: Self.pause)))
    return true
  }
}

extension MessageRecord {
  /// The message with the time of its arrival: its stamp is only a claim.
  consuming func withoutStamp(_ now: Timestamp) -> MessageRecord {
    (claimedTime, time, delayed) = (min(claimedTime ?? time, time), now.milliseconds, false)
    return self
  }
}
