import Clocks
import Timelines
import Records
import State

/// Takes over what another device of mine has displayed, by its marker (XEP-0333) or by XEP-0490.
struct ReadPositionMove {
  let state: AccountState
  let storage: Storage

  /// Moves the read position forward to a message, but not to what had been read when the user moved it back (decision
  /// 0066).
  ///
  /// - Parameters:
  ///   - time: when the other device displayed it at the latest, where it may be long ago; nil: it did now.
  ///   - isToPublish: the device may not have told the others by XEP-0490.
  func move(_ jid: String, to message: Entry.Place, at time: Timestamp?, isToPublish: Bool) {
    guard !isHistory(message, in: jid), moves(jid, to: message.id, at: time) else { return }
    var record = ReadRecord(account: state.number, jid: jid, time: message.time.milliseconds, id: message.id)
    record.isToPublish = isToPublish
    storage.append(.read(record))
  }

  /// True if a message was fetched as history: its number is larger than those of messages that came before, and may be
  /// unread.
  private func isHistory(_ message: Entry.Place, in jid: String) -> Bool {
    guard let timeline = state.conversations[jid]?.timeline,
      let row = timeline.row(ofTime: message.time, id: message.id)
    else { return false }
    return timeline[row].flags.contains(.history)
  }

  private func moves(_ jid: String, to position: UInt64, at time: Timestamp?) -> Bool {
    if let moving = storage.pending.read(of: state.number, jid) {
      guard !moving.isBack, moving.position < position else { return false }
    }
    // The conversation's first message is not durable yet.
    guard let conversation = state.conversations[jid] else { return true }
    if let at = conversation.movedBack?.at, let time, time <= at { return false }
    return position > conversation.furthestRead
  }
}
