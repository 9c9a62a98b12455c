import Clocks

/// The server's requests (XEP-0198, `<r/>`) for how many of its stanzas are durable here.
struct AckReplies {
  /// How long a reply may wait for a sync.
  static let patience = Interval.seconds(5)

  /// True if the last reply did not cover all received stanzas: another one follows at each sync.
  private(set) var isOwed = false
  /// The count of the last reply.
  private(set) var lastCount: UInt32 = 0
  /// When the server gets at least the old count.
  private(set) var due: Instant?

  /// The server asks; an earlier request that is still open keeps its time.
  mutating func requested(at now: Instant) {
    isOwed = true
    due = due ?? now.advanced(by: Self.patience)
  }

  /// A reply is written, which may cover all that came.
  mutating func reply(_ count: UInt32, isComplete: Bool) {
    (lastCount, due) = (count, nil)
    if isComplete { isOwed = false }
  }
}
