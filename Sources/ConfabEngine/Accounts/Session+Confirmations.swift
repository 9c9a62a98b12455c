import Clocks
import Conversations
import Facts
import Records
import XMPPCore

/// Receipts (XEP-0184) and markers (XEP-0333) of others for messages of mine, and markers of my other devices.
extension Session {
  /// Messages that are looked at for one marker, and those of them that are read.
  static let mostMarked = 1_000
  static let mostReadForMarker = 200

  /// Takes one, by whatever way it came. Whoever did not get the message knows neither its id, which is random, nor is it
  /// believed: it has to come from whom the message went to.
  func take(_ confirmation: Confirmation) {
    if confirmation.from.hasSameBare(as: own) { return readElsewhere(confirmation) }
    guard let known = confirmed(confirmation) else { return }
    switch confirmation.subject {
    case .delivered: deliveries.advance(DeliveryRecord(known, .delivered))
    case .displayed: displayed(upTo: known)
    }
  }

  /// The message of mine that it speaks of: sent from here, or from the device to which it went.
  private func confirmed(_ confirmation: Confirmation) -> KnownMessage? {
    let token = (confirmation.to?.description ?? "", confirmation.id)
    let ids = account.tokens.ids(.stanzaID, TokenHash.of(confirmation.id))
    for id in ids + account.tokens.ids(.copy, TokenHash.of(token)) {
      guard let message = records.message(id), message.mine, message.stanzaID == confirmation.id,
        message.jid == confirmation.from.bare.description
      else { continue }
      return KnownMessage(id: id, record: message)
    }
    return nil
  }

  /// All of mine up to there are displayed. Markers only go forward: behind one that is, there is nothing more to do.
  private func displayed(upTo known: KnownMessage) {
    guard let timeline = account.conversations[known.record.jid]?.timeline,
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
          account: account.record.number, jid: known.record.jid, time: entry.time.milliseconds, id: entry.id,
          state: .displayed))
    }
  }

  /// I read a conversation on another device, which told whoever wrote there: it is read here too.
  private func readElsewhere(_ confirmation: Confirmation) {
    guard confirmation.subject == .displayed, let jid = confirmation.to?.bare, jid != ownBare,
      let conversation = account.conversations[jid.description],
      let place = place(of: confirmation.id, in: conversation)
    else { return }
    storage.append(
      .read(
        ReadRecord(
          account: account.record.number, jid: conversation.jid, time: place.time.milliseconds, id: place.id)))
  }

  /// Where somebody's unread message with this stanza id stands.
  private func place(of id: String, in conversation: Conversation) -> Conversation.Place? {
    let timeline = conversation.timeline
    var (row, reads) = (timeline.count, 0)
    let first = max(0, row - Self.mostMarked)
    while row > first, reads < Self.mostReadForMarker {
      row -= 1
      let place = Conversation.Place(timeline[row])
      if let read = conversation.read, !Conversation.precedes(read, place) { return nil }
      guard !timeline[row].flags.contains(.mine) else { continue }
      reads += 1
      if records.message(place.id, at: timeline[row].location)?.stanzaID == id { return place }
    }
    return nil
  }
}
