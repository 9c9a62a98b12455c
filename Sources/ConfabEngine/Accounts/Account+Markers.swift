import Conversations
import Facts
import Settings

/// Whose message a read position is told of (XEP-0333).
extension Account {
  /// So many messages are looked at.
  static let mostLookedAt = 1_000

  /// The newest unread message up to a place whose sender asked to hear that it was read, and may; nil: there is none.
  func marker(upTo place: Conversation.Place, in conversation: Conversation) -> UInt64? {
    guard settings.markers == .contacts, mayBeTold(conversation.jid),
      var row = conversation.timeline.row(ofTime: place.time, id: place.id)
    else { return nil }
    let last = max(0, row - Self.mostLookedAt)
    while row >= last {
      let entry = conversation.timeline[row]
      if let read = conversation.read, !Conversation.precedes(read, .init(entry)) { return nil }
      if entry.flags.contains(.markable) { return entry.id }
      row -= 1
    }
    return nil
  }

  /// As far as is known before the roster has come: then it tells.
  private func mayBeTold(_ jid: String) -> Bool {
    facts.contacts[jid]?.seesPresence == true || session?.iqs.isRosterPending ?? (facts.stream?.hasRoster == false)
  }
}
