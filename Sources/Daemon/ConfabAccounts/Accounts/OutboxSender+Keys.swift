import Records
import State

// Messages that wait until it is known for which devices they are encrypted.
extension OutboxSender {
  /// Lets go of messages that waited for keys, as far as those are known now, and fails those that are not to be had.
  func checkKeys() {
    guard isReady, storage.mayAppend else { return }
    keyChecks = keyChecks.filter { storage.queue.durable < $0.value }
    var waiting: Set<String> = []
    for entry in state.outbox.awaitingKeys where storage.pending.mayBeReleased(entry.id) {
      guard !waiting.contains(entry.jid), let message = records.written(entry) else { continue }
      switch departures.readiness(of: message) {
      case .waits: waiting.insert(entry.jid)
      case .refused(let failure): fail(entry, failure)
      case .plain, .encrypted: storage.appendUrgently(.release(ReleaseRecord(account: number, id: entry.id)))
      }
    }
  }

  /// True if messages of a conversation wait for keys.
  func waitsForKeys(_ jid: String) -> Bool {
    keyChecks[jid] != nil || state.outbox.awaitingKeys.contains { $0.jid == jid }
  }
}
