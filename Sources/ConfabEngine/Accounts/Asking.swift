import Clocks

/// What we ask the server about what left: how far it is (XEP-0198, `<r/>`) or, where stanzas are not counted, for a sign
/// of life (XEP-0199). One question at a time; it is written at the end of a turn.
struct Asking {
  /// An answer is awaited, and silence until this time means a dead link.
  private(set) var due: Instant?
  /// Until then at most, though other things come.
  private(set) var limit: Instant?
  /// When to ask again a server that was not as far.
  private(set) var againDue: Instant?
  /// Stanzas of ours that had left when the last `<r/>` did.
  private(set) var askedUpTo: UInt32 = 0
  /// Something was sent since, and its arrival is to be asked for as well.
  private var isWantedAgain = false
  /// An `<r/>` is to be written.
  private var isRequestWanted = false
  /// A ping is to be written, behind the message of this order (0: behind none).
  private var pingWanted: UInt64?
  private var isPingUnderWay = false

  /// The server owes an answer.
  var isAwaited: Bool { due != nil }

  /// The server owes an answer from now on.
  mutating func await(until due: Instant, atMost limit: Instant) { (self.due, self.limit) = (due, limit) }

  /// It says other things, and has longer.
  mutating func wait(until later: Instant) { due = later }

  /// An `<r/>` is to go out, with the next output.
  mutating func wantRequest() { (isRequestWanted, againDue) = (true, nil) }

  /// Another question when this one is answered.
  mutating func wantAgain() { isWantedAgain = true }

  /// The same question at that time: the server is not as far as it was asked about.
  mutating func wantAgain(at time: Instant) { againDue = time }

  /// A ping is to go out, with the next output, behind what is sent up to there.
  mutating func wantPing(behind order: UInt64) { pingWanted = order }

  /// A ping of whatever kind.
  mutating func wantPing() { pingWanted = pingWanted ?? 0 }

  /// What was asked is answered. Says whether there was to be another question behind it.
  mutating func answered() -> Bool {
    (due, againDue) = (nil, nil)
    defer { isWantedAgain = false }
    return isWantedAgain
  }

  /// Whether a ping was sent, or waits to be written.
  var isPingWanted: Bool { pingWanted != nil || isPingUnderWay }

  mutating func pingAnswered() { isPingUnderWay = false }

  /// Whether an `<r/>` is to be written now, behind so many stanzas of ours.
  mutating func takeRequest(behind sent: UInt32) -> Bool {
    guard isRequestWanted else { return false }
    (isRequestWanted, askedUpTo) = (false, sent)
    return true
  }

  /// The message that a ping is to be written behind now; nil: none is.
  mutating func takePing() -> UInt64? {
    guard !isPingUnderWay, let order = pingWanted.take() else { return nil }
    isPingUnderWay = true
    return order
  }
}
