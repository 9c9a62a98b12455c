import Clocks

/// What the server asks about what it sent (XEP-0198, `<r/>`): how many of its stanzas are safe here.
struct Answering {
  /// It has not been told all: it is told at each sync.
  private(set) var isOwed = false
  /// What it was told last.
  private(set) var told: UInt32 = 0
  /// Until then it is told at least the old count.
  private(set) var due: Instant?

  /// It asks; a question before that which is still open keeps its time.
  mutating func asked(until due: Instant) {
    isOwed = true
    self.due = self.due ?? due
  }

  /// It is told a count, which may be of all that it sent.
  mutating func tell(_ count: UInt32, isAll: Bool) {
    (told, due) = (count, nil)
    if isAll { isOwed = false }
  }
}
