import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// Tells who sent a message to all in a room, as far as the room shows it.
final class OccupantSenders: RoomSenders {
  weak var room: Room?
  private var mentions = Mentions([])

  var saysHistory: Bool { room?.saysHistory ?? false }
  var stampsHistory: Bool { room?.machine.isEntering ?? false }

  func isMention(_ text: String, in message: Element?) -> Bool {
    guard let room else { return false }
    let (nicks, words) = (room.facts.nicks, room.state.mentionWords.words)
    if mentions.nicks != nicks || mentions.others != words { mentions = Mentions(nicks, words: words) }
    return mentions.areIn(text) || message.map { isMarked($0, room) } ?? false
  }

  /// True if its sender's client marks me. The person who is meant is known only where the room tells occupants apart.
  private func isMarked(_ message: Element, _ room: Room) -> Bool {
    let facts = room.facts
    guard facts.vouchesForIDs || facts.showsAddresses else { return false }
    return MessageReferences.mentions(in: message).contains { marked in
      facts.showsAddresses && marked.bare.description == room.state.record.jid
        || marked.bare == room.jid && marked.resource.map(facts.nicks.contains) ?? false
    }
  }

  func sender(
    of message: Element, _ parts: MessageParts, from sender: SenderCache.Sender, isPast: Bool
  ) -> JID? {
    guard let room else { return nil }
    let isMine = author(of: message, parts, from: sender, isPast: isPast).isMe
    let jid = isMine ? room.state.record.jid : room.jid(behind: sender.nick, in: message, isPast: isPast)
    return jid.flatMap { try? JID($0) }
  }

  func isIgnored(_ author: Author, isPast: Bool) -> Bool {
    guard case .occupant(let occupant) = author else { return false }
    return room?.isIgnored(occupant, isPast: isPast) ?? false
  }

  func take(_ signal: MessageSignal, by author: Author, in signals: IncomingSignals) {
    switch signal {
    case .chatState(let state): room?.take(state, from: signals.from, by: author)
    case .displayed(let id): room?.displayed(id, by: author, at: signals.time)
    case .delivered, .failed: break
    }
  }

  func author(of message: Element, _ parts: MessageParts, from sender: SenderCache.Sender, isPast: Bool) -> Author {
    let nick = sender.nick
    guard let room else { return .occupant(Occupant(nick: nick)) }
    let facts = room.facts
    let id = facts.vouchesForIDs ? parts.occupantID(of: message) : nil
    let known = isPast ? nil : room.occupants.byNick[nick]
    if let id, let own = facts.ownID {
      if id == own { return .otherDevice }
    } else if isMine(nick, known?.member.jid, message, isPast, room) {
      return .otherDevice
    }
    return .occupant(Occupant(nick: nick, id: id, presence: known?.member.presence ?? 0))
  }

  /// Without an id that the room vouches for, what comes now under my nick, or from an occupant with my address, is mine,
  /// and of the past what I know to have sent under a nick of mine.
  private func isMine(_ sender: String, _ jid: String?, _ message: Element, _ isPast: Bool, _ room: Room) -> Bool {
    if let jid, jid == room.state.record.jid { return true }
    guard isPast else { return sender == room.nick && room.machine.isJoined }
    guard sender == room.nick || room.facts.usedNicks.contains(sender) else { return false }
    return message.attribute(.id).flatMap { room.history.inbox.deduplicator.sent($0, to: room.address) } != nil
  }
}
