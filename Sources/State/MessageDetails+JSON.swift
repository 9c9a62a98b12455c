import Clocks
import JSON
package import Records

/// A message that another one answers, as it stands now.
package struct AnsweredMessage {
  /// Nil: it is not here.
  package var id: UInt64?
  package var from: String
  package var text: String

  /// Scalars of a long text that are shown.
  private static let longestText = 1_000

  package init(id: UInt64?, from: String, text: String) {
    (self.id, self.from) = (id, from)
    let isLong = text.utf8.count > Self.longestText && text.unicodeScalars.count > Self.longestText
    self.text = isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestText))) + "…" : text
  }

  /// By the word of who answers.
  init(_ reply: MessageReply) {
    self.init(id: reply.message == 0 ? nil : reply.message, from: reply.author ?? "", text: reply.quote ?? "")
  }

  /// The same of one that is not here.
  package init(notHere reply: MessageReply) {
    self.init(id: nil, from: reply.author ?? "", text: reply.quote ?? "")
  }
}

extension MessageDetails {
  /// Writes the members that few messages have (docs/PROTOCOL.md, "message").
  func write(_ answered: AnsweredMessage?, into writer: inout JSONWriter) {
    if let plain { writer.member("plain", plain) }
    if let reply { (answered ?? AnsweredMessage(reply)).write(into: &writer) }
    if !forwarded.isEmpty { writeForwarded(into: &writer) }
    if !attachments.isEmpty {
      writer.array("attachments") { for attachment in attachments { attachment.write(into: &$0) } }
    }
    guard let change else { return }
    if let edited = change.edited { writer.member("edited", Timestamp(milliseconds: edited)) }
    change.retraction?.write(into: &writer)
    change.writeReactions(into: &writer)
  }

  private func writeForwarded(into writer: inout JSONWriter) {
    writer.array("forwarded") { array in
      for message in forwarded {
        array.beginObject()
        array.member("from", message.from)
        if let time = message.time { array.member("time", Timestamp(milliseconds: time)) }
        array.member("text", message.text)
        array.endObject()
      }
    }
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
    writer.endObject()
  }
}

extension AnsweredMessage {
  fileprivate func write(into writer: inout JSONWriter) {
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

extension MessageChange {
  /// Each emoji with all whose reaction it is, in the order in which it was used first.
  fileprivate func writeReactions(into writer: inout JSONWriter) {
    var shown: [String] = []
    for reaction in reactions {
      for emoji in reaction.emoji where !shown.contains(emoji) {
        if shown.isEmpty {
          writer.key("reactions")
          writer.beginArray()
        }
        shown.append(emoji)
        write(emoji, into: &writer)
      }
    }
    if !shown.isEmpty { writer.endArray() }
  }

  private func write(_ emoji: String, into writer: inout JSONWriter) {
    var isMine = false
    writer.beginObject()
    writer.member("emoji", emoji)
    writer.key("from")
    writer.beginArray()
    for person in reactions where person.emoji.contains(emoji) {
      writer.value(person.from)
      isMine = isMine || person.isMine
    }
    writer.endArray()
    writer.member("mine", isMine)
    writer.endObject()
  }
}
