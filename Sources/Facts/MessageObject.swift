package import Clocks
package import Conversations
package import JSON
package import Records

/// What front ends, `search` and `export` see of a message beside what it says itself (CONTRACT, "The log, sequence numbers,
/// messages").
package struct MessageObject {
  package var id: UInt64
  /// The account's name, where several are configured.
  package var account: String?
  /// The contact's name in the roster.
  package var nick: String?
  /// Mine: how far it got.
  package var state: DeliveryState?
  package var failure: Failure?
  package var inDoubt = false
  /// Mine: it is kept back.
  package var isHeld = false
  package var placement: Placement?
  /// Of mine from here it is `from`: the account's own JID, where that is known.
  package var ownJID: String?

  package init(id: UInt64) { self.id = id }

  /// Writes the object of a message, braces and all.
  package func write(_ message: borrowing some MessageContent & ~Copyable, into writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(of: message, into: &writer)
    writer.endObject()
  }

  /// Writes what stands between its braces.
  package func writeMembers(
    of message: borrowing some MessageContent & ~Copyable, into writer: inout JSONWriter
  ) {
    writer.member("id", id)
    message.write("conversation", .conversation, into: &writer)
    if let account { writer.member("account", account) }
    writeSender(of: message, into: &writer)
    if let nick { writer.member("nick", nick) }
    writer.member("mine", message.mine)
    writer.member("time", Timestamp(milliseconds: message.time))
    message.write("text", .body, into: &writer)
    if let placement {
      writer.member("opens_section", placement.opensSection)
      writer.member("section", placement.section)
    }
    writeDelivery(of: message, into: &writer)
    writeDetails(of: message, into: &writer)
  }

  private func writeSender(of message: borrowing some MessageContent & ~Copyable, into writer: inout JSONWriter) {
    if message.mine && !message.elsewhere {
      writer.member("from", ownJID ?? "")
    } else {
      message.write("from", .peer, into: &writer)
    }
  }

  private func writeDelivery(of message: borrowing some MessageContent & ~Copyable, into writer: inout JSONWriter) {
    if let state, message.mine { writer.member("state", state.word) }
    if let failure {
      writer.object("failure") {
        $0.member("condition", failure.condition)
        if let text = failure.text { $0.member("text", text) }
      }
    }
    if inDoubt { writer.member("in_doubt", true) }
    if isHeld { writer.member("held", true) }
    message.write("key", .key, into: &writer)
  }

  private func writeDetails(of message: borrowing some MessageContent & ~Copyable, into writer: inout JSONWriter) {
    // Where none is stated, mine has the stanza's.
    if !message.write("origin_id", .originID, into: &writer), message.mine {
      message.write("origin_id", .stanzaID, into: &writer)
    }
    message.write("type", .type, into: &writer)
    message.write("subject", .subject, into: &writer)
    message.write("thread", .thread, into: &writer)
    message.write("lang", .language, into: &writer)
    if message.delayed { writer.member("delayed", true) }
    if let claimed = message.claimedTime { writer.member("claimed_time", Timestamp(milliseconds: claimed)) }
  }
}

extension MessageContent where Self: ~Copyable {
  /// Writes a text as a member; false where there is none.
  @discardableResult
  fileprivate func write(_ name: StaticString, _ text: MessageText, into writer: inout JSONWriter) -> Bool {
    withText(text) { writer.member(name, $0) }
  }
}

extension JSONWriter {
  /// A time, as RFC 3339 has it.
  package mutating func member(_ name: StaticString, _ time: Timestamp) {
    member(name, plain: { time.append(to: &$0) })
  }
}
