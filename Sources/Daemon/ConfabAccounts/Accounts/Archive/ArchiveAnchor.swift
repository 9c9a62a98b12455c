import Clocks
import Records

/// The anchor, the last message fetched, on the present stream: whether the archive still has it, and when it follows
/// the messages that come otherwise.
struct ArchiveAnchor {
  /// The number of messages received or sent live after which the anchor moves, so that they need not be fetched again.
  static let interval = 250

  /// True if the archive has shown that it has the anchor, by a page that follows the anchor or by the anchor itself.
  var isKnown = false
  /// The archive's newest message, if the archive has nothing after the anchor.
  var newest: ArchiveRecord.Anchor?
  /// When the newest message, as a probe found it, stands here; nil: it is not known.
  var probed: Timestamp?
  /// Messages that came or left otherwise since the anchor was moved.
  private var messageCount = 0

  /// True if it was sought behind the first message of an archive that had none.
  private var wasSought = false

  /// A message came or left otherwise; true if the anchor is to follow.
  ///
  /// - Parameter isFirst: the archive had nothing before, so there is no anchor.
  mutating func noteMessage(isFirst: Bool) -> Bool {
    messageCount += 1
    guard isFirst, !wasSought else { return messageCount >= Self.interval }
    wasSought = true
    return true
  }

  /// Nothing is behind it that would have to be fetched again.
  mutating func followed() { messageCount = 0 }

  /// It could not follow: half as many messages as usual make it try again.
  mutating func postpone() { messageCount = Self.interval / 2 }
}
