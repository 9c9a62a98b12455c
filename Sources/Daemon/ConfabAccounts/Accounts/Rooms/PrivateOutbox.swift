import Records
import State
import XMPPCore

/// Holds private messages of mine to the occupants of one room until I am in it, and fails those whose recipient is not
/// there any more (XEP-0045, section 7.5).
final class PrivateOutbox {
  weak var room: Room?
  private let surroundings: RoomSurroundings

  init(_ surroundings: RoomSurroundings) { self.surroundings = surroundings }

  private var state: AccountState { surroundings.state }

  /// The messages that wait, in their order.
  private var waiting: [Outbox.Entry] { room.map { state.outbox.waiting(forOccupantsOf: $0.address) } ?? [] }

  /// True if a message may leave for an occupant: I am in the room, and nothing waits before it.
  func isOpen(for message: MessageRecord) -> Bool {
    guard let room, room.presence(of: message.recipient) != .unknown else { return false }
    return !waiting.contains { $0.jid == message.jid }
  }

  /// Releases what waits if I am in the room, or fails it if its recipient is not.
  func release() {
    guard let room, room.isThere, surroundings.storage.mayAppend, isArchiveRead else { return }
    for entry in waiting where surroundings.storage.pending.mayBeReleased(entry.id) && !isDoubtHeld(entry) {
      guard let message = room.history.inbox.records.written(entry) else { continue }
      switch room.presence(of: message.recipient) {
      case .unknown: continue
      case .there:
        if entry.transmitted { doubt(entry) }
        surroundings.storage.appendUrgently(.release(ReleaseRecord(account: state.number, id: entry.id)))
      case .gone: fail(entry, "the person whom it is for is not in the room any more")
      }
    }
  }

  /// True if the account's archive has shown which messages of before the present stream arrived, as far as it does.
  private var isArchiveRead: Bool {
    switch surroundings.archive.phase {
    case .none, .complete, .failed, .filling: true
    case .unknown, .catchingUp: false
    }
  }

  /// True if it may have arrived, and the user decides whether it goes again.
  private func isDoubtHeld(_ entry: Outbox.Entry) -> Bool {
    guard entry.transmitted, surroundings.outbox.holdsDoubtful else { return false }
    doubt(entry)
    return true
  }

  private func doubt(_ entry: Outbox.Entry) {
    guard !entry.inDoubt else { return }
    surroundings.outbox.deliveries.advance(DeliveryRecord(entry, of: state.number, .queued, inDoubt: true))
  }

  /// Fails all messages: the room is gone, or another one that was created since.
  func failAll(_ text: String) {
    guard let room else { return }
    // The start of the stream may not be durable yet: what left on an earlier one is in the order until then.
    let leaving = state.outbox.entries.filter { $0.isInPrivate && $0.jid.hasPrefix(room.address + "/") }
    for entry in leaving + waiting { fail(entry, text) }
  }

  private func fail(_ entry: Outbox.Entry, _ text: String) {
    surroundings.outbox.fail(entry, Failure(condition: "gone", text: text))
  }
}

extension MessageRecord {
  /// The recipient of a private message: the person whom the conversation was begun with, as far as that is known.
  fileprivate var recipient: Occupant {
    Occupant(nick: (try? JID(jid))?.resource ?? "", id: occupantID, presence: occupantPresence)
  }
}
