import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

// Encrypted messages: what is decided about is what their authors wrote.
extension IncomingMessage {
  /// Decides about an encrypted message; nil: nothing in it is encrypted by a method that is understood.
  static func opened(
    _ element: Element, _ parts: MessageParts, type: String, from: SenderCache.Sender, _ sentTo: JID?,
    to recipient: Recipient, _ now: Timestamp
  ) -> IncomingMessage? {
    let room = recipient.room
    let sender = room.map { $0.senders.sender(of: element, parts, from: from, isPast: $0.isPast) } ?? from.jid
    let opened = recipient.encryption?.open(
      element, from: sender, isCertain: room?.isPast != true, to: room?.jid ?? sentTo ?? recipient.own,
      isInRoom: room != nil)
    switch opened {
    case nil: return nil
    case .nothing(let reason): return .ignore(reason)
    case .content(let plain, let seal):
      return of(plain, MessageParts(of: plain), from: from, sentTo: sentTo, to: recipient, now).with(seal)
    case .copy(let known):
      let text = known.details?.plain ?? known.text
      guard let plain = element.opened(keeping: { !$0.isOfEncryption }, content: { $0.element("body", text: text) })
      else { return .ignore("a copy of an encrypted message") }
      return of(plain, MessageParts(of: plain), from: from, sentTo: sentTo, to: recipient, now)
        .with(known.details?.seal, text: known.text)
    case .unreadable(let seal):
      guard let plain = element.opened(keeping: { !$0.isOfEncryption }, content: { _ in }) else { return nil }
      var record = record(
        plain, MessageParts(of: plain), type: type, from: from, to: recipient, now, "", nil)
      (record.owesReceipt, record.isMarkable) = (false, false)
      record.payloads = UnknownPayloads.of(element)
      var details = record.details ?? MessageDetails()
      details.unreadable = "omemo"
      details.plain = MessageEncryption.unreadableOMEMO
      record.details = details
      return Self.keep(record, .live).with(seal)
    }
  }

  /// The message with how it is encrypted.
  ///
  /// - Parameter text: of a copy, that of the message.
  private func with(_ seal: MessageSeal?, text: String? = nil) -> Self {
    switch self {
    case .keep(var message, let way):
      message.set(seal, text)
      return .keep(message, way)
    case .change(var change, let way):
      change.message.set(seal, text)
      return .change(change, way)
    case .both(let signals, let message): return .both(signals, message.with(seal, text: text))
    case .invitation(let invitation, let message): return .invitation(invitation, with: message?.with(seal, text: text))
    default: return self
    }
  }
}

extension MessageRecord {
  fileprivate mutating func set(_ seal: MessageSeal?, _ text: String?) {
    var details = details ?? MessageDetails()
    details.seal = seal
    self.details = details
    if let text { self.text = text }
  }
}
