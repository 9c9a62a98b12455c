/// The counters of one stream's XEP-0198 (version 1.6, section 4): what the server has of ours, what we have of the
/// server's. Pure; who sends `<r/>` and `<a/>`, and when, is the session's business.
///
/// Both counters are 32 bits and wrap. Outbound counting starts with the first stanza after our `<enable/>`, inbound
/// with the first one after the server's `<enabled/>`.
package struct StreamManagement: Equatable, Sendable {
  /// What the owner wants back when a stanza is acknowledged: a message's id, or 0 for what nobody waits for.
  package typealias Tag = UInt64

  /// Stanzas sent, modulo 2^32.
  package private(set) var sentCount: UInt32
  /// Stanzas received and handled, modulo 2^32: the `h` of our `<a/>`.
  package private(set) var handled: UInt32
  /// Tags of the stanzas that the server has not acknowledged, oldest first, behind `firstUnacknowledged`.
  private var queue: [Tag] = []
  private var firstUnacknowledged = 0

  /// An `h` that no server can mean: it acknowledges more than was sent, or takes back what was acknowledged before
  /// (which is the same, counted modulo 2^32). Section 4 answers it with `undefined-condition` and
  /// `<handled-count-too-high/>`.
  package struct ImpossibleAcknowledgement: Error, Equatable, Sendable {
    package let h: UInt32
    /// The last `h` that was possible, 0 at the start.
    package let acknowledged: UInt32
    package let sent: UInt32

    package init(h: UInt32, acknowledged: UInt32, sent: UInt32) {
      self.h = h
      self.acknowledged = acknowledged
      self.sent = sent
    }
  }

  /// Counters at the start of a stream, or as they were when it was left.
  package init(sentCount: UInt32 = 0, handled: UInt32 = 0) {
    self.sentCount = sentCount
    self.handled = handled
  }

  /// How many stanzas the server has not acknowledged.
  package var unacknowledgedCount: Int { queue.count - firstUnacknowledged }

  /// The tags of the stanzas that the server has not acknowledged, in the order they were sent.
  package var unacknowledged: ArraySlice<Tag> { queue[firstUnacknowledged...] }

  /// The `h` that the server confirmed last.
  package var acknowledgedCount: UInt32 { sentCount &- UInt32(truncatingIfNeeded: unacknowledgedCount) }

  /// Counts a stanza (message, presence or iq; nothing else counts) as sent.
  package mutating func sent(tag: Tag) {
    sentCount &+= 1
    queue.append(tag)
  }

  /// Counts a stanza of the server's as handled: stored, or decided not to be.
  package mutating func received() {
    handled &+= 1
  }

  /// Takes the server's `h`; the tags that it newly acknowledges, oldest first. Throws, and changes nothing, where `h`
  /// is impossible.
  package mutating func acknowledged(h: UInt32) throws(ImpossibleAcknowledgement) -> [Tag] {
    let distance = Int(h &- acknowledgedCount)
    guard distance <= unacknowledgedCount else {
      throw ImpossibleAcknowledgement(h: h, acknowledged: acknowledgedCount, sent: sentCount)
    }
    let end = firstUnacknowledged + distance
    let tags = Array(queue[firstUnacknowledged..<end])
    firstUnacknowledged = end
    compact()
    return tags
  }

  /// Drops the acknowledged part once it is the larger one, so that each tag is moved once on average.
  private mutating func compact() {
    guard firstUnacknowledged > queue.count / 2 else { return }
    queue.removeFirst(firstUnacknowledged)
    firstUnacknowledged = 0
  }

  package static func == (one: StreamManagement, other: StreamManagement) -> Bool {
    one.sentCount == other.sentCount && one.handled == other.handled && one.unacknowledged == other.unacknowledged
  }
}
