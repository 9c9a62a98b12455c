import Clocks
package import Records
import XML
import XMPPCore
import XMPPExtensions

/// The stanza of a message of mine, or of a change of a message.
package struct OutgoingStanza {
  private let to: JID
  private let id: String
  private var message: MessageRecord
  private let own: String
  /// The usual size of a stanza beside its content, in bytes.
  private static let frameBytes = 512

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

  /// When it was written, or was to leave.
  var written: Timestamp { Timestamp(milliseconds: change?.time ?? message.rescheduledTo ?? message.time) }

  /// - Parameter isLate: it says when it was written (XEP-0203).
  package func bytes(isLate: Bool) -> [UInt8] {
    let sealed = message.step?.stanza ?? []
    guard sealed.isEmpty else { return bytes(isLate, nil, sealed) }
    let plain = inPlain
    return plain.bytes(isLate, plain.body, plain.payloads)
  }

  /// The stanza as it leaves in plain text: it quotes nothing that is encrypted.
  private var inPlain: OutgoingStanza {
    guard message.details?.reply?.isSecret == true else { return self }
    var stanza = self
    stanza.message.details?.dropQuotation(before: message.text)
    return stanza
  }

  /// How many stanzas it is.
  var count: Int { message.stanzaCount }

  /// All of its stanzas, in their order: those with a file each, the message, and the same under its id for devices that
  /// read another version.
  func all(isLate: Bool) -> [[UInt8]] {
    let parts = (message.step?.parts ?? retractions).enumerated().map { bytes(isLate, nil, $1, asPart: $0) }
    let second = message.step?.secondStanza ?? []
    return parts + [bytes(isLate: isLate)] + (second.isEmpty ? [] : [bytes(isLate, nil, second)])
  }

  /// The payloads that retract the stanzas of a message but its last one.
  private var retractions: [[UInt8]] {
    (change?.references ?? []).dropLast().map { reference in
      var writer = XMLWriter()
      MessageRetraction.write(reference, hasFallback: false, into: &writer)
      return writer.bytes
    }
  }

  private func bytes(_ isLate: Bool, _ body: String?, _ payloads: [UInt8], asPart part: Int? = nil) -> [UInt8] {
    let originID = change == nil ? message.originID ?? id : id
    let partID = part.map { PartID.make($0, of: id) }
    var outgoing = OutgoingMessage(
      to: to, id: partID ?? id, originID: partID ?? originID, text: body, delay: isLate ? written : nil)
    if message.isOfRoom { outgoing.type = "groupchat" }
    outgoing.payloads = payloads
    // XEP-0045, section 7.5: so servers know that it is for one device, and others that it is private.
    if message.kind == .occupant { outgoing.payloads += MultiUserChat.privateMark }
    // A note to self says by coming back that it has arrived.
    let isFollowed =
      part == nil && ConversationPolicy.of(message.kind).isFollowed && to.bare.description != own
      && (change == nil || change?.kind == .edit)
    (outgoing.isFollowed, outgoing.isMarkable) = (isFollowed, isFollowed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.frameBytes + payloads.count + (body?.utf8.count ?? 0))
    outgoing.serialize(into: &bytes)
    return bytes
  }

  /// The content that is to be encrypted.
  var content: OutgoingContent {
    let body = body ?? ""
    var inside = XMLWriter()
    if !body.isEmpty || message.details?.files.isEmpty ?? true {
      inside.open("body", xmlns: Namespace.client)
      inside.text(body)
      inside.close()
    }
    inside.raw(payloads)
    var outside = XMLWriter()
    if let details = message.details {
      details.writeReply(behind: message.text, into: &outside)
      if change?.kind == .edit { MessageCorrection.write(message.stanzaID ?? "", into: &outside) }
    }
    // A correction leaves the files as they are.
    let bodies = change == nil ? message.details?.legacyBodies(body) ?? [body] : [body]
    return OutgoingContent(
      body: bodies.last ?? "", parts: bodies.dropLast(), inside: inside.bytes, outside: outside.bytes)
  }

  private var body: String? {
    switch change?.kind {
    case nil, .edit: message.details?.sentBody(message.text) ?? message.text
    case .retraction, .reaction, .files, .opened, .encrypted, .rescheduled: nil
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
      MessageReactions.write(mine?.emoji ?? [], to: change?.references.last ?? message.originID ?? named, into: &writer)
    case .files, .opened, .encrypted, .rescheduled: break
    }
    return writer.bytes
  }

  /// Writes what a new text says beside the body.
  private func writeText(into writer: inout XMLWriter) {
    message.details?.writeTexts(behind: message.text, into: &writer)
    if message.isUnstyled { MessageStyling.writeUnstyled(into: &writer) }
  }

  /// The stanza's id by which others know the message that is changed.
  private var named: String { change?.references.last ?? message.stanzaID ?? "" }
}

extension MessageRecord {
  /// True if it leaves as two stanzas under one id, for devices that read different versions of OMEMO.
  var isTwofold: Bool { step?.secondStanza.isEmpty == false }

  /// How many stanzas it leaves in.
  var stanzaCount: Int {
    step.map { $0.parts.count + ($0.secondStanza.isEmpty ? 1 : 2) } ?? max(1, sentChange?.references.count ?? 1)
  }

  /// The change that it sends; nil: it sends the message itself, once its files have addresses.
  fileprivate var sentChange: MessageChange? {
    guard target != nil, let change = details?.change, ![.files, .rescheduled].contains(change.kind) else { return nil }
    return change
  }

  /// The time to which a message that was kept back was moved, in milliseconds since 1970.
  fileprivate var rescheduledTo: Int64? { details?.change?.kind == .rescheduled ? heldUntil : nil }
}

extension MessageDetails {
  /// Unicode scalars of the body beside the text and the addresses of files: a quotation.
  private func added(behind text: String) -> Int {
    let addresses = attachments.filter { !$0.url.isEmpty }.addresses(behind: text).unicodeScalars.count
    return (plain?.unicodeScalars.count).map { $0 - text.unicodeScalars.count - addresses } ?? 0
  }

  fileprivate mutating func dropQuotation(before text: String) {
    let count = added(behind: text)
    if count > 0 { plain = plain.map { String($0.unicodeScalars.dropFirst(count)) } }
  }

  fileprivate func writeReply(behind text: String, into writer: inout XMLWriter) {
    guard let reply else { return }
    MessageReplies.write(reply.stanzaID, author: reply.author, quotation: added(behind: text), into: &writer)
  }

  /// Writes the reply and the forwarded messages, with the part of the body that stands for them.
  fileprivate func writeTexts(behind text: String, into writer: inout XMLWriter) {
    let files = attachments.filter { !$0.url.isEmpty }
    let added = added(behind: text)
    writeReply(behind: text, into: &writer)
    for forwarded in forwarded {
      let time = forwarded.time.map { Timestamp(milliseconds: $0) }
      ForwardedContent.write(from: forwarded.from, time: time, body: forwarded.body, into: &writer) {
        forwarded.attachments.write(behind: forwarded.text, in: forwarded.body, into: &$0)
      }
    }
    files.write(behind: text, in: sentBody(text), into: &writer)
    guard !forwarded.isEmpty, added > 0 else { return }
    let count = text.unicodeScalars.count
    FallbackIndication.write(for: Namespace.forward, count..<count + added, into: &writer)
  }
}
