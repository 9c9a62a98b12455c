import Clocks
import Records

/// Decides whether a live message with a delay stamp in our server's name (XEP-0203) can have waited at the server. Some
/// servers do not drop forged stamps (section 5), so a stamp is believed only when messages can have waited: right
/// after our first presence, when the server delivers offline messages, and after a resumption.
struct DelayedDelivery {
  /// The longest wait until the server begins to deliver offline messages; it may first have to find another connection
  /// of ours dead.
  static let patience = Interval.minutes(2)
  /// The longest pause between two offline messages.
  static let pause = Interval.seconds(10)

  /// Until then the server may deliver offline messages; nil before the first stream.
  private var end: Instant?

  /// A stream begins or is resumed.
  mutating func expect(at now: Instant) { end = now.advanced(by: Self.patience) }

  /// Whether this message's stamp can be the server's own. The account vouches for stamps of archived messages and
  /// carbons, and my own messages have my own stamp.
  mutating func mayHaveWaited(_ message: MessageRecord, _ way: IncomingMessage.Way, at now: Instant) -> Bool {
    guard way == .live, message.delayed, !message.mine else { return true }
    guard let end, now <= end else { return false }
    self.end = max(end, now.advanced(by: Self.pause))
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
