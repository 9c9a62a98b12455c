import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

/// What a message stanza from the server is to us: a pure decision, taken before anything is written.
enum IncomingMessage {
  /// A text: a record of its conversation.
  case keep(MessageRecord, Way)
  /// A message out of an archive: whether it was asked for is not decided here.
  case result(ArchiveResult)
  /// An error about a message of mine that had this stanza id.
  case failure(stanzaID: String, from: JID, StanzaError)
  /// It says how far another message got.
  case confirmation(Confirmation)
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
    /// As a copy of what came to another of my devices, or was sent there (XEP-0280).
    case carbon
    /// Out of our archive (XEP-0313).
    case archive
  }

  /// Whom messages come to.
  struct Recipient {
    let account: UInt32
    /// The bound JID, and the same without its resource.
    let own: JID
    let bare: JID
    /// Our archive says that it drops ids which others write in its name (XEP-0359, section 6).
    var trustsArchiveIDs = false
    /// What comes is a stanza of its own, and stream management counts it.
    var isCounted = false
  }

  /// Decides.
  ///
  /// - Parameters:
  ///   - element: the stanza, delivered by the recipient's server.
  ///   - now: when it was received.
  ///   - senders: spares the reading of an address that came before.
  init(_ element: Element, to recipient: Recipient, now: Timestamp, senders: inout KnownSenders) {
    // RFC 6120, 8.1.2.1: without `from` it is from our own account. Who it is for is known: a `to` is not looked at.
    guard let from = senders.sender("from", of: element, or: recipient.bare) else {
      self = .ignore("its sender is no JID")
      return
    }
    let parts = MessageParts(element)
    if let wrapping = parts.wrapping {
      let carrier = element.attribute("from") == nil ? nil : from.jid
      self.init(wrapping, broughtBy: carrier, to: recipient, now, &senders)
    } else {
      self.init(element, parts, from: from, to: recipient, now)
    }
  }

  /// Decides about what our archive has.
  ///
  /// - Parameter archiveID: its id there.
  init(
    _ copy: ForwardedMessage, archiveID: String, to recipient: Recipient, now: Timestamp, senders: inout KnownSenders
  ) {
    self.init(copy, to: recipient, now, &senders)
    switch self {
    case .keep(var message, _):
      message.archiveID = archiveID
      message.archived = true
      self = .keep(message, .archive)
    case .payload(var payload, let message):
      payload.archiveID = archiveID
      self = .payload(payload, of: message)
    case .result, .failure, .confirmation, .ignore, .forged: break
    }
  }

  /// What is inside of a carbon copy or of an archive's result. Nobody but our own account may bring one; a copy has to
  /// say so (XEP-0280, section 11; XEP-0313, section 7.2).
  private init(
    _ wrapping: Element, broughtBy carrier: JID?, to recipient: Recipient, _ now: Timestamp,
    _ senders: inout KnownSenders
  ) {
    let isResult = wrapping.isNamed("result", Namespace.archive)
    guard carrier == recipient.bare || isResult && carrier == nil else {
      self = .forged("\(carrier?.description ?? "nobody") brings a message of somebody else's (\(wrapping.local))")
      return
    }
    if isResult {
      self = ArchiveResult(wrapping).map { .result($0) } ?? .ignore("a result of an archive that has no id")
      return
    }
    guard let carbon = MessageCarbon(wrapping) else {
      self = .ignore("a carbon copy of nothing, or of what was to have none")
      return
    }
    self.init(carbon.copy, to: recipient, now, &senders)
    if carbon.direction == .sent, case .keep(let message, _) = self, !message.mine {
      self = .ignore("a carbon copy of what we did not send")
    }
  }

  /// A message as our own account tells of it: what came to another device or was sent there.
  private init(
    _ copy: ForwardedMessage, to recipient: Recipient, _ now: Timestamp, _ senders: inout KnownSenders
  ) {
    guard let from = senders.sender("from", of: copy.message, or: recipient.bare),
      let to = senders.sender("to", of: copy.message, or: recipient.bare)
    else {
      self = .ignore("its sender or recipient is no JID")
      return
    }
    let parts = MessageParts(copy.message)
    self.init(copy.message, parts, from: from, sentTo: to.jid, to: recipient, now)
    guard case .keep(var message, _) = self else { return }
    if message.mine { message.jid = to.bare }
    message.setTime(copy.time, now)
    self = .keep(message, .carbon)
  }

  private init(
    _ element: Element, _ parts: MessageParts, from: KnownSenders.Sender, sentTo: JID? = nil, to recipient: Recipient,
    _ now: Timestamp
  ) {
    let id = element.attribute("id")
    switch Self.type(of: element) {
    case "error":
      guard let id else {
        self = .ignore("an error that names no message")
        return
      }
      self = .failure(stanzaID: id, from: from.jid, StanzaError(parsing: element))
    case "groupchat": self = .ignore("rooms are not joined")
    case let type:
      guard let body = parts.body else {
        if let confirmation = Confirmation(element, from: from.jid, to: sentTo) {
          self = .confirmation(confirmation)
          return
        }
        self = Self.withoutText(element, parts, type: type, to: recipient, now)
        return
      }
      var message = MessageRecord(
        account: recipient.account, jid: from.bare, peer: from.jid.description, time: now.milliseconds)
      // RFC 6121, 5.2.2: an unknown type is `normal`.
      if type != "chat" { message.type = type == "headline" ? type : "normal" }
      message.text = body.text
      if recipient.isCounted { message.isCounted = true }
      message.stanzaID = id
      if from.jid.hasSameBare(as: recipient.own) { (message.mine, message.elsewhere) = (true, true) }
      message.addDetails(parts, of: element, body: body, to: recipient)
      self = .keep(message, .live)
    }
  }

  /// RFC 6121, 5.2.2. Nearly always one that makes no string.
  private static func type(of message: Element) -> String {
    message.attribute("type", equals: "chat") ? "chat" : message.attribute("type") ?? "normal"
  }

  private static func withoutText(
    _ element: Element, _ parts: MessageParts, type: String, to recipient: Recipient, _ now: Timestamp
  ) -> Self {
    if type == "headline" { return .ignore("a headline without a text") }
    let onlyTyping = !element.children.contains {
      $0.namespace != "http://jabber.org/protocol/chatstates" && !$0.isTransportDetail
    }
    if onlyTyping { return .ignore("no text") }
    var xml: [UInt8] = []
    guard element.serialize(into: &xml, inheriting: "", limit: UnknownPayloads.longest) else {
      return .ignore("payloads that are far longer than they came")
    }
    let archiveID = parts.archiveID(of: element, to: recipient)
    let record = PayloadRecord(
      account: recipient.account, time: now.milliseconds, xml: xml, archiveID: archiveID)
    return .payload(record, of: element)
  }
}

extension Element {
  /// Says how the stanza travelled, not what it says.
  fileprivate var isTransportDetail: Bool {
    isNamed("thread", Namespace.client) || isNamed("stanza-id", "urn:xmpp:sid:0")
      || isNamed("origin-id", "urn:xmpp:sid:0") || isNamed("delay", "urn:xmpp:delay")
      || isNamed("no-store", "urn:xmpp:hints") || isNamed("no-permanent-store", "urn:xmpp:hints")
  }
}

/// What a message has, found in one pass over its children: nearly all messages have little of it.
private struct MessageParts {
  var body: Element?
  var subject: Element?
  var thread: Element?
  /// The `<origin-id/>`; of several none (XEP-0359).
  var originID: Element?
  var originIDs = 0
  var hasDelay = false
  var hasStanzaID = false
  var hasMore = false
  var asksForReceipt = false
  var isMarkable = false
  /// It is no message of its own, but brings another one.
  var wrapping: Element?

  init(_ message: Element) {
    for child in message.children {
      if body == nil, child.isNamed("body", Namespace.client) {
        body = child
      } else if child.isNamed("stanza-id", Namespace.stanzaIDs) {
        hasStanzaID = true
      } else if child.isNamed("origin-id", Namespace.stanzaIDs) {
        originID = child
        originIDs += 1
      } else if child.isNamed("delay", Namespace.delay) {
        hasDelay = true
      } else if subject == nil, child.isNamed("subject", Namespace.client) {
        subject = child
      } else if thread == nil, child.isNamed("thread", Namespace.client) {
        thread = child
      } else if DeliveryReceipt.isRequest(child) {
        asksForReceipt = true
      } else if DisplayedMarker.isMarkable(child) {
        isMarkable = true
      } else {
        hasMore = true
        if wrapping == nil, ForwardedMessage.isWrapping(child) { wrapping = child }
      }
    }
  }
}

extension MessageParts {
  /// The id that its sender gave it, where that is another than the stanza's own. Makes no string where it is not.
  func originID(besides stanzaID: String?) -> String? {
    guard originIDs == 1, let originID else { return nil }
    if let stanzaID, originID.attribute("id", equals: stanzaID) { return nil }
    return StanzaIDs.id(in: originID)
  }

  /// The id that our archive gave it, where that can be believed.
  func archiveID(of message: Element, to recipient: IncomingMessage.Recipient) -> String? {
    guard hasStanzaID, recipient.trustsArchiveIDs else { return nil }
    return StanzaIDs.stanzaID(of: message, by: recipient.bare)
  }
}

extension MessageRecord {
  /// Subject, thread, language, stamps, ids and what is not understood. Most messages have little of it.
  fileprivate mutating func addDetails(
    _ parts: MessageParts, of element: Element, body: Element, to recipient: IncomingMessage.Recipient
  ) {
    if let subject = parts.subject { self.subject = subject.text }
    if let thread = parts.thread { self.thread = thread.text }
    if let language = body.language ?? element.language { self.language = language }
    if parts.hasDelay {
      let delay = DelayStamp(of: element, own: recipient.own)
      setTime(delay.time, Timestamp(milliseconds: time))
      claimedTime = delay.claimed?.milliseconds
    }
    if let originID = parts.originID(besides: stanzaID) { self.originID = originID }
    if let archiveID = parts.archiveID(of: element, to: recipient) { self.archiveID = archiveID }
    if !mine, let stanzaID, (1...DeliveryReceipt.longestID).contains(stanzaID.utf8.count) {
      if parts.asksForReceipt { owesReceipt = true }
      if parts.isMarkable { isMarkable = true }
    }
    if parts.hasMore { payloads = UnknownPayloads.of(element) }
  }

  /// Takes a stamp of somebody who may set one. One from the future, by a wrong clock or a forger, would stand at the
  /// end for good: it counts as now.
  fileprivate mutating func setTime(_ stamp: Timestamp?, _ now: Timestamp) {
    guard let stamp else { return }
    time = min(stamp.milliseconds, now.milliseconds)
    delayed = true
  }
}
