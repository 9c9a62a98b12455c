import Clocks

/// Names one timer of a loop; never used twice.
package struct TimerID: Hashable, Sendable {
  let number: UInt64
}

/// Timers in the order in which they fall due; equal ones in the order in which they were set.
///
/// A sorted array: a daemon has a handful, and nothing is cheaper to look at.
struct TimerQueue {
  private struct Entry {
    let deadline: Instant
    let id: TimerID
    let handler: () -> Void
  }

  /// The latest first, so that the next one is taken off the end.
  private var entries: [Entry] = []
  /// The number of the timer that was set last.
  private(set) var lastNumber: UInt64 = 0

  /// When the next timer falls due.
  var earliest: Instant? { entries.last?.deadline }

  /// Adds a timer.
  mutating func insert(at deadline: Instant, _ handler: @escaping () -> Void) -> TimerID {
    lastNumber += 1
    let entry = Entry(deadline: deadline, id: TimerID(number: lastNumber), handler: handler)
    let index = entries.firstIndex { $0.deadline <= deadline } ?? entries.endIndex
    entries.insert(entry, at: index)
    return entry.id
  }

  /// Takes a timer back; one that is gone already is no matter.
  mutating func remove(_ id: TimerID) {
    entries.removeAll { $0.id == id }
  }

  /// Takes the next timer that is due at `now`, if it was not set after the one numbered `newest`.
  mutating func popDue(at now: Instant, newest: UInt64) -> (() -> Void)? {
    guard let last = entries.last, last.deadline <= now, last.id.number <= newest else { return nil }
    entries.removeLast()
    return last.handler
  }
}
