import Clocks
import Timelines
package import Records
import State
import XMPPExtensions

/// A message as it stands, with the changes that are not durable yet.
package struct PresentMessage {
  /// The record that made it.
  package let id: UInt64
  /// The record that it stands in.
  package let number: UInt64
  package let message: MessageRecord
}

/// A message that something refers to by an id.
struct ReferredMessage {
  let present: PresentMessage
  /// The record that has the id: the message's own, or that of a change.
  let named: KnownMessage

  /// True if the id is that of a change.
  var isOfChange: Bool { named.record.target != nil }

  /// The author of what has the id: the change, which may be of somebody's message, or the message.
  var author: Author { isOfChange ? named.record.details?.change?.author ?? .person : present.message.author }

  /// True if the id names the message: its own, or that of a text of it.
  var isOfText: Bool { !isOfChange || named.record.details?.change?.kind == .edit }
}

/// Finds the messages of an account that others refer to (`Reference`), durable or pending.
package struct MessageFinder {
  /// Messages of one stanza's id that are looked at, and corrections of corrections that are followed.
  private static let most = 16
  private static let longestChain = 8

  let state: AccountState
  let storage: Storage
  let records: RecordReader

  /// The messages with this stanza's id in a conversation, the newest first: senders choose ids, and may choose the
  /// same again.
  func named(_ stanzaID: String, in jid: String) -> [PresentMessage] {
    referred(stanzaID, in: jid, Self.longestChain).filter(\.isOfText).map(\.present)
  }

  /// The messages that a change may be about, the newest first. A room names the one that a moderator takes back by its
  /// own id, and occupants choose theirs.
  func targets(of request: ChangeRequest, in jid: String) -> [PresentMessage] {
    guard case .moderation = request.kind else { return named(request.target, in: jid) }
    return referred(archived(request.target, in: jid), in: jid, Self.longestChain).filter(\.isOfText).map(\.present)
  }

  /// The message that a reference is about, the newest that may be; nil: it is not here.
  func message(of reference: Reference) -> ReferredMessage? {
    referred(reference.id, in: reference.conversation, Self.longestChain).first { reference.mayBe(by: $0.author) }
  }

  /// True if any record here has the id of a reference, even a forgotten or erased one.
  func hasAny(_ reference: Reference) -> Bool {
    if !candidates(reference.id, in: reference.conversation).isEmpty { return true }
    let hash = MessageIDHash.of(reference.id)
    return state.messageIDs.ids(.stanzaID, hash).contains { number in
      if case .erased(let erased)? = records.record(number) { erased.stanzaID == hash } else { false }
    }
  }

  /// The message with this number, by its first record; nil if it is hidden, or is no message of its own any more.
  package func present(_ id: UInt64, _ first: MessageRecord) -> PresentMessage? {
    if let pending = storage.pending.change(of: id) {
      return PresentMessage(id: id, number: pending.sequence, message: pending.message)
    }
    guard let timeline = state.conversations[first.jid]?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: first.time), id: id)
    else {
      return id > storage.queue.durable ? PresentMessage(id: id, number: id, message: first) : nil
    }
    guard timeline[row].flags.contains(.changed) else { return PresentMessage(id: id, number: id, message: first) }
    return records.present(timeline[row]).map { PresentMessage(id: id, number: $0.number, message: $0.message) }
  }

  /// Finds the message that another one answers.
  func findAnswered(_ message: inout MessageRecord) {
    guard var details = message.details, var reply = details.reply,
      let answered = named(reply.stanzaID, in: message.jid).first
    else { return }
    (reply.message, reply.time, reply.quote) = (answered.id, answered.message.time, nil)
    details.reply = reply
    message.details = details
  }

  /// Corrections that stand for a message that is not here, the newest first.
  func standIns(for stanzaID: String, in jid: String) -> [PresentMessage] {
    let hash = MessageIDHash.ofNamed(stanzaID, in: jid)
    let numbers = state.waiting.records(hash) + storage.pending.waitingReferences(of: state.number, hash)
    return Set(numbers).sorted().reversed().compactMap { number in
      guard case .message(let first)? = records.recordOrPending(number),
        first.jid == jid, first.details?.replaces == stanzaID
      else { return nil }
      return present(number, first)
    }
  }

  /// Changes that a message may be a copy of by its author and by its id, or its id in our archive, and their records.
  func changes(copiedBy message: MessageRecord) -> [KnownMessage] {
    let named = message.stanzaID.map { candidates($0, in: message.jid) } ?? []
    let archived = message.archiveID.map { state.messageIDs.ids(.archiveID, MessageIDHash.of($0)) } ?? []
    return (named + archived.compactMap { number in records.record(number).map { (number, $0) } })
      .compactMap { number, record in
        guard case .change(let known) = record, known.jid == message.jid, let change = known.details?.change,
          message.author.mayBeCopied(from: change.author) || change.author.isMe && message.isByAuthor(of: known)
            || message.mayRepeat(known)
        else { return nil }
        return KnownMessage(id: number, record: known)
      }
  }

  /// The message of a record, as it was written.
  func written(_ number: UInt64) -> MessageRecord? {
    switch records.recordOrPending(number) {
    case .message(let message), .change(let message): return message
    default: return nil
    }
  }

  /// True if the message or change that I sent with this record failed, or is about to.
  func hasFailed(_ number: UInt64) -> Bool {
    state.failures[number] != nil || storage.pending.delivery(of: number)?.state == .failed
  }

  private func referred(_ stanzaID: String, in jid: String, _ depth: Int) -> [ReferredMessage] {
    guard depth > 0 else { return [] }
    return referred(candidates(stanzaID, in: jid), in: jid, depth)
  }

  private func referred(
    _ candidates: [(sequence: UInt64, record: Record)], in jid: String, _ depth: Int
  ) -> [ReferredMessage] {
    candidates.flatMap { number, record in
      switch record {
      case .message(let message):
        let named = KnownMessage(id: number, record: message)
        if let present = present(number, message) { return [ReferredMessage(present: present, named: named)] }
        return message.details?.replaces.map { referred($0, in: jid, depth - 1) } ?? []
      case .change(let message):
        let named = KnownMessage(id: number, record: message)
        return message.target.flatMap { present($0, message) }.map { [ReferredMessage(present: $0, named: named)] }
          ?? []
      default: return []
      }
    }
  }

  /// The messages and changes with this stanza's id.
  private func candidates(_ stanzaID: String, in jid: String) -> [(sequence: UInt64, record: Record)] {
    // In a room anybody can choose the id that the room gave to somebody else's message.
    if state.rooms[jid] != nil {
      let archived = archived(stanzaID, in: jid)
      if !archived.isEmpty { return archived }
    }
    let change = storage.pending.change(stanzaID, in: jid, of: state.number)
    let pending =
      (change.map { [$0] } ?? []).filter { $0.record.isNamed(stanzaID, in: jid) }
      + storage.queue.pendingMessages(of: state.number, in: jid, named: stanzaID)
    let named = state.messageIDs.ids(.copy, MessageIDHash.ofNamed(stanzaID, in: jid))
    let sent = state.messageIDs.ids(.stanzaID, MessageIDHash.of(stanzaID))
    let durable = (named + sent).prefix(Self.most).compactMap { number -> (sequence: UInt64, record: Record)? in
      guard let record = records.record(number), record.isNamed(stanzaID, in: jid) else { return nil }
      return (number, record)
    }
    if pending.isEmpty, durable.isEmpty {
      return archived(stanzaID, in: jid) + (PartID.message(of: stanzaID).map { sentInParts($0, in: jid) } ?? [])
    }
    return pending.prefix(Self.most) + durable
  }

  /// The message of mine with this id, if it has files: others may know one of its parts alone.
  private func sentInParts(_ stanzaID: String, in jid: String) -> [(sequence: UInt64, record: Record)] {
    state.messageIDs.ids(.stanzaID, MessageIDHash.of(stanzaID)).prefix(Self.most).compactMap { number in
      guard let message = records.sent(number, stanzaID), message.jid == jid, message.details?.files.isEmpty == false,
        let record = records.record(number)
      else { return nil }
      return (number, record)
    }
  }

  /// True if an id is that of a stanza before the last one of a message of mine, which had a file in each.
  func isPart(_ id: String, of target: PresentMessage) -> Bool {
    let message = target.message
    guard !message.partIDs.isEmpty else { return false }
    if PartID.message(of: id) == message.stanzaID { return true }
    guard message.isOfRoom, let archive = state.archive(of: message.jid) else { return false }
    let ids = state.messageIDs.ids(.archiveID, ArchiveIDRecord.hash(ofMessage: target.id)).filter {
      $0 >= archive.idsSince
    }
    // A room shows them in their order.
    return ids.sorted().prefix(message.partIDs.count - 1).contains { number in
      guard case .archiveID(let named)? = records.record(number) else { return false }
      return named.archiveID == id
    }
  }

  /// The messages and changes with this id in our archive.
  private func archived(_ archiveID: String, in jid: String) -> [(sequence: UInt64, record: Record)] {
    let hash = MessageIDHash.of(archiveID)
    if state.rooms[jid] != nil, let pending = pending(hash, archiveID, in: jid) { return [pending] }
    let since = state.archive(of: jid)?.idsSince ?? 0
    return state.messageIDs.ids(.archiveID, hash).filter { $0 >= since }.prefix(Self.most)
      .compactMap { number in
        switch records.record(number) {
        case .message(let message)? where message.jid == jid && message.archiveID == archiveID:
          (number, .message(message))
        case .change(let message)? where message.jid == jid && message.details?.change?.archiveID == archiveID:
          (number, .change(message))
        case .archiveID(let named)? where named.archiveID == archiveID:
          records.message(named.message).flatMap { $0.jid == jid ? (named.message, .message($0)) : nil }
        default: nil
        }
      }
  }

  /// Occupants refer to what was said just now by the id that the room gave it.
  private func pending(_ hash: UInt64, _ archiveID: String, in jid: String) -> (sequence: UInt64, record: Record)? {
    storage.pending.messages(of: state.number).first(hash) { known in
      known.record.jid == jid
        && (known.record.archiveID == archiveID || known.named.contains { $0.record.archiveID == archiveID })
    }.map { ($0.id, .message($0.record)) }
  }

  /// True if a message with this id of the room's is here.
  func hasArchived(_ archiveID: String, in jid: String) -> Bool { !archived(archiveID, in: jid).isEmpty }
}
