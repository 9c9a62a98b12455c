import Records
package import State

// How far messages are.
extension OutboxSender {
  /// The server acknowledged these messages.
  func acknowledged(_ ids: [UInt64]) {
    for id in ids {
      guard let entry = state.outbox.entry(id) else { continue }
      deliveries.advance(DeliveryRecord(entry, of: number, .sent))
    }
  }

  /// The server answered a ping that was sent behind these messages.
  func acknowledged(upTo order: UInt64) {
    acknowledged(state.outbox.entries.filter { $0.order <= order && $0.transmitted }.map(\.id))
  }

  /// True if the bytes of a message may have left, or are about to: it cannot be cancelled.
  package func hasLeft(_ entry: Outbox.Entry) -> Bool {
    state.outbox.held[entry.id] == nil && (entry.transmitted || storage.pending.isLeaving(entry.id))
  }

  /// The first unacknowledged message of this stream, which a stream error may be the fault of.
  var firstUnacknowledged: Outbox.Entry? {
    guard let first = state.outbox.entries.first, first.transmitted, first.order <= transmittedUpTo else { return nil }
    return first
  }

  /// Fails messages that were the first unacknowledged one at two stream errors.
  package func failPoisoned() {
    for entry in state.outbox.entries where entry.suspicions >= Outbox.maximumSuspicions {
      fail(
        entry,
        Failure(condition: "policy-violation", text: "the server ended the stream twice when this message was sent"))
    }
  }
}
