import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// Tells who sent a message to all in a room, as far as the room shows it.
final class OccupantSenders: RoomSenders {
  weak var room: Room?
  /// The room's word on occupants; nil: to be read from its record.
  private var announced: (hasIDs: Bool, own: String?)?

  var saysHistory: Bool { room?.saysHistory ?? false }

  private var mentions = Mentions([])

  func isMention(_ text: String, in message: Element) -> Bool {
    guard let room else { return false }
    let words = room.nicks + room.history.inbox.state.mentionWords.words
    if mentions.given != words { mentions = Mentions(words) }
    return mentions.areIn(text) || isMarked(message, room)
  }

  /// True if its sender's client marks me. Who may be meant is known only where the room tells occupants apart.
  private func isMarked(_ message: Element, _ room: Room) -> Bool {
    guard let info = room.record.info, info.has(.occupantIDs) || info.has(.nonAnonymous) else { return false }
    let own = room.history.inbox.state.record.jid
    return MessageReferences.mentions(in: message).contains { marked in
      info.has(.nonAnonymous) && marked.bare.description == own
        || marked.bare == room.jid && marked.resource.map { room.nicks.contains($0) } ?? false
    }
  }

  func isIgnored(_ author: Author, isPast: Bool) -> Bool {
    guard case .occupant(let occupant) = author else { return false }
    return room?.isIgnored(occupant, isPast: isPast) ?? false
  }

  func author(of message: Element, from: JID, isPast: Bool) -> Author {
    let sender = from.resource ?? ""
    guard let room else { return .occupant(Occupant(nick: sender)) }
    let announced = announced(of: room)
    let id = announced.hasIDs ? OccupantID.of(message) : nil
    let known = isPast ? nil : room.occupants.identity(of: sender)
    if let id, let own = announced.own {
      if id == own { return .otherDevice }
    } else if isMine(sender, known?.jid, message, isPast, room) {
      return .otherDevice
    }
    return .occupant(Occupant(nick: sender, id: id, presence: known?.presence ?? 0))
  }

  /// The record of the room may be another one.
  func roomChanged() { announced = nil }

  private func announced(of room: Room) -> (hasIDs: Bool, own: String?) {
    if let announced { return announced }
    let record = room.record
    let read = (record.info?.has(.occupantIDs) == true, record.occupantID)
    announced = read
    return read
  }

  /// Without an id that the room vouches for, what comes now under my nick, or from an occupant with my address, is mine,
  /// and of the past what I know to have sent under a nick of mine.
  private func isMine(_ sender: String, _ jid: String?, _ message: Element, _ isPast: Bool, _ room: Room) -> Bool {
    if let jid, jid == room.history.inbox.state.record.jid { return true }
    guard isPast else { return sender == room.nick && room.machine.isJoined }
    guard sender == room.nick || room.record.hasUsed(sender) else { return false }
    return message.attribute(.id).flatMap { room.history.inbox.deduplicator.sent($0, to: room.address) } != nil
  }
}
