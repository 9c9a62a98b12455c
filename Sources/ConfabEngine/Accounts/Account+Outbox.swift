import Clocks
import Facts
import Records
import Settings

/// What becomes due in the outbox by the wall clock, online or not: messages that expire, and messages that are kept back
/// for a while. The times are durable; the deadlines here are made from them.
extension Account {
  /// All of it anew, and what is due at once: at the start, and when the clock was set or nothing could be stored.
  func scheduleOutbox() {
    for entry in facts.outbox.entries { schedule(entry.id) }
    for id in facts.outbox.held.keys.sorted() { schedule(id) }
    tickOutbox()
  }

  /// One message; one that is in the outbox no more needs no deadline.
  func schedule(_ id: UInt64) {
    let due = facts.outbox.entry(id).flatMap { entry in
      [entry.heldUntil, entry.expiry(settings.outboxMaxAge)].compactMap { $0 }.min()
    }
    outboxDeadlines.set(id, at: due.map { effects.now.instant.advanced(by: max(.zero, $0 - effects.now.wall)) })
  }

  func tickOutbox() {
    while let id = outboxDeadlines.takeDue(at: effects.now.instant) {
      // It is all looked at again when something can be stored.
      if storage.mayAppend, let entry = facts.outbox.entry(id) { come(due: entry) }
    }
  }

  private func come(due entry: Outbox.Entry) {
    if entry.hasExpired(at: effects.now.wall, settings.outboxMaxAge) {
      // What is on its way may arrive. Should it have to go again, it is looked at before it does.
      if !hasLeft(entry) { deliveries.expire(entry) }
    } else if let until = entry.heldUntil, until <= effects.now.wall {
      if deliveries.mayLeave(entry.id) {
        let sequence = storage.appendUrgently(.release(ReleaseRecord(account: number, id: entry.id)))
        session?.holdBack(behind: sequence)
      }
    } else {
      schedule(entry.id)
    }
  }

  /// Its bytes may have left, or are about to: nobody can take it back.
  func hasLeft(_ entry: Outbox.Entry) -> Bool {
    facts.outbox.held[entry.id] == nil && (entry.transmitted || deliveries.isLeaving(entry.id))
  }
}

extension Outbox.Entry {
  /// When it expires: by its own time, or by its age.
  func expiry(_ maximumAge: Interval?) -> Timestamp? {
    [expires, maximumAge.map { time.advanced(by: $0) }].compactMap { $0 }.min()
  }

  func hasExpired(at now: Timestamp, _ maximumAge: Interval?) -> Bool { expiry(maximumAge).map { $0 <= now } ?? false }
}
