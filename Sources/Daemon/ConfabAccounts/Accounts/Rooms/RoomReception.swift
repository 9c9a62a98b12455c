import Clocks
import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// Takes the messages of a room: those to all, and what only the room itself may say.
struct RoomReception {
  /// Takes a stanza of the room's, or of an occupant's to all; false: it is a message of the room's to me alone.
  func receive(_ message: Element, from sender: SenderCache.Sender, _ room: Room) -> Bool {
    if message.attribute(.type, equals: "error") {
      receive(error: message, room)
    } else if sender.jid.isBare, isOfRoomItself(message, room) {
      return true
    } else if !message.attribute(.type, equals: "groupchat") {
      return false
    } else if room.machine.isJoined || room.saysHistory {
      room.heard()
      if let subject = MultiUserChat.subject(in: message) {
        take(subject, sender.jid, message, room)
      } else {
        route(room.history.inbox.decider.decide(message), room)
      }
    }
    return true
  }

  /// Takes what only the room itself may say; true if it is that.
  private func isOfRoomItself(_ message: Element, _ room: Room) -> Bool {
    // With a body it is a message, which the room's archive does not send.
    if message.child(.body, .client) == nil,
      let result = message.child("result", Namespace.archive).flatMap(ArchiveResult.init)
    {
      room.receive(result)
      return true
    }
    if let request = VoiceRequest(message) {
      room.asked(request)
      return true
    }
    guard let notice = RoomNotice(message) else { return false }
    notice.items.forEach(room.affiliates.note)
    if notice.isConfigurationChange { room.ask() }
    return true
  }

  /// A stanza of mine was refused, or is not taken because I am not in the room.
  private func receive(error message: Element, _ room: Room) {
    let error = StanzaError(parsing: message)
    if room.requests.refused(message.attribute(.id), error) { return }
    if error.condition == "item-not-found" { room.doubtInfo() }
    if ["not-acceptable", "item-not-found"].contains(error.condition) { return room.handle(.denied) }
    if error.type == .wait || error.condition.hasPrefix("remote-server-"), isRefused(message.attribute(.id), room) {
      return
    }
    route(room.history.inbox.decider.decide(message), room)
  }

  /// True if it is a message of mine, which goes again later.
  private func isRefused(_ id: String?, _ room: Room) -> Bool {
    guard let sent = id.flatMap({ room.history.inbox.deduplicator.sent($0, to: room.address) }) else { return false }
    guard room.outbox.isRefused(sent.id) else { return false }
    room.changed()
    return true
  }

  private func take(_ subject: String, _ from: JID, _ message: Element, _ room: Room) {
    let stamp = DelayStamp(of: message, own: room.jid).time
    let time = (stamp ?? room.time).milliseconds
    if room.record.topic?.text ?? "" != subject {
      room.change { $0.topic = .init(subject, by: from.resource, time: time) }
    }
    room.requests.topicIsShown(subject)
    room.handle(.historyEnded)
  }

  /// Takes a message of the room's, whichever way it came.
  func route(_ message: consuming IncomingMessage, _ room: Room) {
    let inbox = room.history.inbox
    switch consume message {
    case .keep(var message, let way):
      // Messages that were missed are news, of which nobody is notified; older ones than my first join are history.
      if room.saysHistory {
        (message.archived, message.isNews) = (true, room.record.firstJoined != nil)
      } else if !message.isMine {
        room.spoke(message)
        room.surroundings.chatStates.received(message)
      }
      if inbox.take(message, way) { room.history.noteLive() }
    case .change(let change, let way):
      inbox.take(change, way)
      room.history.noteLive()
    case .signals(let signals): inbox.take(signals)
    case .both(let signals, let beside):
      inbox.take(signals)
      route(beside, room)
    case .payload(let payload, let message): inbox.keep(payload, of: message)
    case .invitation, .result, .event, .ignore, .forged: break
    }
  }
}
