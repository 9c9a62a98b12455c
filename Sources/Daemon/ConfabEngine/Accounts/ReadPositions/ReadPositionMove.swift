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
  func move(_ jid: String, to place: Entry.Key, at time: Timestamp?, isToPublish: Bool) {
    guard moves(jid, to: place, at: time) else { return }
    var record = ReadRecord(
      account: state.number, jid: jid, time: place.time.milliseconds, id: place.id)
    record.isToPublish = isToPublish
    storage.pending.noteRead(upTo: place)
    storage.append(.read(record))
  }

  private func moves(_ jid: String, to place: Entry.Key, at time: Timestamp?) -> Bool {
    let conversation = state.conversations[jid]
    if let moving = storage.pending.read(of: state.number, jid, in: conversation) {
      guard !moving.isBack, moving.place < place else { return false }
      if moving.leavesFuture { return true }
    }
    // The conversation's first message is not durable yet.
    guard let conversation else { return true }
    if let at = conversation.movedBack?.at, let time, time <= at { return false }
    return conversation.isNews(place)
  }
}
