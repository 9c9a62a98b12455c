import ConfabConfiguration
import Records
import State

// Messages that left on an earlier stream: did they arrive?
extension OutboxSender {
  /// True if an unacknowledged message does not leave again by itself. Repeating a change has no further effect: it is
  /// kept back only with its message.
  private func isDoubtHeld(_ entry: Outbox.Entry) -> Bool {
    guard holdsDoubtful else { return false }
    return entry.target.map { state.outbox.entry($0) != nil && deliveries.mayLeave($0) } ?? true
  }

  /// Changes that are kept back leave behind their message, and before any later change of it.
  package func releaseChanges(of message: UInt64) {
    guard storage.mayAppend else { return }
    for id in state.outbox.changes[message] ?? [] {
      guard let entry = state.outbox.held[id], entry.heldUntil == nil, deliveries.mayLeave(id) else { continue }
      storage.appendUrgently(.release(ReleaseRecord(account: number, id: id)))
    }
  }

  /// True if nothing that may have arrived goes again by itself.
  var holdsDoubtful: Bool { settings.inDoubt == .hold }

  /// True if messages left on an earlier stream, and it is unknown whether they arrived. The archive, if there is one,
  /// may still know of those that are marked as in doubt.
  var hasUnresolved: Bool {
    state.outbox.entries.contains {
      $0.transmitted && !$0.awaitsRoom && (!$0.inDoubt || state.server.archive != nil || isDoubtHeld($0))
    }
  }

  /// The unresolved messages.
  func unresolved(except arrived: Set<UInt64>) -> [Outbox.Entry] {
    state.outbox.entries.filter {
      $0.transmitted && !$0.awaitsRoom && (!$0.inDoubt || isDoubtHeld($0)) && !arrived.contains($0.id)
    }
  }

  /// Marks messages as in doubt, because nothing can tell what became of them. Each goes again under the same ids, or
  /// is kept back until the user decides.
  func leaveInDoubt(_ entries: [Outbox.Entry]) {
    for entry in entries {
      deliveries.advance(DeliveryRecord(entry, of: number, .queued, inDoubt: true, isHeld: isDoubtHeld(entry)))
    }
    resolved()
  }
}
