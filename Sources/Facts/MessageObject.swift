import Clocks
package import Conversations
package import JSON
package import Records

/// A message as front ends, `search` and `export` see it (CONTRACT, "The log, sequence numbers, messages").
package struct MessageObject {
  package var id: UInt64
  package var record: MessageRecord
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

  package init(id: UInt64, record: MessageRecord) {
    self.id = id
    self.record = record
  }

  /// Writes the object, braces and all.
  package func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(into: &writer)
    writer.endObject()
  }

  /// Writes what stands between its braces.
  package func writeMembers(into writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("conversation", record.jid)
    if let account { writer.member("account", account) }
    writer.member("from", sender)
    if let nick { writer.member("nick", nick) }
    writer.member("mine", record.mine)
    writer.member("time", Timestamp(milliseconds: record.time).rfc3339)
    writer.member("text", record.text)
    if let placement {
      writer.member("opens_section", placement.opensSection)
      writer.member("section", placement.section)
    }
    writeDelivery(into: &writer)
    writeDetails(into: &writer)
  }

  /// Who wrote it. Mine says it in `mine`; its `from` is the account's own JID where that is known.
  package var ownJID: String?

  private var sender: String { record.mine && !record.elsewhere ? ownJID ?? "" : record.peer }

  private func writeDelivery(into writer: inout JSONWriter) {
    if let state, record.mine { writer.member("state", state.word) }
    if let failure {
      writer.object("failure") {
        $0.member("condition", failure.condition)
        if let text = failure.text { $0.member("text", text) }
      }
    }
    if inDoubt { writer.member("in_doubt", true) }
    if isHeld { writer.member("held", true) }
    if let key = record.key { writer.member("key", key) }
  }

  private func writeDetails(into writer: inout JSONWriter) {
    if let id = record.effectiveOriginID { writer.member("origin_id", id) }
    if record.type != "chat" { writer.member("type", record.type) }
    if let subject = record.subject { writer.member("subject", subject) }
    if let thread = record.thread { writer.member("thread", thread) }
    if let language = record.language { writer.member("lang", language) }
    if record.delayed { writer.member("delayed", true) }
    if let claimed = record.claimedTime {
      writer.member("claimed_time", Timestamp(milliseconds: claimed).rfc3339)
    }
  }
}
