import Bytes
import Clocks
package import JSON
package import Records

/// A message that another one answers, as it stands now.
package struct AnsweredMessage {
  /// Writes the message that a reply answers; false if it was retracted, and what the reply quotes of it is not shown.
  package typealias Writer = (_ reply: MessageReply, _ writer: inout JSONWriter) -> Bool

  /// Nil: it is not here.
  package var id: UInt64?
  package var from: String
  package var text: String
  package var isRetracted = false

  /// Scalars of a long text that are shown.
  private static let longestText = 1_000

  package init(id: UInt64?, from: String, text: String) {
    (self.id, self.from, self.text) = (id, from, Self.shortened(text))
  }

  private static func shortened(_ text: String) -> String {
    let isLong = text.utf8.count > longestText && text.unicodeScalars.count > longestText
    return isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText))) + "…" : text
  }

  /// By the word of who answers.
  init(_ reply: MessageReply) {
    self.init(id: reply.message == 0 ? nil : reply.message, from: reply.author ?? "", text: reply.quote ?? "")
  }

  /// The quoted text of a message that is not stored.
  package init(notHere reply: MessageReply) {
    self.init(id: nil, from: reply.author ?? "", text: reply.quote ?? "")
  }
}

/// A message that can write the members that few have (docs/PROTOCOL.md, "message").
package protocol DetailedMessage: MessageContent, ~Copyable {
  /// - Parameter writeAnswered: writes the message that it answers, as it stands now; nil: what the answer says of it
  ///   is written.
  func writeDetails(_ writeAnswered: AnsweredMessage.Writer?, into writer: inout JSONWriter)
}

extension MessageRecord: DetailedMessage {
  package func writeDetails(_ writeAnswered: AnsweredMessage.Writer?, into writer: inout JSONWriter) {
    guard let details else { return }
    details.write(writeAnswered, into: &writer)
    details.change?.reactions.write(into: &writer)
  }
}

extension MessageView: DetailedMessage {
  package func writeDetails(_ writeAnswered: AnsweredMessage.Writer?, into writer: inout JSONWriter) {
    withDetails { details throws(FieldError) in
      details.write(writeAnswered, into: &writer)
      try details.writeReactions(into: &writer)
    }
  }
}

/// The details of a message as they are shown, but for reactions.
private protocol ShownDetails: ~Copyable {
  var plain: String? { get }
  var reply: MessageReply? { get }
  var forwarded: [ForwardedText] { get }
  var attachments: [Attachment] { get }
  var edited: Int64? { get }
  var retraction: MessageChange.Retraction? { get }
  var unreadable: String? { get }
  var spoiler: String? { get }
  var event: OccupantEvent? { get }
  var seal: MessageSeal? { get }
}

extension MessageDetailsView: ShownDetails {}

extension MessageView {
  fileprivate var isRetracted: Bool {
    var isRetracted = false
    withDetails { details throws(FieldError) in isRetracted = details.retraction != nil }
    return isRetracted
  }
}

extension MessageDetails: ShownDetails {
  fileprivate var edited: Int64? { change?.edited }
  fileprivate var retraction: MessageChange.Retraction? { change?.retraction }
}

extension ShownDetails where Self: ~Copyable {
  @inline(__always)
  fileprivate func write(_ writeAnswered: AnsweredMessage.Writer?, into writer: inout JSONWriter) {
    let mayQuote = reply?.write(writeAnswered, into: &writer) ?? true
    if mayQuote, let plain { writer.member("plain", plain) }
    forwarded.write(into: &writer)
    attachments.write(into: &writer)
    if let edited { writer.member("edited", Timestamp(milliseconds: edited)) }
    retraction?.write(into: &writer)
    if let unreadable {
      writer.object("encrypted") {
        $0.member("scheme", unreadable)
        $0.member("error", plain: (seal?.unreadable ?? .unknownScheme).word)
      }
    } else {
      seal?.write(into: &writer)
    }
    if let spoiler { writer.member("spoiler", spoiler) }
    event?.write(into: &writer)
  }
}

extension MessageSeal {
  fileprivate func write(into writer: inout JSONWriter) {
    if isMissing { writer.member("unencrypted", true) }
    guard let version else { return }
    writer.object("encrypted") {
      $0.member("scheme", "omemo")
      $0.member("version", plain: version.word)
      $0.member("device", UInt64(device))
      $0.member("fingerprint", Hex.encode(identity))
      $0.member("trust", plain: trust.word)
      if !skipped.isEmpty { $0.array("skipped") { array in skipped.forEach { array.value($0) } } }
    }
  }
}

extension MessageReply {
  fileprivate func write(_ writeAnswered: AnsweredMessage.Writer?, into writer: inout JSONWriter) -> Bool {
    if let writeAnswered { return writeAnswered(self, &writer) }
    AnsweredMessage(self).write(into: &writer)
    return true
  }
}

extension OccupantEvent {
  fileprivate func write(into writer: inout JSONWriter) {
    writer.member("change", change)
    writer.object("member") {
      $0.member("nick", nick)
      if let jid { $0.member("jid", jid) }
      if let affiliation { $0.member("affiliation", affiliation) }
      if let role { $0.member("role", role) }
      if let occupantID { $0.member("occupant", occupantID) }
    }
    if let was { writer.member("was", was) }
    if let by { writer.member("by", by) }
    if let reason { writer.member("reason", reason) }
  }
}

extension [ForwardedText] {
  fileprivate func write(into writer: inout JSONWriter) {
    guard !isEmpty else { return }
    writer.array("forwarded") { array in
      for message in self {
        array.beginObject()
        array.member("from", message.from)
        if let time = message.time { array.member("time", Timestamp(milliseconds: time)) }
        array.member("text", message.text)
        message.attachments.write(into: &array)
        array.endObject()
      }
    }
  }
}

extension [Attachment] {
  fileprivate func write(into writer: inout JSONWriter) {
    guard !isEmpty else { return }
    writer.array("attachments") { for attachment in self { attachment.write(into: &$0) } }
  }
}

extension Attachment {
  fileprivate func write(into writer: inout JSONWriter) {
    writer.beginObject()
    if !url.isEmpty { writer.member("url", url) }
    if let name { writer.member("name", name) }
    if let type { writer.member("type", type) }
    if let size { writer.member("size", size) }
    if let width { writer.member("width", UInt64(width)) }
    if let height { writer.member("height", UInt64(height)) }
    if isAnimated { writer.member("animated", true) }
    if key != nil { writer.member("encrypted", true) }
    writer.endObject()
  }
}

extension AnsweredMessage {
  /// Writes one off its record.
  ///
  /// - Parameter own: of mine from here the account's JID.
  /// - Returns: false if it was retracted.
  package static func write(
    _ id: UInt64, _ message: borrowing MessageView, own: String, into writer: inout JSONWriter
  ) -> Bool {
    writer.object("reply_to") {
      $0.member("id", id)
      if message.isFromHere {
        $0.member("from", own)
      } else {
        message.write(.peer, as: "from", into: &$0)
      }
      if message.textCount > longestText {
        $0.member("text", shortened(message.text))
      } else {
        message.write(.body, as: "text", into: &$0)
      }
    }
    return message.textCount > 0 || !message.isRetracted
  }

  package func write(into writer: inout JSONWriter) {
    writer.object("reply_to") {
      if let id { $0.member("id", id) }
      $0.member("from", from)
      $0.member("text", text)
    }
  }
}

extension MessageChange.Retraction {
  fileprivate func write(into writer: inout JSONWriter) {
    writer.object("retracted") {
      $0.member("time", Timestamp(milliseconds: time))
      $0.member("by", by)
      if let reason { $0.member("reason", reason) }
    }
  }
}
