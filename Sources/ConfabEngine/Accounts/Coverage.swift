/// Which count of handled stanzas (XEP-0198 `h`) each sync makes true: a stanza may be acknowledged only when the
/// records it led to are durable (DESIGN 3.1).
struct Coverage: Sendable {
  /// `handled` stanzas are covered once `sequence` is durable; both grow from entry to entry.
  private var steps: [(sequence: UInt64, handled: UInt32)] = []
  /// What may be acknowledged now.
  private(set) var covered: UInt32 = 0

  /// A stanza was handled, bringing the count to `handled`; `sequence` is the newest record then.
  mutating func note(handled: UInt32, sequence: UInt64, durable: UInt64) {
    if sequence <= durable, steps.isEmpty {
      covered = handled
    } else if let last = steps.last, last.sequence == sequence {
      steps[steps.count - 1].handled = handled
    } else {
      steps.append((sequence, handled))
    }
  }

  /// A sync came; true if more may be acknowledged than before.
  mutating func durable(_ sequence: UInt64) -> Bool {
    guard let after = steps.firstIndex(where: { $0.sequence > sequence }) ?? (steps.isEmpty ? nil : steps.count),
      after > 0
    else { return false }
    covered = steps[after - 1].handled
    steps.removeFirst(after)
    return true
  }

  /// Everything handled is covered.
  var isComplete: Bool { steps.isEmpty }
}
