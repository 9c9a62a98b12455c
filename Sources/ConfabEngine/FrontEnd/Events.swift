import Clocks
import Conversations
import Facts
import JSON
import LineProtocol
import Records

extension Desk {
  /// The event that a durable record is, told as things stand now; nil where it is none.
  func event(_ record: Record, sequence: UInt64) -> EventLine? {
    switch record {
    case .message(let message): return messageEvent(message, sequence: sequence)
    case .delivery(let delivery):
      guard !delivery.jid.isEmpty, facts.accounts[delivery.account]?.hides(delivery.id, of: delivery.jid) != true
      else { return nil }
      return EventLine(.state, sequence: sequence, account: delivery.account, jid: delivery.jid) {
        address(delivery.account, delivery.jid, into: &$0)
        $0.member("id", delivery.id)
        $0.member("state", delivery.state.word)
        if delivery.inDoubt { $0.member("in_doubt", true) }
        if delivery.isHeld { $0.member("held", true) }
        if let failure = delivery.failure { Lines.write(failure, into: &$0) }
      }
    case .read(let read):
      return EventLine(.read, sequence: sequence, account: read.account, jid: read.jid) {
        address(read.account, read.jid, into: &$0)
        $0.member("id", read.id)
      }
    case .draft(let draft):
      return EventLine(.draft, sequence: sequence, account: draft.account, jid: draft.jid) {
        address(draft.account, draft.jid, into: &$0)
        $0.member("text", draft.text)
      }
    case .contact(let contact):
      return EventLine(.roster, sequence: sequence, account: contact.account, jid: contact.jid) { writer in
        writer.object("contact") { writeContact(contact, into: &$0) }
        if let name = shownName(of: contact.account) { writer.member("account", name) }
      }
    case .account, .wish, .transmission, .suspicion, .rosterVersion, .refused, .payload, .archiveID, .login, .offer,
      .archive,
      .stream, .cursor, .told, .release, .forgetting, .erased, .gap, .unknown:
      return nil
    }
  }

  /// A record as it was appended: one about a message in the outbox does not say in the log whose conversation that is in.
  /// The message is mostly not far before it: among these records, which are in the order of their numbers.
  func whole(_ record: Record, behind records: [(sequence: UInt64, record: Record)]) -> Record {
    guard case .delivery(var delivery) = record, delivery.jid.isEmpty,
      let message = message(delivery.id, among: records) ?? self.records.message(delivery.id)
    else { return record }
    (delivery.jid, delivery.time) = (message.jid, message.time)
    return .delivery(delivery)
  }

  private func message(_ id: UInt64, among records: [(sequence: UInt64, record: Record)]) -> MessageRecord? {
    let place = records.partitioningIndex { $0.sequence >= id }
    guard place < records.count, records[place].sequence == id, case .message(let message) = records[place].record
    else { return nil }
    return message
  }

  private func messageEvent(_ message: MessageRecord, sequence: UInt64) -> EventLine? {
    guard let conversation = facts.existingConversation(message.account, message.jid),
      let row = conversation.timeline.row(ofTime: Timestamp(milliseconds: message.time), id: sequence)
    else { return nil }
    let placement = conversation.timeline.placements(of: row..<row + 1).first
    return EventLine(.message, sequence: sequence, account: message.account, jid: message.jid) {
      $0.key("message")
      surroundings(account: message.account, message.jid)
        .object(conversation.timeline[row], isMine: message.mine, placement: placement).write(message, into: &$0)
    }
  }

  /// The ephemeral event of a notice.
  func event(_ notice: Notice) -> EventLine {
    switch notice {
    case .connection(let number):
      let status = accounts.numbered(number)?.status
      return EventLine(.connection, account: number, jid: nil) {
        $0.member("account", facts.accounts[number]?.record.name ?? "")
        $0.member("state", (status?.state ?? .stopped).rawValue)
        $0.member("reason", status?.reason ?? "no longer in the configuration")
      }
    case .presence(let number, let jid):
      let best = accounts.numbered(number)?.presences.resources(of: jid).first
      return EventLine(.presence, account: number, jid: jid) {
        if let account = shownName(of: number) { $0.member("account", account) }
        $0.member("jid", jid)
        $0.member("show", best?.show ?? "unavailable")
        $0.member("status", best?.status ?? "")
      }
    case .resection(let number, let jid, let from, let to):
      return EventLine(.resection, account: number, jid: jid) {
        address(number, jid, into: &$0)
        if let from { $0.member("from", from) }
        if let to { $0.member("to", to) }
      }
    case .storage:
      return EventLine(.storage, account: notice.account, jid: nil) {
        if let storageStatus { storageStatus.write(into: &$0) } else { $0.member("state", "ok") }
      }
    }
  }

  private func address(_ account: UInt32, _ jid: String, into writer: inout JSONWriter) {
    writer.member("conversation", jid)
    if let name = shownName(of: account) { writer.member("account", name) }
  }
}
