import Clocks
import Facts
import Records

/// What becomes of messages that left on a stream that is over, before anything else of mine leaves on this one.
extension Session {
  /// Messages left on an earlier stream, and nobody has said whether they arrived. The archive, where there is one, may
  /// still tell of those that are marked as in doubt.
  var hasDoubts: Bool {
    account.outbox.entries.contains { $0.transmitted && (!$0.inDoubt || account.archive != nil) }
  }

  /// The resource is bound. Whatever can tell which of those messages arrived is asked here, before the initial presence
  /// and before the outbox goes on; when it has answered, `doubtsAreSettled` is called, once. The archive can be asked
  /// where it has been before: what it has of those messages was sent, and the others go again.
  func settleDoubts(_ turn: Turn) {
    guard hasDoubts, let known = archived else { return leaveInDoubt(turn) }
    archive.isSettling = true
    catchUpByTime(known, turn)
  }

  /// Nobody can tell: what left and was not acknowledged is in doubt from now on, and goes again under the same ids.
  func leaveInDoubt(_ turn: Turn) {
    for entry in account.outbox.entries where entry.transmitted && !entry.inDoubt {
      turn.append(
        .delivery(
          DeliveryRecord(
            account: account.record.number, jid: entry.jid, time: entry.time.milliseconds, id: entry.id,
            state: .queued, inDoubt: true)))
    }
    doubtsAreSettled(turn)
  }

  /// Announces us where that had to wait, and lets the outbox go on: only when all that was found out is durable, and with
  /// it whatever the last stream still wrote, does anything go out again.
  func doubtsAreSettled(_ turn: Turn) {
    if !isAnnounced { sendPresence() }
    outboxReadyAfter = turn.ledger.last
    turn.ledger.hurry()
    pumpOutbox(turn)
  }
}
