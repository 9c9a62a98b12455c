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
  /// The `h` that the server confirmed last.
  package private(set) var acknowledgedCount: UInt32
  /// What somebody waits for, oldest first, behind `firstUnacknowledged`. Stanzas that nobody waits for are only counted:
  /// whoever makes us answer without end, and acknowledges nothing, takes no memory by it.
  private var queue: [Waiting] = []
  private var firstUnacknowledged = 0

  private struct Waiting: Equatable, Sendable {
    /// The count that acknowledges it.
    let count: UInt32
    let tag: Tag
  }

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
    acknowledgedCount = sentCount
  }

  /// How many stanzas the server has not acknowledged.
  package var unacknowledgedCount: Int { Int(sentCount &- acknowledgedCount) }

  /// The tags other than 0 of the stanzas that the server has not acknowledged, in the order they were sent.
  package var unacknowledged: [Tag] { queue[firstUnacknowledged...].map(\.tag) }

  /// Whether somebody waits for an acknowledgement.
  package var isAwaited: Bool { firstUnacknowledged < queue.count }

  /// Counts a stanza (message, presence or iq; nothing else counts) as sent.
  package mutating func sent(tag: Tag) {
    sentCount &+= 1
    if tag != 0 { queue.append(Waiting(count: sentCount, tag: tag)) }
  }

  /// Counts a stanza of the server's as handled: stored, or decided not to be.
  package mutating func received() {
    handled &+= 1
  }

  /// Takes the server's `h`; the tags other than 0 that it newly acknowledges, oldest first. Throws, and changes nothing,
  /// where `h` is impossible.
  package mutating func acknowledged(h: UInt32) throws(ImpossibleAcknowledgement) -> [Tag] {
    let distance = h &- acknowledgedCount
    guard distance <= sentCount &- acknowledgedCount else {
      throw ImpossibleAcknowledgement(h: h, acknowledged: acknowledgedCount, sent: sentCount)
    }
    let tags = queue[firstUnacknowledged...].prefix { $0.count &- acknowledgedCount <= distance }.map(\.tag)
    firstUnacknowledged += tags.count
    acknowledgedCount = h
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
    one.sentCount == other.sentCount && one.acknowledgedCount == other.acknowledgedCount && one.handled == other.handled
      && one.queue[one.firstUnacknowledged...] == other.queue[other.firstUnacknowledged...]
  }
}
