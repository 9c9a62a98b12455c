import Records
import ConfabConfiguration
import State
import XMPPCore
import XMPPExtensions

/// Hands each message, as the inbox decided about it, to the part that it is for.
final class MessageRouter {
  private let messaging: MessagingParts
  private let events: PersonalEvents
  private let presence: PresenceSync
  private let effects: Effects
  private var state: AccountState { messaging.inbox.state }

  init(_ parts: AccountParts) {
    (messaging, effects) = (parts.messaging, parts.core.stream.effects)
    (events, presence) = (parts.people.events, parts.people.presence)
    messaging.archive.sync.route = { [weak self] in self?.route($0) }
  }

  func route(_ message: consuming IncomingMessage) {
    switch consume message {
    case .keep(let message, let way): take(message, way)
    case .change(let change, let way): take(change, way)
    case .signals(let signals): take(signals)
    case .both(let signals, let message):
      // First: the record of the message says that the stanza is here, and may be durable alone.
      take(signals)
      route(message)
    case .invitation(let invitation, let message):
      // First, for the same reason.
      messaging.rooms.invite(invitation)
      if let message { route(message) }
    case .result(let result): messaging.archive.sync.receive(result)
    case .event(let event, let from): events.receive(event, from: from)
    case .payload(let payload, let message): messaging.inbox.keep(payload, of: message)
    case .ignore(let reason): journal(.debug, .ignored, "ignored a message: \(reason)")
    case .forged(let reason): journal(.warning, .forged, "ignored a forged message: \(reason)")
    }
  }

  private func take(_ message: consuming MessageRecord, _ way: IncomingMessage.Way) {
    if way == .live {
      if message.isInPrivate { messaging.rooms.identify(&message) }
      messaging.chatStates.received(message)
      if !message.isMine, !message.delayed { presence.noteActivity(of: message.jid, from: message.peer) }
    }
    // Before `take`: reading anything of the message behind it would copy all of it.
    let jid = messaging.displayed.elsewhere.isMissingMessages ? message.jid : nil
    guard messaging.inbox.take(message, way) else { return messaging.archive.sync.waitForSpace() }
    messaging.archive.noteLive()
    if let jid { messaging.displayed.elsewhere.received(in: jid) }
  }

  /// Takes a change that did not come out of the archive. A correction ends the typing, as a message does.
  private func take(_ change: consuming IncomingChange, _ way: IncomingMessage.Way) {
    if way == .live, change.message.isInPrivate { messaging.rooms.identify(&change.message) }
    if way == .live, change.request.kind == .correction { messaging.chatStates.received(change.message) }
    messaging.inbox.take(change, way)
    messaging.archive.noteLive()
  }

  private func take(_ signals: IncomingSignals) {
    guard case .chatState(let chatState)? = signals.all.first else { return messaging.inbox.take(signals) }
    if let to = signals.to, signals.from.bare.description == state.record.jid {
      if chatState == .active, let conversation = messaging.rooms.conversation(withPeer: to) {
        messaging.ownActivity.isActive(in: conversation)
      }
    } else if let conversation = messaging.rooms.conversation(withPeer: signals.from) {
      messaging.chatStates.receive(chatState, from: signals.from, as: Typist(conversation))
      presence.noteActivity(of: conversation, from: signals.from.description)
    }
  }

  private func journal(_ level: LogLevel, _ topic: JournalGate.Topic, _ line: String) {
    effects.journal(level, topic, of: state.record, line)
  }
}
