import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

/// What a message stanza from the server is to us: a pure decision, taken before anything is written.
enum IncomingMessage {
  /// A text: a record of its conversation.
  case keep(MessageRecord)
  /// An error about a message of mine that had this stanza id.
  case failure(stanzaID: String, from: JID, StanzaError)
  /// No text, but payloads that a later version may understand.
  case payload(PayloadRecord)
  /// Nothing of it is kept, for the reason given (for the journal).
  case ignore(String)

  /// Decides.
  ///
  /// - Parameters:
  ///   - element: the stanza, delivered by the server of `own`.
  ///   - own: the bound JID of the account; `ownBare` the same without its resource.
  ///   - now: when it was received.
  ///   - senders: spares the reading of an address that came before.
  init(
    _ element: Element, own: JID, ownBare: JID, account: UInt32, now: Timestamp, senders: inout KnownSenders
  ) {
    // RFC 6120, 8.1.2.1: without `from` it is from our own account. Who it is for is known: a `to` is not looked at.
    guard let from = senders.sender(element.attribute("from") ?? ownBare.description) else {
      self = .ignore("its sender is no JID")
      return
    }
    let id = element.attribute("id")
    switch element.attribute("type") ?? "normal" {
    case "error":
      guard let id else {
        self = .ignore("an error that names no message")
        return
      }
      self = .failure(stanzaID: id, from: from.jid, StanzaError(parsing: element))
    case "groupchat": self = .ignore("rooms are not joined")
    case let type:
      self.init(content: element, type: type, id: id, from: from, own: own, ownBare: ownBare, account: account, now)
    }
  }

  private init(
    content element: Element, type: String, id: String?, from: KnownSenders.Sender, own: JID, ownBare: JID,
    account: UInt32, _ now: Timestamp
  ) {
    let parts = MessageParts(element)
    guard let body = parts.body else {
      self = Self.withoutText(element, type: type, account: account, now)
      return
    }
    var message = MessageRecord(
      account: account, jid: from.bare, peer: from.jid.description, time: now.milliseconds)
    // RFC 6121, 5.2.2: an unknown type is `normal`.
    message.type = type == "chat" || type == "headline" ? type : "normal"
    message.text = body.text
    message.stanzaID = id
    message.mine = from.jid.hasSameBare(as: own)
    message.elsewhere = message.mine
    message.addDetails(parts, of: element, body: body, own: own, ownBare: ownBare)
    self = .keep(message)
  }

  private static func withoutText(_ element: Element, type: String, account: UInt32, _ now: Timestamp) -> Self {
    if type == "headline" { return .ignore("a headline without a text") }
    let onlyTyping = !element.children.contains {
      $0.namespace != "http://jabber.org/protocol/chatstates" && !$0.isTransportDetail
    }
    if onlyTyping { return .ignore("no text") }
    var xml: [UInt8] = []
    guard element.serialize(into: &xml, inheriting: "", limit: UnknownPayloads.longest) else {
      return .ignore("payloads that are far longer than they came")
    }
    return .payload(PayloadRecord(account: account, time: now.milliseconds, xml: xml))
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
  var hasDelay = false
  var hasOriginID = false
  var hasStanzaID = false
  var hasMore = false

  init(_ message: Element) {
    for child in message.children {
      if body == nil, child.isNamed("body", Namespace.client) {
        body = child
      } else if child.isNamed("stanza-id", Namespace.stanzaIDs) {
        hasStanzaID = true
      } else if child.isNamed("origin-id", Namespace.stanzaIDs) {
        hasOriginID = true
      } else if child.isNamed("delay", Namespace.delay) {
        hasDelay = true
      } else if subject == nil, child.isNamed("subject", Namespace.client) {
        subject = child
      } else if thread == nil, child.isNamed("thread", Namespace.client) {
        thread = child
      } else {
        hasMore = true
      }
    }
  }
}

extension MessageRecord {
  /// Subject, thread, language, stamps, ids and what is not understood.
  fileprivate mutating func addDetails(
    _ parts: MessageParts, of element: Element, body: Element, own: JID, ownBare: JID
  ) {
    subject = parts.subject?.text
    thread = parts.thread?.text
    language = body.language ?? element.language
    if parts.hasDelay {
      let delay = DelayStamp(of: element, own: own)
      if let time = delay.time {
        // A stamp from the future, by a wrong clock or a forger, would stand at the end for good.
        self.time = min(time.milliseconds, self.time)
        delayed = true
      }
      claimedTime = delay.claimed?.milliseconds
    }
    let origin = parts.hasOriginID ? StanzaIDs.originID(of: element) : nil
    originID = origin == stanzaID ? nil : origin
    archiveID = parts.hasStanzaID ? StanzaIDs.stanzaID(of: element, by: ownBare) : nil
    payloads = parts.hasMore ? UnknownPayloads.of(element) : []
  }
}
