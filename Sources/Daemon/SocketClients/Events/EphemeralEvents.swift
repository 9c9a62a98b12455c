import ConfabAccounts
import Timelines
/// The ephemeral events that some watcher has not had, once for all watchers: each watch has the number of the event up
/// to which it has come, so that a client that does not read costs nothing more. Bounded, since strangers cause events
/// too: the oldest are dropped.
struct EphemeralEvents {
  static let maximum = 10_000
  /// The number of newest events that keep their details.
  static let exact = 256

  struct Numbered {
    /// Grows from each to the next.
    let number: UInt64
    let event: EphemeralEvent
  }

  /// Oldest first. Some are out of date: an equal one follows.
  private var events: [Numbered] = []
  /// The number of the newest one of equal events.
  private var numbers: [EphemeralEvent: UInt64] = [:]
  private var tidiesAt = 2 * exact
  /// The number of the newest event there ever was.
  private(set) var newest: UInt64 = 0

  /// How many there are.
  var count: Int { numbers.count }

  mutating func append(_ event: EphemeralEvent) {
    newest += 1
    numbers[event] = newest
    events.append(Numbered(number: newest, event: event))
    if events.count >= tidiesAt { tidy() }
  }

  /// The events after that number, oldest first.
  func events(after number: UInt64) -> some Sequence<Numbered> {
    events[events.partitioningIndex { $0.number > number }...].lazy.filter { numbers[$0.event] == $0.number }
  }

  /// Everything up to that number has been delivered to everybody.
  mutating func forget(upTo number: UInt64) {
    guard number >= newest else { return }
    let isSmall = events.count <= Self.exact
    events.removeAll(keepingCapacity: isSmall)
    numbers.removeAll(keepingCapacity: isSmall)
    tidiesAt = 2 * Self.exact
  }

  /// Drops what is out of date, the details of what is old, and the oldest where there is too much. So seldom that each
  /// event has its part in it only a few times.
  private mutating func tidy() {
    events = events.compactMap { old in
      guard numbers[old.event] == old.number else { return nil }
      guard newest - old.number >= Self.exact, let coarser = old.event.coarser else { return old }
      numbers[old.event] = nil
      guard numbers[coarser] ?? 0 < old.number else { return nil }
      numbers[coarser] = old.number
      return Numbered(number: old.number, event: coarser)
    }
    if events.count > Self.maximum {
      for old in events.dropLast(Self.maximum / 2) where numbers[old.event] == old.number { numbers[old.event] = nil }
      events = Array(events.suffix(Self.maximum / 2))
    }
    tidiesAt = max(2 * Self.exact, min(2 * events.count, Self.maximum + 1))
  }
}
