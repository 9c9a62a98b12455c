import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

/// A message that wants to change another one, and what it is if it may not.
struct IncomingChange {
  let request: ChangeRequest
  /// The change as a message of its own; without a text it is none.
  var message: MessageRecord
  /// The rest of its text if it changes the other message.
  let remainder: String
  /// The stanza.
  let element: Element

  /// - Parameter message: with the text as it is shown if nothing is changed.
  init(_ request: ChangeRequest, in message: MessageRecord, body: String, _ parts: MessageParts, of element: Element) {
    (self.request, self.message, self.element) = (request, message, element)
    remainder =
      switch request.kind {
      case .correction, .moderation: ""
      case .retraction: parts.shown(body, of: element, besides: [.retract])
      case .reactions: parts.shown(body, of: element, besides: [.reactions])
      }
  }

  /// A moderator's retraction of a message in a room.
  ///
  /// - Parameter target: the room's id of the message.
  init(
    _ moderation: Moderation, of target: String, in element: Element, at time: Timestamp,
    to recipient: IncomingMessage.Recipient
  ) {
    let room = recipient.archive
    let moderator = moderation.by ?? room
    var message = MessageRecord(
      account: recipient.account, jid: room.description, peer: moderator.description, time: time.milliseconds,
      stanzaID: element.attribute(.id), isCounted: recipient.isCounted)
    message.author = .occupant(Occupant(nick: moderator.resource ?? "", id: moderation.occupantID))
    message.isOfRoom = true
    let request = ChangeRequest(.moderation(reason: moderation.reason), of: target)
    self.init(request, in: message, body: "", MessageParts(of: element), of: element)
  }

  /// The message that it changes.
  var reference: Reference { Reference(request, in: message) }

  /// A note that the change was not taken.
  func refused(_ reason: String) -> RefusedStanza {
    RefusedStanza(
      name: element.local, from: message.peer, id: message.stanzaID, bytes: element.byteCount, reason: reason)
  }

  /// The stanza, to be stored until the other message comes.
  var payload: PayloadRecord? {
    guard let xml = UnknownPayloads.whole(element) else { return nil }
    var record = PayloadRecord(
      account: message.account, time: message.time, xml: xml, archiveID: message.archiveID)
    (record.waitsFor, record.conversation) = (reference.hash, reference.conversation)
    (record.depth, record.claimedArchiveID) = (message.depth, message.claimedArchiveID)
    return record
  }
}

extension MessageRecord {
  /// The text without what stands in it for others, what it answers and forwards, and its files.
  mutating func addTexts(_ parts: MessageParts, of element: Element) {
    var details = MessageDetails()
    if let place = parts[.reply], let (id, author) = MessageReplies.target(element[place]) {
      details.reply = MessageReply(stanzaID: id)
      details.reply?.author = author
    }
    if let encryption = parts.encryption(of: element) { return replaceText(by: encryption, details) }
    if parts.has(.invitation), let peer = try? JID(peer) {
      text = RoomInvitation.text(of: element, body: text, from: peer) ?? text
    }
    if let place = parts[.spoiler], !text.isEmpty { details.spoiler = Spoilers.hint(in: element[place]) }
    if parts.has(.forwarded) { details.forwarded = ForwardedContent.all(in: element).map(ForwardedText.init) }
    if parts.hasFiles { details.attachments = FileSharing.files(of: element).map(Attachment.init) }
    let shown = details.isAddressAlone(text) ? "" : parts.shown(text, of: element, besides: details.shownPayloads)
    // If nothing would be left, the whole text stays, unless there is something else to show.
    if shown != text, !shown.isEmpty || details.hasMoreThanText {
      if text.hasSuffix(shown) { details.reply?.quote = MessageReplies.quoted(text.dropLast(shown.count)) }
      (details.plain, text) = (text, shown)
    }
    if text.isEmpty, parts.has(.sticker) { text = Stickers.words(of: element) ?? "" }
    if !parts.has(.body), details.hasMoreThanText {
      let lines = [text].filter { !$0.isEmpty } + details.forwarded.map(\.quoted) + details.attachments.map(\.plain)
      details.plain = lines.joined(separator: "\n")
    }
    if details != MessageDetails() { self.details = details }
  }

  /// Words stand in place of what is encrypted, and before the body for other clients; no receipt is due.
  private mutating func replaceText(by encryption: MessageEncryption, _ known: MessageDetails) {
    var details = known
    details.unreadable = encryption.scheme
    details.plain = encryption.words + (text.isEmpty ? "" : "\n" + text)
    (text, owesReceipt, isMarkable, self.details) = ("", false, false, details)
  }
}

extension MessageDetails {
  /// The payloads that are shown, and not what stands for them in the body.
  fileprivate var shownPayloads: [MessagePayload] {
    (reply == nil ? [] : [.reply]) + (forwarded.isEmpty ? [] : [.forwarded])
      + (attachments.isEmpty ? [] : [.files, .outOfBand])
  }

  /// True if a body is no more than the address of its only file, as clients without XEP-0428 write it, some with an
  /// end of line.
  fileprivate func isAddressAlone(_ body: String) -> Bool {
    guard attachments.count == 1, !body.isEmpty else { return false }
    let spaces = body.utf8.count - attachments[0].url.utf8.count
    return (0...Self.mostSpaces).contains(spaces)
      && body.split(whereSeparator: \.isWhitespace).elementsEqual([attachments[0].url[...]])
  }

  private static let mostSpaces = 8

  /// True if there is something to show beside the text.
  fileprivate var hasMoreThanText: Bool { !forwarded.isEmpty || !attachments.isEmpty }
}

extension ForwardedText {
  fileprivate init(_ found: ForwardedContent) {
    self.init()
    (from, time, text) = (found.from, found.time?.milliseconds, found.text)
    attachments = found.files.map(Attachment.init)
  }
}
