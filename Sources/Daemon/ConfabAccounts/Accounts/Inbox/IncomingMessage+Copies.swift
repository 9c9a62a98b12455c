import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

// Messages as our own account tells of them: carbons of other devices, and what the archive has.
extension IncomingMessage {
  /// Decides about the message inside of a carbon copy.
  ///
  /// - Parameter waited: the server's stamp on the copy itself; nil: it did not wait.
  static func brought(
    by wrapping: Element, waitingSince waited: Timestamp?, to recipient: Recipient, _ now: Timestamp,
    _ senders: inout SenderCache
  ) -> IncomingMessage {
    guard let carbon = MessageCarbon(wrapping) else {
      return .ignore("an empty carbon, or one of a message marked private")
    }
    let copied = copied(carbon.copy.message, at: carbon.copy.time ?? waited, to: recipient, now, &senders)
    if carbon.direction == .sent, copied.isOfOthers {
      return .ignore("a carbon of a message that this account did not send")
    }
    if waited != nil, case .signals(let signals) = copied, signals.areEphemeral { return .ignore("no text") }
    return carbon.copy.time == nil && waited != nil ? copied.late : copied
  }

  /// A message as our own account tells of it: what came to another device or was sent there.
  static func copied(
    _ copy: Element, at time: Timestamp?, to recipient: Recipient, _ now: Timestamp, _ senders: inout SenderCache
  ) -> IncomingMessage {
    guard let from = senders.sender(.from, of: copy, or: recipient.bare),
      let to = senders.sender(.to, of: copy, or: recipient.bare)
    else { return .ignore("the sender or recipient is not a JID") }
    let parts = MessageParts(of: copy)
    let conversation = recipient.isOccupant(to, in: copy, parts) ? to.jid.description : to.bare
    return of(copy, parts, from: from, sentTo: to.jid, to: recipient, now)
      .copied(at: time, to: conversation, now)
  }

  private consuming func copied(at time: Timestamp?, to jid: String, _ now: Timestamp) -> Self {
    switch consume self {
    case .keep(var message, _):
      message.setCopied(time, to: jid, now)
      return .keep(message, .carbon)
    case .change(var change, _):
      change.message.setCopied(change.request.time ?? time, to: jid, now)
      return .change(change, .carbon)
    case .both(let signals, let message): return .both(signals, message.copied(at: time, to: jid, now))
    case .invitation(let invitation, let message):
      return .invitation(invitation.copied(at: time), with: message.map { $0.copied(at: time, to: jid, now) })
    case let other: return other
    }
  }

  /// A carbon's message, stamped by the carbon itself.
  private var late: Self {
    switch self {
    case .keep(let message, _): .keep(message, .lateCarbon)
    case .change(let change, _): .change(change, .lateCarbon)
    case .both(let signals, let message): .both(signals, message.late)
    case .invitation(let invitation, let message): .invitation(invitation, with: message?.late)
    default: self
    }
  }

  /// A message that this account did not send.
  private var isOfOthers: Bool {
    switch self {
    case .keep(let message, _): !message.isMine
    case .change(let change, _): !change.message.isMine
    case .both(_, let message): message.isOfOthers
    case .invitation: true
    default: false
    }
  }
}

extension MessageRecord {
  /// Takes what a copy of it says: when the account received it, and for whom it was.
  fileprivate mutating func setCopied(_ stamp: Timestamp?, to jid: String, _ now: Timestamp) {
    if isMine, !isOfRoom {
      self.jid = jid
      // Only an occupant's conversation is named by a full JID.
      isInPrivate = jid.utf8.contains(UInt8(ascii: "/"))
    }
    if stamp == nil, delayed, !isMine { self = withoutStamp(now) }
    setTime(stamp, now)
  }
}
