import Bytes
import Clocks
import Conversations
import MessageLog
package import Records

// Messages that were changed. The record of a change has all of the message as it stands since, so applying it is to let the
// message's entry lead there (docs/decisions/0075-changed-messages-are-written-whole.md).
extension State {
  func applyChange(_ message: MessageRecord, id: UInt64, location: UInt64) -> Change {
    guard let target = message.target, let change = message.details?.change else { return .other }
    let account = account(message.account)
    account.noteSinceForgetting(message.jid)
    if change.isSent { queueChange(message, of: target, id: id, location: location, of: account) }
    if message.owesReceipt { account.pendingReceipts.append(.init(sequence: id, id: id, jid: message.jid)) }
    account.messageIDs.noteChange(message, change, id: id)
    for record in change.absorbed { account.waiting.remove(record.record) }
    if change.kind == .files {
      account.outbox.uploaded(target, location: location, order: id)
      account.uploads[target] = nil
    }
    guard let conversation = account.conversations[message.jid] else { return .other }
    timeRanges.note(Timestamp(milliseconds: message.time), at: LogLocation(packed: location))
    let place = Conversation.Place(time: Timestamp(milliseconds: message.time), id: target)
    return changing(conversation, of: account) {
      guard conversation.move(place, to: location) else { return .other }
      return .changed(conversation, absorb(change.absorbed, in: conversation))
    }
  }

  /// Messages of their own that turned out to replace another one go. Returns one that stands behind them, if any went.
  private func absorb(_ records: [MessageChange.Absorbed], in conversation: Conversation) -> Timeline.Resection? {
    records.reduce(nil) { conversation.absorb($1) ?? $0 }
  }

  private func queueChange(
    _ message: MessageRecord, of target: UInt64, id: UInt64, location: UInt64, of account: AccountState
  ) {
    var entry = Outbox.Entry(
      id: id, location: location, jid: message.jid, time: Timestamp(milliseconds: message.time),
      transmitted: message.transmitted)
    (entry.target, entry.share) = (target, QueueShare(message))
    entry.expires = message.expires.map { Timestamp(milliseconds: $0) }
    account.outbox.append(entry)
    if let place = message.place { account.place(id, at: place) }
  }

  /// Whether a stanza waits for the message that it changes.
  package func waits(_ payload: PayloadRecord, id: UInt64) -> Bool {
    payload.waitsFor.map { accounts[payload.account]?.waiting.records($0).contains(id) == true } ?? false
  }

  func writeWaiting(_ account: AccountState, into writer: inout FieldWriter) {
    guard !account.waiting.isEmpty else { return }
    writer.message(Field.waiting) {
      $0.uint(1, UInt64(account.number))
      account.waiting.write(into: &$0)
    }
  }

  func readWaiting(_ reader: inout FieldReader) throws(FieldError) {
    var (account, waiting): (UInt32, WaitingChanges) = (0, WaitingChanges())
    while let field = try reader.next() {
      if field == 1 { account = try reader.uint(UInt32.self) }
      if field == 2 { try reader.message { inner throws(FieldError) in try waiting.read(&inner) } }
    }
    accounts[account]?.waiting = waiting
  }
}

extension Conversation {
  /// A message's entry leads to another record from now on; false where there is no such message.
  func move(_ place: Place, to location: UInt64) -> Bool {
    guard let row = timeline.row(ofTime: place.time, id: place.id) else { return false }
    change(row) {
      $0.location = location
      $0.flags.insert(.changed)
    }
    return true
  }

  /// A message is no message of its own any more.
  func absorb(_ absorbed: MessageChange.Absorbed) -> Timeline.Resection? {
    guard let time = absorbed.time,
      let row = timeline.row(ofTime: Timestamp(milliseconds: time), id: absorbed.record)
    else { return nil }
    let entry = timeline[row]
    if !entry.flags.contains(.mine), isUnread(entry) { unread -= 1 }
    return remove(row)
  }
}

extension MessageIDIndex {
  /// Notes the ids of a change, so that a copy of it is known, and one that names it in its turn finds the message.
  func noteChange(_ message: MessageRecord, _ change: MessageChange, id: UInt64) {
    if let archiveID = change.archiveID { insert(.archiveID, MessageIDHash.of(archiveID), id: id) }
    guard let stanzaID = change.stanzaID else { return }
    insert(.copy, MessageIDHash.ofNamed(stanzaID, in: message.jid), id: id)
    guard change.isSent else { return }
    insert(.stanzaID, MessageIDHash.of(stanzaID), id: id)
    guard let key = change.key else { return }
    insert(.key, AccountState.hash(ofKey: key, of: message.sender?.socket), id: id)
  }
}

extension MessageIDHash {
  /// The hash of a message that somebody names by its stanza's id, within a conversation.
  package static func ofNamed(_ stanzaID: String, in jid: String) -> UInt64 {
    let conversation = UInt64(jid.utf8.span.cacheHash) &* 0x9e37_79b9_7f4a_7c15
    return (conversation ^ UInt64(stanzaID.utf8.span.cacheHash)) &* 0x100_0000_01b3
  }
}
