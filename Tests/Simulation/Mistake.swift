import Facts
import MessageLog
import Records

/// A mistake made on purpose, at a seam between the engine and the world: never in what ships. The promises must find
/// each of them.
package enum Mistake: String, CaseIterable, Sendable {
  // The thread that writes the log.
  case earlyCompletion = "a batch counts as synced before it is written"
  case ignoredFailure = "the failure of a write or sync is ignored"
  // The disk under it.
  case lyingSync = "a sync does nothing"
  case forgottenDirectory = "the directory is not synced when a segment is made"
  case retriedSync = "a failed sync is tried again on the same file"
  // Recovery, and the fold behind it.
  case shortTail = "the last sound record is cut off with the torn tail"
  case doubleFold = "a record is folded twice at a start"
  case forgottenKey = "idempotency keys are forgotten at a restart"
  case forgottenTransmission = "it is forgotten at a restart which messages may have left"
  // The way to the server.
  case earlyAcknowledgement = "stanzas are acknowledged before they are stored"
  case newID = "a message is sent again under another id"
  case lostOrder = "the outbox is sent in another order"
  case unmarkedCopy = "what the server delivers again is taken for new"
  // The way to the front ends.
  case skippedEvent = "a watcher's cursor skips an event"
  case repeatedEvent = "a watcher that comes back hears an event twice"

  static let ofTheFold: Set<Mistake> = [.doubleFold, .forgottenKey, .forgottenTransmission]

  /// Folds a record of the log in at a start.
  func fold(_ frame: borrowing LogFrame, into facts: Facts) {
    switch self {
    case .doubleFold:
      facts.fold(frame)
      facts.fold(frame)
    case .forgottenKey, .forgottenTransmission:
      guard var record = Record(reading: frame) else { return }
      if self == .forgottenTransmission, case .transmission = record { return }
      if case .message(var message) = record {
        if self == .forgottenKey { message.key = nil } else { message.transmitted = false }
        record = .message(message)
      }
      facts.fold(record, sequence: frame.sequence, location: frame.location.packed)
    default: facts.fold(frame)
    }
  }
}
