import Clocks
import State
import XML
import XMPPCore
import XMPPExtensions

/// Decides about the messages of a stream and of the archive (`IncomingMessage`), as their recipient.
final class MessageDecider {
  let jid: JID
  private let stream: ReliableStream
  private let archive: Archive
  /// The senders of the last messages.
  private var senders = SenderCache()
  /// Made when the next message comes.
  private var cachedRecipient: IncomingMessage.Recipient?

  init(of jid: JID, _ stream: ReliableStream, _ archive: Archive) {
    (self.jid, self.stream, self.archive) = (jid, stream, archive)
  }

  /// Another JID may be bound.
  func streamBegins() { cachedRecipient = nil }

  /// The sender of a message; our own account if it names none, nil if what it names is no address.
  func sender(of message: Element) -> SenderCache.Sender? { senders.sender(.from, of: message, or: own) }

  /// Decides about a message stanza.
  func decide(_ element: Element) -> IncomingMessage {
    .decide(element, to: recipient, now: stream.effects.now.wall, senders: &senders)
  }

  /// Decides about a result of our archive.
  func decide(_ copy: ForwardedMessage, archiveID: String) -> IncomingMessage {
    .decide(copy, archiveID: archiveID, to: recipient, now: stream.effects.now.wall, senders: &senders)
  }

  /// Decides about a message that was stored as it came.
  func decide(stored message: Element, at time: Timestamp) -> IncomingMessage {
    .decide(ForwardedMessage(message, at: time), to: recipient, now: stream.effects.now.wall, senders: &senders)
  }

  /// The bare JID of the account, as the server spelled it when it bound the present stream.
  var own: JID { recipient.bare }

  /// The account, as the recipient of messages on the present stream.
  private var recipient: IncomingMessage.Recipient {
    let (archiveIDs, isCounted) = (archive.ids, stream.mode == .on)
    if let cachedRecipient, cachedRecipient.archiveIDs == archiveIDs, cachedRecipient.isCounted == isCounted {
      return cachedRecipient
    }
    let own = stream.record.jid ?? jid
    let recipient = IncomingMessage.Recipient(
      account: stream.state.number, own: own, bare: own.bare, archiveIDs: archiveIDs,
      isCounted: isCounted)
    cachedRecipient = recipient
    return recipient
  }
}
