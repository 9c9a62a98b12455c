import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

/// The meaning of a message stanza from the server: a pure decision, taken before anything is written.
enum IncomingMessage {
  /// A text: a record of its conversation.
  case keep(MessageRecord, Way)
  /// A change of another message, if that is here and has the same author; else what it is by itself.
  case change(IncomingChange, Way)
  /// A message out of an archive: whether it was asked for is not decided here.
  case result(ArchiveResult)
  /// No text, but what it says of other messages, or of its sender.
  case signals(IncomingSignals)
  /// Signals beside a message.
  indirect case both(IncomingSignals, IncomingMessage)
  /// An invitation to a room, and the message of somebody's that brings it; nil: the room itself invites.
  indirect case invitation(IncomingInvitation, with: IncomingMessage?)
  /// No text, but what changed on a node of the sender's.
  case event(PersonalEvent, from: JID)
  /// No text, but payloads that a later version may understand, and the message that has them.
  case payload(PayloadRecord, of: Element)
  /// Nothing of it is kept, for the reason given (for the journal).
  case ignore(String)
  /// Nothing of it is kept: it brings a message of somebody's, and who brings it may not.
  case forged(String)

  /// How a message came.
  enum Way {
    /// To this device.
    case live
    /// A copy of a message to or from another of my devices (XEP-0280).
    case carbon
    /// A carbon that the server stamped itself because it waited for us (XEP-0203).
    case lateCarbon
    /// Out of our archive (XEP-0313).
    case archive

    var isCarbon: Bool { self == .carbon || self == .lateCarbon }
  }

  /// The recipient of messages. A reference, because it is passed on for each message.
  final class Recipient {
    let account: UInt32
    /// The bound JID, and the same without its resource.
    let own: JID
    let bare: JID
    let archiveIDs: Archive.Trust
    /// True if stream management counts the message's stanza.
    let isCounted: Bool
    /// The room whose messages these are; nil: the account's.
    let room: Room?
    /// Nil: nothing is decrypted.
    let encryption: Encryption?
    private let addresses: any KnownAddresses

    /// A room, as far as it decides about its messages.
    struct Room {
      let jid: JID
      let senders: any RoomSenders
      /// It may say what was said before.
      let isPast: Bool
      /// It stamps that itself, and no occupant can.
      let areStampsTrue: Bool
    }

    init(
      account: UInt32, own: JID, bare: JID, archiveIDs: Archive.Trust, isCounted: Bool, room: Room? = nil,
      encryption: Encryption? = nil, addresses: any KnownAddresses = NoAddresses()
    ) {
      self.encryption = encryption
      (self.account, self.own, self.bare, self.room, self.addresses) = (account, own, bare, room, addresses)
      (self.archiveIDs, self.isCounted) = (archiveIDs, isCounted)
    }

    /// True of an occupant of a room, to whom I, or who to me alone, sends this message: the conversation is one of its
    /// own (XEP-0045, section 7.5).
    ///
    /// A room that is not known yet, as on a new device, is known by the mark of the message. Anybody can write that: it
    /// moves their own message alone, and counts for no contact.
    func isOccupant(_ other: SenderCache.Sender, in element: Element, _ parts: MessageParts) -> Bool {
      guard room == nil, !other.jid.isBare else { return false }
      if addresses.isRoom(other.bare) { return true }
      return parts.has(.invitation) && MultiUserChat.isPrivate(element) && !addresses.isContact(other.bare)
        && !other.jid.hasSameBare(as: own)
    }

    /// The id of an occupant that the room vouches for (XEP-0421); elsewhere occupants could write any.
    func occupantID(of element: Element, from sender: SenderCache.Sender) -> String? {
      addresses.vouchesForIDs(sender.bare) ? OccupantID.of(element) : nil
    }

    /// The archive whose ids the messages have.
    var archive: JID { room?.jid ?? bare }

    /// The station that may say when a message was sent (XEP-0203): the room, or our server, at which it waited for us.
    var stamper: JID { room.flatMap { $0.areStampsTrue ? $0.jid : nil } ?? own }
  }

  // Decisions are functions and no initialisers: those would get copies of their own of all arguments.

  /// Decides.
  ///
  /// - Parameters:
  ///   - element: the stanza, delivered by the recipient's server.
  ///   - now: when it was received.
  ///   - senders: spares the reading of an address that came before.
  static func decide(
    _ element: Element, to recipient: Recipient, now: Timestamp, senders: inout SenderCache
  ) -> IncomingMessage {
    // RFC 6120, 8.1.2.1: a stanza without `from` is from our own account. The recipient is known: `to` is not read.
    guard let from = senders.sender(.from, of: element, or: recipient.bare) else {
      return .ignore("the sender is not a JID")
    }
    let parts = MessageParts(of: element)
    guard let payload = parts.restricted, let place = parts[payload] else {
      return of(element, parts, from: from, to: recipient, now)
    }
    let sender = element.attributeBytes(.from) == nil ? nil : from.jid
    guard payload.sender.includes(sender, own: recipient.bare) else {
      // All others in a room see the text of an occupant, whatever stands beside it.
      if recipient.room != nil, parts.has(.body) { return of(element, parts, from: from, to: recipient, now) }
      let name = element[place].local
      return .forged("\(sender?.description ?? "nobody") forwards a message of another account (\(name))")
    }
    if payload == .archiveResult {
      return ArchiveResult(element[place]).map { .result($0) } ?? .ignore("an archive result without an id")
    }
    let waited = parts.has(.delay) ? DelayStamp(of: element, own: recipient.own).time : nil
    return brought(by: element[place], waitingSince: waited, to: recipient, now, &senders)
  }

  /// Decides about what our archive has.
  ///
  /// - Parameter archiveID: its id there.
  static func decide(
    _ copy: ForwardedMessage, archiveID: String, to recipient: Recipient, now: Timestamp, senders: inout SenderCache
  ) -> IncomingMessage {
    archived(copied(copy.message, at: copy.time, to: recipient, now, &senders), copy, archiveID)
  }

  private static func archived(_ message: consuming Self, _ copy: ForwardedMessage, _ archiveID: String) -> Self {
    switch consume message {
    case .keep(var message, _):
      message.setArchived(archiveID)
      return .keep(message, .archive)
    case .change(var change, _):
      change.message.setArchived(archiveID)
      return .change(change, .archive)
    case .payload(var payload, let message):
      (payload.archiveID, payload.claimedArchiveID) = (archiveID, nil)
      if let time = copy.time { payload.time = time.milliseconds }
      return .payload(payload, of: message)
    case .signals(let signals):
      return signals.areEphemeral ? .ignore("no text") : .signals(signals.archived(copy, archiveID))
    case .both(let signals, let message):
      return .both(signals.archived(copy, archiveID), archived(message, copy, archiveID))
    case .invitation(let invitation, let message):
      return .invitation(invitation.archived(as: archiveID), with: message.map { archived($0, copy, archiveID) })
    case let other: return other
    }
  }

  /// Decides about a message that was stored as it came.
  static func decide(
    _ stored: ForwardedMessage, to recipient: Recipient, now: Timestamp, senders: inout SenderCache
  ) -> IncomingMessage {
    copied(stored.message, at: stored.time, to: recipient, now, &senders)
  }

  static func of(
    _ element: Element, _ parts: MessageParts, from: SenderCache.Sender, sentTo: JID? = nil, to recipient: Recipient,
    _ now: Timestamp
  ) -> IncomingMessage {
    let isChat = element.attribute(.type, equals: "chat")
    let isOfRoom = !isChat && element.attribute(.type, equals: "groupchat")
    let type = isChat ? "chat" : isOfRoom ? "groupchat" : element.attribute(.type) ?? "normal"
    if !isChat, type == "error" {
      guard let id = element.attribute(.id) else { return .ignore("an error without a message id") }
      return .signals(IncomingSignals([.failed(id: id, StanzaError(parsing: element))], from: from.jid, to: sentTo))
    }
    if isOfRoom != (recipient.room != nil) {
      return .ignore("a room's message from outside of one, or the other way round")
    }
    if parts.has(.encrypted), let opened = opened(element, parts, type: type, from: from, sentTo, to: recipient, now) {
      return opened
    }
    if !isChat, let invitation = IncomingInvitation(element, parts, from: from.jid, to: recipient) {
      // One from a room itself is no more than that; somebody's is a message, too.
      let message = from.jid.isBare ? nil : content(element, parts, type: type, from: from, sentTo, to: recipient, now)
      return .invitation(invitation, with: message)
    }
    return content(element, parts, type: type, from: from, sentTo, to: recipient, now)
  }

  /// Decides about a message that is no error, apart from an invitation in it.
  private static func content(
    _ element: Element, _ parts: MessageParts, type: String, from: SenderCache.Sender, _ sentTo: JID?,
    to recipient: Recipient, _ now: Timestamp
  ) -> IncomingMessage {
    // A place, and no element: that would take a reference.
    let body = parts.body(of: element)
    let request = parts.hasChange ? parts.readableChange(of: element) : nil
    let text =
      body.flatMap { parts.text(of: element, $0) } ?? parts.textWithoutBody(of: element, from: from.jid, request)
    let isText =
      text != nil || request?.needsNoText == true || parts.bringsForwardedText(element)
      || parts.hasFiles && !FileSharing.files(of: element).isEmpty
    guard isText else {
      if recipient.room != nil { return said(to: recipient, element, parts, from: from) ?? .ignore("no text") }
      return announcement(element, parts, type: type, from: from.jid, sentTo: sentTo)
        ?? withoutText(element, parts, type: type, to: recipient, now)
    }
    let message = record(element, parts, type: type, from: from, to: recipient, now, text ?? "", body)
    let taken: Self =
      request.map { .change(IncomingChange($0, in: message, body: text ?? "", parts, of: element), .live) }
      ?? .keep(message, .live)
    return recipient.room == nil ? taken.with(parts, of: element, from: from.jid, to: sentTo) : taken
  }

  /// The record of a message with this text.
  static func record(
    _ element: Element, _ parts: MessageParts, type: String, from: SenderCache.Sender, to recipient: Recipient,
    _ now: Timestamp, _ text: String, _ body: Element.Position?
  ) -> MessageRecord {
    let isOccupant = recipient.isOccupant(from, in: element, parts)
    var message = MessageRecord(
      account: recipient.account, jid: isOccupant ? from.jid.description : from.bare, peer: from.jid.description,
      time: now.milliseconds,
      text: text, stanzaID: element.attribute(.id), isCounted: recipient.isCounted
    )
    // RFC 6121, 5.2.2: an unknown type is `normal`.
    if let room = recipient.room {
      let author = room.senders.author(of: element, parts, from: from, isPast: room.isPast)
      (message.author, message.isOfRoom) = (author, true)
      message.isIgnored = room.senders.isIgnored(author, isPast: room.isPast)
      if author.isMe { message.occupantID = recipient.occupantID(of: element, from: from) }
      message.isMention =
        !author.isMe && !message.isIgnored
        && room.senders.isMention(message.text, in: parts.hasUnstored ? element : nil)
    } else {
      if type != "chat" { message.type = type == "headline" ? type : "normal" }
      if from.jid.hasSameBare(as: recipient.own) { message.author = .otherDevice }
      if isOccupant {
        message.isInPrivate = true
        message.occupantID = recipient.occupantID(of: element, from: from)
      }
    }
    message.addDetails(parts, of: element, body: body, to: recipient)
    return message
  }

  /// The message, with what it says of other ones beside that.
  private func with(_ parts: MessageParts, of element: Element, from: JID, to: JID?) -> Self {
    guard parts.hasReferences else { return self }
    let signals = IncomingSignals(parts.references(of: element), from: from, to: to)
    return signals.all.isEmpty ? self : .both(signals, self)
  }

  /// An event or signals; nil: it is none.
  private static func announcement(
    _ element: Element, _ parts: MessageParts, type: String, from: JID, sentTo: JID?
  ) -> Self? {
    if parts.has(.event) {
      // An event comes to each device by itself, and an old one says nothing of now.
      guard sentTo == nil, let event = parts.event(of: element) else {
        return .ignore("a copy of an event, or one that says nothing")
      }
      return .event(event, from: from)
    }
    let signals = IncomingSignals(parts.signals(of: element), from: from, to: sentTo)
    guard !signals.all.isEmpty else { return nil }
    // A delayed one is out of date.
    if signals.areEphemeral, type == "headline" || parts.has(.delay) { return .ignore("no text") }
    return .signals(signals)
  }

  /// The chat state or the marker that an occupant of a room sends to all; nil: there is none. A state that was sent
  /// before is out of date.
  private static func said(
    to recipient: Recipient, _ element: Element, _ parts: MessageParts, from: SenderCache.Sender
  ) -> Self? {
    guard let room = recipient.room, !from.jid.isBare else { return nil }
    let isLate = room.isPast || parts.has(.delay)
    let signals = parts.signals(of: element).filter { !($0.isEphemeral && isLate) }
    guard !signals.isEmpty else { return nil }
    let author = room.senders.author(of: element, parts, from: from, isPast: room.isPast)
    return .signals(IncomingSignals(signals, from: from.jid, to: nil, by: author))
  }

  private static func withoutText(
    _ element: Element, _ parts: MessageParts, type: String, to recipient: Recipient, _ now: Timestamp
  ) -> Self {
    if type == "headline" { return .ignore("a headline without a text") }
    guard parts.hasContent else { return .ignore("no text") }
    guard let xml = UnknownPayloads.whole(element) else {
      return .ignore("payloads that grow when they are written again")
    }
    var record = PayloadRecord(account: recipient.account, time: now.milliseconds, xml: xml)
    if let id = parts.archiveID(of: element, to: recipient) {
      if recipient.archiveIDs == .trusted { record.archiveID = id } else { record.claimedArchiveID = id }
    }
    return .payload(record, of: element)
  }
}

extension MessageParts {
  /// The change of another message that it asks for. An encrypted correction is unreadable: it stands for itself.
  fileprivate func readableChange(of element: Element) -> ChangeRequest? {
    let request = change(of: element)
    return request?.kind == .correction && encryption(of: element) != nil ? nil : request
  }

  /// The text of a message without one in its body, if it says something all the same: by its subject, encrypted, or by
  /// inviting to a room. A correction or the like is none.
  fileprivate func textWithoutBody(of element: Element, from: JID, _ request: ChangeRequest?) -> String? {
    guard request == nil, !has(.event), has(.subject) || has(.encrypted) || has(.invitation) else { return nil }
    if has(.subject), let subject = self[.subject], !element[subject].text.isEmpty { return "" }
    if encryption(of: element) != nil { return "" }
    return RoomInvitation.text(of: element, body: "", from: from) == nil ? nil : ""
  }

  /// True if there is something to show in the forwarded message.
  fileprivate func bringsForwardedText(_ element: Element) -> Bool {
    has(.forwarded) && (has(.body) || !ForwardedContent.all(in: element).isEmpty)
  }
}

extension ChangeRequest {
  /// True if the change needs no text.
  fileprivate var needsNoText: Bool { kind != .correction }
}

extension MessageRecord {
  /// It came out of the archive.
  fileprivate mutating func setArchived(_ id: String) {
    archiveID = id
    if claimedArchiveID != nil { claimedArchiveID = nil }
    (archived, isCounted) = (true, false)
  }
}
