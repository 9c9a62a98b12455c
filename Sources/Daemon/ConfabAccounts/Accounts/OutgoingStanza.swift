import Clocks
package import Records
import XML
import XMPPCore
import XMPPExtensions

/// The stanza of a message of mine, or of a change of a message.
package struct OutgoingStanza {
  private let to: JID
  private let id: String
  private let message: MessageRecord
  private let own: String

  /// Nil for a record that no stanza can be made of.
  ///
  /// - Parameter own: my bare JID.
  package init?(_ message: MessageRecord, own: String) {
    let change = message.sentChange
    let isFromHere = message.isFromHere
    guard let id = change == nil ? message.stanzaID : change?.stanzaID,
      let to = try? JID(isFromHere && !message.isOfRoom ? message.peer : message.jid)
    else { return nil }
    (self.to, self.id, self.message, self.own) = (to, id, message, own)
  }

  private var change: MessageChange? { message.sentChange }

  /// When it was written.
  var written: Timestamp { Timestamp(milliseconds: change?.time ?? message.time) }

  /// - Parameter isLate: it says when it was written (XEP-0203).
  package func bytes(isLate: Bool) -> [UInt8] {
    var outgoing = OutgoingMessage(
      to: to, id: id, originID: change == nil ? message.originID ?? id : id, text: body, delay: isLate ? written : nil)
    if message.isOfRoom { outgoing.type = "groupchat" }
    outgoing.payloads = payloads
    // XEP-0045, section 7.5: so servers know that it is for one device, and others that it is private.
    if message.kind == .occupant { outgoing.payloads += MultiUserChat.privateMark }
    // A note to self says by coming back that it has arrived.
    let isFollowed =
      ConversationPolicy.of(message.kind).isFollowed && to.bare.description != own
      && (change == nil || change?.kind == .edit)
    (outgoing.isFollowed, outgoing.isMarkable) = (isFollowed, isFollowed)
    var bytes: [UInt8] = []
    outgoing.serialize(into: &bytes)
    return bytes
  }

  private var body: String? {
    switch change?.kind {
    case nil, .edit: message.details?.plain ?? message.text
    case .retraction, .reaction, .files: nil
    }
  }

  private var payloads: [UInt8] {
    guard message.details != nil || message.isUnstyled else { return [] }
    var writer = XMLWriter()
    switch change?.kind {
    case nil: writeText(into: &writer)
    case .edit:
      writeText(into: &writer)
      MessageCorrection.write(message.stanzaID ?? "", into: &writer)
    case .retraction: MessageRetraction.write(named, into: &writer)
    case .reaction:
      let mine = change?.reactions.first { $0.author.isMe }
      MessageReactions.write(mine?.emoji ?? [], to: change?.reference ?? message.originID ?? named, into: &writer)
    case .files: break
    }
    return writer.bytes
  }

  /// Writes what a new text says beside the body.
  private func writeText(into writer: inout XMLWriter) {
    message.details?.writeTexts(behind: message.text, into: &writer)
    if message.isUnstyled { MessageStyling.writeUnstyled(into: &writer) }
  }

  /// The stanza's id by which others know the message that is changed.
  private var named: String { change?.reference ?? message.stanzaID ?? "" }
}

extension MessageRecord {
  /// The change that it sends; nil: it sends the message itself, once its files have addresses.
  fileprivate var sentChange: MessageChange? {
    target == nil || details?.change?.kind == .files ? nil : details?.change
  }
}

extension MessageDetails {
  /// Writes the reply and the forwarded messages, with the part of the body that stands for them.
  fileprivate func writeTexts(behind text: String, into writer: inout XMLWriter) {
    let files = attachments.filter { !$0.url.isEmpty }
    let addresses = files.addresses(behind: text).unicodeScalars.count
    let added = (plain?.unicodeScalars.count).map { $0 - text.unicodeScalars.count - addresses } ?? 0
    if let reply { MessageReplies.write(reply.stanzaID, author: reply.author, quotation: added, into: &writer) }
    for forwarded in forwarded {
      let time = forwarded.time.map { Timestamp(milliseconds: $0) }
      ForwardedContent.write(from: forwarded.from, time: time, body: forwarded.body, into: &writer) {
        forwarded.attachments.write(behind: forwarded.text, in: forwarded.body, into: &$0)
      }
    }
    files.write(behind: text, in: plain ?? "", into: &writer)
    guard !forwarded.isEmpty, added > 0 else { return }
    let count = text.unicodeScalars.count
    FallbackIndication.write(for: Namespace.forward, count..<count + added, into: &writer)
  }
}
