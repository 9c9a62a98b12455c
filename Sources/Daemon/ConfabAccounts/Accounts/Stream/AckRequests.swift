import Clocks
import XMPPStream

/// When the server is asked for acks (XEP-0198, `<r/>`), or pinged on a stream that does not count stanzas (XEP-0199).
/// One request at a time; it is written with the next output.
struct AckRequests {
  /// Stanzas that are no messages, and that no ack was requested for, at which one is.
  static let mostUnrequested = 32

  /// An answer is awaited, and silence until this time means a dead link.
  private(set) var due: Instant?
  /// The latest time for the answer, even if other stanzas come.
  private(set) var limit: Instant?
  /// When to ask again because the last ack did not cover all that was sent.
  private(set) var repeatDue: Instant?
  /// Stanzas of ours that were written before the last `<r/>`.
  private(set) var coveredCount: UInt32 = 0
  /// Messages of mine were written since the last output.
  private var hasNewMessages = false
  /// Stanzas were sent since, so another request follows the answer.
  private var isRepeatWanted = false
  /// An `<r/>` is to be written.
  private var isRequestWanted = false
  /// A ping is to be written, behind the message of this order (0: behind none).
  private var pingWanted: UInt64?
  private var isPingPending = false

  /// The server owes an answer.
  var isAwaited: Bool { due != nil }

  /// The server owes an answer from now on.
  mutating func await(until due: Instant, atMost limit: Instant) { (self.due, self.limit) = (due, limit) }

  /// Other stanzas come, so the server has longer.
  mutating func wait(until later: Instant) { due = later }

  /// A message of mine was written.
  mutating func wroteMessage() { hasNewMessages = true }

  /// True if an ack is to be requested with this output: messages of mine are in it, or many other stanzas, some of
  /// them new, were sent since the last request.
  mutating func takeNeed(_ counters: StreamManagement) -> Bool {
    defer { hasNewMessages = false }
    return hasNewMessages || counters.keptOthers >= Self.mostUnrequested && isOverdue(counters.sentCount)
  }

  /// True if many stanzas were sent since the last request.
  func isOverdue(_ sent: UInt32) -> Bool { sent &- coveredCount >= UInt32(Self.mostUnrequested) }

  /// An `<r/>` goes out with the next output.
  mutating func wantRequest() { (isRequestWanted, repeatDue) = (true, nil) }

  /// Another request follows the answer to this one.
  mutating func wantRepeat() { isRepeatWanted = true }

  /// The request is repeated at that time, because the ack did not cover all that was sent.
  mutating func wantRepeat(at time: Instant) { repeatDue = time }

  /// A ping goes out behind the message of this order.
  mutating func wantPing(behind order: UInt64) { pingWanted = order }

  /// A ping goes out.
  mutating func wantPing() { pingWanted = pingWanted ?? 0 }

  /// The server answered; true if another request is to follow.
  mutating func answered() -> Bool {
    (due, repeatDue) = (nil, nil)
    defer { isRepeatWanted = false }
    return isRepeatWanted
  }

  /// True if a ping was sent, or waits to be written.
  var isPingWanted: Bool { pingWanted != nil || isPingPending }

  mutating func pingAnswered() { isPingPending = false }

  /// True if an `<r/>` is to be written now, behind so many stanzas of ours.
  mutating func takeRequest(behind sent: UInt32) -> Bool {
    guard isRequestWanted else { return false }
    (isRequestWanted, coveredCount) = (false, sent)
    return true
  }

  /// The message that a ping is to be written behind now; nil: none is.
  mutating func takePing() -> UInt64? {
    guard !isPingPending, let order = pingWanted.take() else { return nil }
    isPingPending = true
    return order
  }
}
