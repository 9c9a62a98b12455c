import Clocks
import Records
import State
import XMPPCore
import XMPPExtensions

// Retracts messages of others, as a moderator (XEP-0425).
extension Room {
  /// True if the room lets moderators do it.
  package var isModeratable: Bool { moderationVersion != nil }

  private var moderationVersion: Moderation.Version? {
    guard let info = record.info else { return nil }
    return info.has(.moderation) ? .one : info.has(.moderationOfBefore) ? .zero : nil
  }

  /// Asks the room to retract a message; a client is told once it has done so, and that is stored.
  ///
  /// - Parameter stanzaID: the room's id of the message.
  package func moderate(_ id: UInt64, _ stanzaID: String, reason: String?, for ticket: Ticket) {
    guard let version = moderationVersion else { return }
    requests.ask(for: ticket) { [jid] in
      Moderation.request(stanzaID, in: jid, reason: reason, version, id: $0)
    } reading: { [weak self] _ in
      .moderated(id, after: self?.retracted(stanzaID, reason) ?? 0)
    }
  }

  /// Does here what the room has done, whether or not it has announced that yet; returns the number of the last record
  /// then.
  private func retracted(_ stanzaID: String, _ reason: String?) -> UInt64 {
    let request = ChangeRequest(.moderation(reason: reason), of: stanzaID)
    let inbox = history.inbox
    var message = MessageRecord(
      account: inbox.state.number, jid: address, peer: "\(address)/\(nick)", time: time.milliseconds)
    message.author = .occupant(Occupant(nick: nick, id: record.occupantID))
    message.isOfRoom = true
    for target in inbox.finder.targets(of: request, in: address).prefix(1) {
      guard let record = target.changed(by: request, in: message, own: inbox.state.record.jid) else { continue }
      inbox.storage.append(.change(record))
    }
    return inbox.storage.queue.last
  }
}
