/// The counters of a stream's XEP-0198 (version 1.6, sections 4 and 5): what the server has of ours, what we have of the
/// server's, and what goes again when the stream is resumed. Pure; who sends `<r/>` and `<a/>`, and when, is the session's
/// business.
///
/// All counts are 32 bits and wrap. Outbound counting starts with the first stanza after our `<enable/>`, inbound with the
/// first one after the server's `<enabled/>`. A stanza of ours first gets its place, and then is written, in the same
/// order: what becomes durable in between is the owner's business.
package struct StreamManagement: Equatable, Sendable {
  /// A stanza of ours that the server has not acknowledged.
  package enum Stanza: Equatable, Sendable {
    /// A message that the owner has under this id, and how many bytes it takes.
    case message(UInt64, bytes: Int)
    /// Anything else, as it was written.
    case other([UInt8])
  }

  /// The limit of stored stanzas that are no messages, so that a peer that makes us answer endlessly and acknowledges
  /// nothing costs no more memory. Stanzas beyond it are counted, and not sent again.
  package static let maximumOthers = 500
  package static let maximumOtherBytes = 256 << 10

  /// The place of the newest stanza of ours: the next one has the place behind it.
  package private(set) var place: UInt32
  /// Stanzas written, modulo 2^32.
  package private(set) var sentCount: UInt32
  /// Stanzas received and handled, modulo 2^32.
  package private(set) var handled: UInt32
  /// The `h` that the server confirmed last.
  package private(set) var acknowledgedCount: UInt32
  /// Oldest first, behind `firstUnacknowledged`.
  private var queue: [Waiting] = []
  private var firstUnacknowledged = 0
  private var others = 0
  private var otherBytes = 0
  /// Messages that are not acknowledged, and the bytes of all of them.
  package private(set) var messages = 0
  package private(set) var messageBytes = 0

  private struct Waiting: Equatable, Sendable {
    /// The count that acknowledges it.
    let place: UInt32
    let stanza: Stanza
  }

  /// An `h` that no server can mean: it acknowledges more than was sent, or takes back what was acknowledged before
  /// (which is the same, counted modulo 2^32). Section 6 answers it with `undefined-condition` and
  /// `<handled-count-too-high/>`.
  package struct ImpossibleAcknowledgement: Error, Equatable, Sendable {
    package let h: UInt32
    /// The last `h` that was possible, 0 at the start.
    package let acknowledged: UInt32
    package let sent: UInt32

    package init(h: UInt32, acknowledged: UInt32, sent: UInt32) {
      (self.h, self.acknowledged, self.sent) = (h, acknowledged, sent)
    }
  }

  /// Counters at the start of a stream.
  package init(sentCount: UInt32 = 0, handled: UInt32 = 0) {
    (self.sentCount, self.handled) = (sentCount, handled)
    place = sentCount
    acknowledgedCount = sentCount
  }

  /// Counters of a stream of which only this is known: what of ours has left, it did at places up to `ceiling`, and
  /// nobody knows what was acknowledged, but that these messages were not. To be resumed, and for nothing else.
  package init(ceiling: UInt32, handled: UInt32, messages: [(id: UInt64, place: UInt32)]) {
    self.init(sentCount: ceiling, handled: handled)
    acknowledgedCount = ceiling &- (1 << 31)
    queue = messages.map { Waiting(place: $0.place, stanza: .message($0.id, bytes: 0)) }
    self.messages = messages.count
  }

  /// The messages that the server has not acknowledged, in the order they were sent.
  package var unacknowledged: [UInt64] { queue[firstUnacknowledged...].compactMap(\.stanza.message) }

  /// True if a message waits for an acknowledgement.
  package var isAwaited: Bool { messages > 0 }

  /// So many stanzas that are no messages are kept to be sent again.
  package var keptOthers: Int { others }

  /// Gives a message of mine the next place.
  @discardableResult
  package mutating func place(message id: UInt64, bytes: Int) -> UInt32 {
    messages += 1
    messageBytes += bytes
    place &+= 1
    queue.append(Waiting(place: place, stanza: .message(id, bytes: bytes)))
    return place
  }

  /// Gives a stanza that is no message of mine the next place.
  @discardableResult
  package mutating func place(_ stanza: [UInt8]) -> UInt32 {
    place &+= 1
    guard others < Self.maximumOthers, otherBytes + stanza.count <= Self.maximumOtherBytes else { return place }
    others += 1
    otherBytes += stanza.count
    queue.append(Waiting(place: place, stanza: .other(stanza)))
    return place
  }

  /// Gives a stanza the next place that is not to be sent again from here: its owner sees to that.
  package mutating func placeUnkept() -> UInt32 {
    place &+= 1
    return place
  }

  /// The next stanza in the order of places is written.
  package mutating func wrote() { sentCount &+= 1 }

  /// Counts a stanza of the server's as handled: stored, or decided not to be.
  package mutating func received() { handled &+= 1 }

  /// Takes the server's `h`; the messages that it newly acknowledges, oldest first. Throws, and changes nothing, where `h`
  /// is impossible.
  package mutating func acknowledged(h: UInt32) throws(ImpossibleAcknowledgement) -> [UInt64] {
    let distance = h &- acknowledgedCount
    guard distance <= sentCount &- acknowledgedCount else {
      throw ImpossibleAcknowledgement(h: h, acknowledged: acknowledgedCount, sent: sentCount)
    }
    let done = queue[firstUnacknowledged...].prefix { $0.place &- acknowledgedCount <= distance }
    for waiting in done { release(waiting.stanza) }
    firstUnacknowledged += done.count
    acknowledgedCount = h
    defer { compact() }
    return done.compactMap(\.stanza.message)
  }

  /// The stream is resumed, and this is the server's `h`: the messages that it newly acknowledges, and what is to get a new
  /// place and be sent again, all of it oldest first. Nothing of ours is under way any more.
  package mutating func resumed(
    h: UInt32
  ) throws(ImpossibleAcknowledgement) -> (acknowledged: [UInt64], again: [Stanza]) {
    let done = try acknowledged(h: h)
    let again = queue[firstUnacknowledged...].map(\.stanza)
    self = StreamManagement(sentCount: h, handled: handled)
    return (done, again)
  }

  private mutating func release(_ stanza: Stanza) {
    switch stanza {
    case .message(_, let bytes):
      messages -= 1
      messageBytes -= bytes
    case .other(let bytes):
      others -= 1
      otherBytes -= bytes.count
    }
  }

  /// Drops the acknowledged part once it is the larger one, so that each is moved once on average.
  private mutating func compact() {
    guard firstUnacknowledged > queue.count / 2 else { return }
    queue.removeFirst(firstUnacknowledged)
    firstUnacknowledged = 0
  }
}

extension StreamManagement.Stanza {
  /// Its id, where it is a message.
  fileprivate var message: UInt64? { if case .message(let id, _) = self { id } else { nil } }
}
