import ConfabAccounts
import Clocks
import Timelines
import State
import JSON
import LineProtocol
import Records

/// The events that durable records are, as things stand now.
struct DurableEvents {
  let context: RequestContext

  private var state: State { context.state }

  /// The event that a durable record is, nil if it is none.
  func event(_ record: Record, sequence: UInt64) -> EventLine? {
    switch record {
    case .message(let message):
      guard let conversation = state.existingConversation(message.account, message.jid),
        let row = conversation.timeline.row(ofTime: Timestamp(milliseconds: message.time), id: sequence)
      else { return nil }
      guard conversation.timeline[row].flags.contains(.changed) else {
        return event(of: message, at: row, in: conversation, sequence: sequence)
      }
      return presentEvent(.message, at: row, in: conversation, sequence: sequence)
    case .change(let message):
      guard let kind = message.details?.change.map({ EventKind($0.kind) }), let target = message.target,
        let conversation = state.existingConversation(message.account, message.jid),
        let row = conversation.timeline.row(ofTime: Timestamp(milliseconds: message.time), id: target)
      else { return nil }
      let gone = message.details?.change?.absorbed.filter { $0.time != nil }.map(\.record) ?? []
      return presentEvent(kind, at: row, in: conversation, sequence: sequence, insteadOf: gone)
    case .delivery(let delivery):
      guard !delivery.jid.isEmpty, delivery.target == nil,
        state.accounts[delivery.account]?.forgotten.hides(delivery.id, of: delivery.jid) != true
      else { return nil }
      return EventLine(.state, sequence: sequence, account: delivery.account, jid: delivery.jid) {
        context.writeAddress(delivery.account, delivery.jid, into: &$0)
        $0.member("id", delivery.id)
        $0.member("state", delivery.state.word)
        if delivery.inDoubt { $0.member("in_doubt", true) }
        if delivery.isHeld { $0.member("held", true) }
        if let time = delivery.standsAt { $0.member("time", Timestamp(milliseconds: time)) }
        delivery.failure?.write(into: &$0)
      }
    case .read(let read):
      return EventLine(.read, sequence: sequence, account: read.account, jid: read.jid) {
        context.writeAddress(read.account, read.jid, into: &$0)
        $0.member("id", read.id)
      }
    case .draft(let draft):
      // A cleared draft says nothing of the conversation.
      guard
        draft.text.isEmpty || state.accounts[draft.account]?.forgotten.hides(sequence, of: draft.jid) != true
      else { return nil }
      return EventLine(.draft, sequence: sequence, account: draft.account, jid: draft.jid) {
        context.writeAddress(draft.account, draft.jid, into: &$0)
        $0.member("text", draft.text)
      }
    case .settings(let settings):
      return EventLine(.conversation, sequence: sequence, account: settings.account, jid: settings.jid) { writer in
        writer.object("conversation") { context.write(conversation(settings.account, settings.jid), into: &$0) }
      }
    case .device(let device):
      guard let change = device.change, let account = context.accounts.numbered(device.account) else { return nil }
      return EventLine(.device, sequence: sequence, account: device.account, jid: device.jid) { writer in
        writer.member("jid", device.jid)
        if let name = context.shownName(of: device.account) { writer.member("account", name) }
        writer.member("change", plain: change.word)
        writer.object("device") { device.write(account.parts.messaging.encryption, into: &$0) }
      }
    case .encryption(let record):
      return EventLine(.encryption, sequence: sequence, account: record.account, jid: record.jid) {
        context.writeAddress(record.account, record.jid, into: &$0)
        let policy = context.accounts.numbered(record.account)?.parts.messaging.encryption.policies.policy(
          of: record.jid)
        $0.member("encrypt", (policy ?? record.policy ?? .auto).word)
      }
    case .emoticonUsed(let used):
      return EventLine(.emoticonUsed, sequence: sequence, account: 0, jid: nil) { $0.member("code", used.code) }
    case .room(let room):
      if let invitation = room.invitation, room.isInvited { return event(invitation, to: room, sequence: sequence) }
      if room.asksForVoice, let request = room.requests.last { return event(request, in: room, sequence: sequence) }
      return EventLine(.room, sequence: sequence, account: room.account, jid: room.jid) { writer in
        writer.object("room") { context.write(room, into: &$0) }
      }
    case .roomReader(let reader): return reader.isMine ? nil : event(reader, sequence: sequence)
    case .contact(let contact): return rosterEvent(contact, sequence: sequence)
    case .nickname(let nickname):
      return state.accounts[nickname.account]?.contacts[nickname.jid].map { rosterEvent($0, sequence: sequence) }
    default:
      return nil
    }
  }

  /// The event of a record, if it is one. False: the disk did not give what the event says, and it is not known.
  func read(_ record: Record, sequence: UInt64, behind records: [(sequence: UInt64, record: Record)] = []) -> (
    line: EventLine?, isKnown: Bool
  ) {
    let refused = context.records.refusedReads
    let line = event(whole(record, behind: records), sequence: sequence)
    return (line, context.records.refusedReads == refused)
  }

  private func event(
    _ invitation: RoomRecord.Invitation, to room: RoomRecord, sequence: UInt64
  ) -> EventLine {
    EventLine(.invitation, sequence: sequence, account: room.account, jid: room.jid) { writer in
      writer.member("room", room.jid)
      if let name = context.shownName(of: room.account) { writer.member("account", name) }
      if let from = invitation.from { writer.member("from", from) }
      if let reason = invitation.reason { writer.member("reason", reason) }
      if let password = invitation.password { writer.member("password", password) }
      if invitation.isDirect { writer.member("direct", true) }
    }
  }

  private func event(
    _ request: RoomRecord.VoiceRequest, in room: RoomRecord, sequence: UInt64
  ) -> EventLine {
    EventLine(.voiceRequest, sequence: sequence, account: room.account, jid: room.jid) { writer in
      writer.member("room", room.jid)
      if let name = context.shownName(of: room.account) { writer.member("account", name) }
      request.write(into: &writer)
    }
  }

  private func event(_ reader: RoomReaderRecord, sequence: UInt64) -> EventLine {
    EventLine(.readBy, sequence: sequence, account: reader.account, jid: reader.room) { writer in
      context.writeAddress(reader.account, reader.room, into: &writer)
      writer.member("id", reader.message)
      writer.member("nick", reader.nick)
      if let occupant = reader.occupantID { writer.member("occupant", occupant) }
    }
  }

  private func rosterEvent(_ contact: ContactRecord, sequence: UInt64) -> EventLine {
    EventLine(.roster, sequence: sequence, account: contact.account, jid: contact.jid) { writer in
      writer.object("contact") { context.write(contact, into: &$0) }
      if let name = context.shownName(of: contact.account) { writer.member("account", name) }
    }
  }

  /// A conversation, though it may have no message yet.
  private func conversation(_ account: UInt32, _ jid: String) -> Conversation {
    state.existingConversation(account, jid) ?? Conversation(account: account, jid: jid, gap: state.accounts.gap)
  }

  /// A record as it was appended: one about a message in the outbox does not say in the log whose conversation that is
  /// in. The message is mostly not far before it: among these records, which are in the order of their numbers.
  private func whole(_ record: Record, behind records: [(sequence: UInt64, record: Record)]) -> Record {
    guard case .delivery(var delivery) = record, delivery.jid.isEmpty,
      let message = message(delivery.id, among: records) ?? context.records.message(delivery.id)
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

  /// The event of a message that stands at a row of its conversation.
  func event(
    of message: borrowing some DetailedMessage & ~Copyable, at row: Int, in conversation: Conversation,
    sequence: UInt64, isNotice: Bool = false
  ) -> EventLine {
    let object = context.surroundings(account: conversation.account, conversation.jid)
      .object(at: row, in: conversation.timeline, of: message)
    return EventLine(
      .message, sequence: sequence, account: conversation.account, jid: conversation.jid, isNotice: isNotice
    ) {
      $0.key("message")
      object.write(message, into: &$0)
    }
  }

  /// The event of a message or a change of one, with the message as it stands now, at a row of its conversation.
  ///
  /// - Parameter gone: messages that turned out to be texts of this one.
  private func presentEvent(
    _ kind: EventKind, at row: Int, in conversation: Conversation, sequence: UInt64, insteadOf gone: [UInt64] = []
  ) -> EventLine? {
    let entry = conversation.timeline[row]
    guard let message = context.records.message(entry) else { return nil }
    if kind == .message { return event(of: message, at: row, in: conversation, sequence: sequence) }
    let object = context.surroundings(account: conversation.account, conversation.jid)
      .object(at: row, in: conversation.timeline, of: message)
    return EventLine(kind, sequence: sequence, account: conversation.account, jid: conversation.jid) {
      context.writeAddress(conversation.account, conversation.jid, into: &$0)
      $0.member("id", entry.id)
      if !gone.isEmpty { $0.array("instead_of") { for id in gone { $0.value(id) } } }
      $0.key("message")
      object.write(message, into: &$0)
    }
  }
}

extension EventKind {
  init(_ kind: MessageChange.Kind) {
    switch kind {
    case .edit, .files, .encrypted, .rescheduled: self = .edit
    case .opened: self = .decrypted
    case .retraction: self = .retract
    case .reaction: self = .reaction
    }
  }
}
