import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// Tells who sent a message to all in a room, as far as the room shows it.
final class OccupantSenders: RoomSenders {
  weak var room: Room?

  var saysHistory: Bool { room?.saysHistory ?? false }

  func isMention(_ text: String) -> Bool { room.map { Mentions([$0.nick]).areIn(text) } ?? false }

  func author(of message: Element, from: JID, isPast: Bool) -> Author {
    let sender = from.resource ?? ""
    guard let room else { return .occupant(Occupant(nick: sender)) }
    let id = room.record.info?.has(.occupantIDs) == true ? OccupantID.of(message) : nil
    if isMine(sender, id, message, isPast, room) { return .otherDevice }
    let presence = isPast ? 0 : room.occupants[sender]?.presence ?? 0
    return .occupant(Occupant(nick: sender, id: id, presence: presence))
  }

  /// By the id that the room vouches for; else what comes now under my nick, or from an occupant with my address, is
  /// mine, and of the past what I know to have sent under a nick of mine.
  private func isMine(_ sender: String, _ id: String?, _ message: Element, _ isPast: Bool, _ room: Room) -> Bool {
    if let id, let own = room.record.occupantID { return id == own }
    if !isPast, room.occupants[sender]?.jid == room.history.inbox.state.record.jid { return true }
    guard isPast else { return sender == room.nick && room.machine.isJoined }
    guard sender == room.nick || room.record.hasUsed(sender) else { return false }
    return message.attribute(.id).flatMap { room.history.inbox.deduplicator.sent($0, to: room.address) } != nil
  }
}
