import Clocks
import Records

/// Whether a message that comes live, with a stamp in our server's name (XEP-0203), can have waited at the server. Not each
/// server drops stamps that others write in its name (section 5), so a stamp is believed only when messages can have waited:
/// right behind our first presence, when offline storage is handed over, and when a stream goes on.
extension Session {
  /// How long the server may take until it begins to hand over what waited, also on another connection of ours that it has
  /// yet to find dead.
  static let handOverPatience = Interval.minutes(2)
  /// How long it may pause within that.
  static let handOverPause = Interval.seconds(10)

  /// The session begins, or the stream goes on: what waited comes now.
  func expectDelayed(_ turn: Turn) {
    handsOverUntil = turn.now.instant.advanced(by: Self.handOverPatience)
  }

  /// Whether the stamp of this message can be the server's own. What comes out of the archive or as a copy is stamped by the
  /// account that vouches for it, and what I wrote has my own stamp.
  func mayHaveWaited(_ message: MessageRecord, _ way: IncomingMessage.Way, _ turn: Turn) -> Bool {
    guard way == .live, message.delayed, !message.mine else { return true }
    let now = turn.now.instant
    guard let end = handsOverUntil, now <= end else { return false }
    handsOverUntil = max(end, now.advanced(by: Self.handOverPause))
    return true
  }
}

extension MessageRecord {
  /// The same as it came now: the stamp is no more than what somebody claims.
  consuming func withoutStamp(_ now: Timestamp) -> MessageRecord {
    (claimedTime, time, delayed) = (min(claimedTime ?? time, time), now.milliseconds, false)
    return self
  }
}
