import Clocks
import Conversations
import State
import Records
import XMPPCore

/// Takes receipts (XEP-0184) and markers (XEP-0333) of others for messages of mine.
struct ReceiptsReceived {
  /// Messages that are looked at for one marker.
  private static let mostMarked = 1_000

  let state: AccountState
  let storage: Storage
  let records: RecordReader
  let deliveries: Deliveries

  // A receipt or marker comes by whatever way. Its sender has to be the recipient of the message: nobody else knows the
  // message's id, which is random, nor would be believed. `to` is where it went if that is not this device: it is in a
  // copy, or in the archive.

  /// A message of mine with this stanza id reached somebody's client.
  func delivered(_ id: String, by from: JID, to: JID?) {
    guard !isOwn(from), let known = message(id, from, to) else { return }
    deliveries.advance(DeliveryRecord(known, .delivered))
  }

  /// Somebody has read the message of mine with this stanza id, and all before it.
  func displayed(_ id: String, by from: JID, to: JID?) {
    if let known = message(id, from, to) { displayed(upTo: known) }
  }

  func isOwn(_ from: JID) -> Bool { from.bare.description == state.record.jid }

  /// The message of mine that a receipt is about: sent from here, or from the device to which the receipt went, or
  /// imported.
  private func message(_ stanzaID: String, _ from: JID, _ to: JID?) -> KnownMessage? {
    let token = (to?.description ?? "", stanzaID)
    let ids = state.messageIDs.ids(.stanzaID, MessageIDHash.of(stanzaID))
    for id in ids + state.messageIDs.ids(.copy, MessageIDHash.of(token)) {
      guard let message = records.sent(id, stanzaID) ?? records.message(id), message.isReported(stanzaID),
        message.jid == from.bare.description
      else { continue }
      return KnownMessage(id: id, record: message)
    }
    return ImportedMessages(state: state, records: records).mine(stanzaID, in: from.bare.description)
  }

  /// All messages of mine up to this one are displayed. Markers only go forward: before one that is displayed, all are.
  private func displayed(upTo known: KnownMessage) {
    guard let timeline = state.conversations[known.record.jid]?.timeline,
      var row = timeline.row(ofTime: Timestamp(milliseconds: known.record.time), id: known.id)
    else { return }
    deliveries.advance(DeliveryRecord(known, .displayed))
    let first = max(0, row - Self.mostMarked)
    while row > first {
      row -= 1
      let entry = timeline[row]
      guard entry.flags.contains(.mine) else { continue }
      if entry.flags.state == .displayed { return }
      guard [.sent, .delivered].contains(entry.flags.state) else { continue }
      deliveries.advance(
        DeliveryRecord(
          account: state.number, jid: known.record.jid, time: entry.time.milliseconds, id: entry.id,
          state: .displayed))
    }
  }
}

extension MessageRecord {
  /// Whether a receipt for this stanza's id is about it, a message of mine or a change that was sent from here.
  fileprivate func isReported(_ id: String) -> Bool { target != nil || mine && stanzaID == id }
}
