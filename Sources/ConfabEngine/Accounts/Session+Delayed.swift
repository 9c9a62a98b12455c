import Clocks
import Records

/// Whether a live message with a delay stamp in our server's name (XEP-0203) can have waited at the server. Some
/// servers do not drop forged stamps (section 5), so a stamp is believed only when messages can have waited: right
/// after our first presence, when the server delivers offline messages, and after a resume.
extension Session {
  /// The longest wait until the server begins to deliver offline messages; it may first have to find another connection
  /// of ours dead.
  static let handOverPatience = Interval.minutes(2)
  /// The longest pause between two offline messages.
  static let handOverPause = Interval.seconds(10)

  /// Expects delayed messages from now on, because the session begins or the stream was resumed.
  func expectDelayed() {
    handsOverUntil = effects.now.instant.advanced(by: Self.handOverPatience)
  }

  /// Whether this message's stamp can be the server's own. The account vouches for stamps of archived messages and
  /// carbons, and my own messages have my own stamp.
  func mayHaveWaited(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    guard way == .live, message.delayed, !message.mine else { return true }
    let now = effects.now.instant
    guard let end = handsOverUntil, now <= end else { return false }
    handsOverUntil = max(end, now.advanced(by: Self.handOverPause))
    return true
  }
}

extension MessageRecord {
  /// The message with the time of its arrival: its stamp is only somebody's claim.
  consuming func withoutStamp(_ now: Timestamp) -> MessageRecord {
    (claimedTime, time, delayed) = (min(claimedTime ?? time, time), now.milliseconds, false)
    return self
  }
}
