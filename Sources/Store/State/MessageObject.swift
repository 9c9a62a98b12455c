package import Clocks
package import Timelines
package import JSON
package import Records

/// The members of a message that front ends, `search` and `export` see in addition to its content (docs/PROTOCOL.md,
/// "message").
package struct MessageObject {
  package var id: UInt64
  /// The time at which it stands; nil: that of its record.
  package var time: Timestamp?
  /// The conversation's JID, where that of its messages is known before each is read.
  package var conversation: QuotedText?
  /// The account's name, where several are configured.
  package var account: QuotedText?
  /// The contact's name in the roster, else its nickname.
  package var nick: ShownName?
  /// Mine: how far it got.
  package var state: DeliveryState?
  package var failure: Failure?
  package var inDoubt = false
  /// Others in a small room who have displayed it.
  package var readers: [String] = []
  /// It was fetched as history, and is never unread.
  package var isHistory = false
  /// Mine: it is kept back.
  package var isHeld = false
  /// Mine: until when `hold=` keeps it back.
  package var heldUntil: Timestamp?
  package var placement: Placement?
  /// Writes the message that it answers, as it stands now; nil: what the answer says of it is written.
  package var writeAnswered: AnsweredMessage.Writer?
  /// The account's own JID, if known: the `from` of messages sent from here.
  package var ownJID: QuotedText?
  /// Writes the spans of its text, those of styling or not; nil: they are not written.
  package var writeSpans: ((_ text: String, _ isStyled: Bool, _ writer: inout JSONWriter) -> Void)?

  package init(id: UInt64) { self.id = id }

  /// Says whether it is kept back, by its place among what is; nil: it is not. One that waits for its files is not.
  package mutating func setHeld(_ held: Outbox.Entry?) {
    (isHeld, heldUntil) = (held.map { $0.fileCount == 0 && !$0.awaitsKeys } ?? false, held?.heldUntil)
  }

  /// Writes the object of a message, braces and all.
  package func write(_ message: borrowing some DetailedMessage & ~Copyable, into writer: inout JSONWriter) {
    writer.beginObject()
    writeAll(of: message, into: &writer)
    writer.endObject()
  }

  /// Writes what stands between its braces, of a message as pages show it: what is written fifty times for each is not
  /// generic.
  package func writeMembers(of message: borrowing MessageView, into writer: inout JSONWriter) {
    writeAll(of: message, into: &writer)
  }

  /// Writes what stands between its braces.
  package func writeMembers(of message: MessageRecord, into writer: inout JSONWriter) {
    writeAll(of: message, into: &writer)
  }

  @inline(__always)
  private func writeAll(of message: borrowing some DetailedMessage & ~Copyable, into writer: inout JSONWriter) {
    writer.member("id", id)
    if let conversation {
      writer.member("conversation", conversation)
    } else {
      message.write(.conversation, as: "conversation", into: &writer)
    }
    if let account { writer.member("account", account) }
    writeSender(of: message, into: &writer)
    if message.isOfRoom || message.isInPrivate && !message.isMine {
      message.writeOccupant(into: &writer)
    } else if let nick {
      writer.member("nick", nick.text)
      if let warning = nick.warning { writer.member("nick_is", warning.rawValue) }
    }
    writer.member("mine", message.isMine)
    if message.isMention { writer.member("mention", true) }
    if message.isIgnored { writer.member("ignored", true) }
    if isHistory { writer.member("history", true) }
    writer.member("time", time ?? Timestamp(milliseconds: message.time))
    message.write(.body, as: "text", into: &writer)
    if message.isAction { writer.member("me", true) }
    if let placement {
      writer.member("opens_section", placement.opensSection)
      writer.member("section", placement.section)
    }
    if let writeSpans { writeSpans(message.text, !message.isUnstyled, &writer) }
    if message.isUnstyled { writer.member("unstyled", true) }
    writeDelivery(of: message, into: &writer)
    if !readers.isEmpty { writeReaders(of: message, into: &writer) }
    writeDetails(of: message, into: &writer)
  }

  @inline(__always)
  private func writeSender(of message: borrowing some DetailedMessage & ~Copyable, into writer: inout JSONWriter) {
    if message.isFromHere {
      if let ownJID { writer.member("from", ownJID) } else { writer.member("from", plain: "") }
    } else {
      message.write(.peer, as: "from", into: &writer)
    }
  }

  @inline(__always)
  private func writeDelivery(of message: borrowing some DetailedMessage & ~Copyable, into writer: inout JSONWriter) {
    if let state, message.isMine { writer.member("state", plain: state.name) }
    if let failure {
      writer.object("failure") {
        $0.member("condition", failure.condition)
        if let text = failure.text { $0.member("text", text) }
      }
    }
    if inDoubt { writer.member("in_doubt", true) }
    if isHeld { writer.member("held", true) }
    if let heldUntil { writer.member("held_until", heldUntil) }
    message.write(.key, as: "key", into: &writer)
  }

  /// Writes who has displayed it, beside who wrote it.
  private func writeReaders(of message: borrowing some DetailedMessage & ~Copyable, into writer: inout JSONWriter) {
    var nicks: [String] = []
    for nick in readers where message.isMine || !message.isSaid(by: nick) { nicks.append(nick) }
    guard !nicks.isEmpty else { return }
    writer.array("read_by") { array in nicks.forEach { array.value($0) } }
  }

  @inline(__always)
  private func writeDetails(of message: borrowing some DetailedMessage & ~Copyable, into writer: inout JSONWriter) {
    // The origin-id of my messages without one is the stanza's id.
    if !message.write(.originID, as: "origin_id", into: &writer), message.isMine {
      message.write(.stanzaID, as: "origin_id", into: &writer)
    }
    if message.hasRareTexts {
      message.write(.type, as: "type", into: &writer)
      message.write(.subject, as: "subject", into: &writer)
      message.write(.thread, as: "thread", into: &writer)
      message.write(.language, as: "lang", into: &writer)
    }
    if message.hasDetails { message.writeDetails(writeAnswered, into: &writer) }
    if message.delayed { writer.member("delayed", true) }
    if let claimed = message.claimedTime { writer.member("claimed_time", Timestamp(milliseconds: claimed)) }
  }
}

extension JSONWriter {
  /// A time, as RFC 3339 has it.
  @inline(__always)
  package mutating func member(_ name: StaticString, _ time: Timestamp) {
    member(name, plain: 24) { time.append(to: &$0) }
  }
}
