import Clocks
import Facts
import Records
import Settings
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Receipts (XEP-0184) and markers (XEP-0333) for what others wrote. That they are owed is durable before they leave, and
/// holds until the server has them: a crash or a cut in between loses none. After a crash one may go twice, which
/// whoever gets it has to be ready for anyway (XEP-0184, section 4).
extension Session {
  /// So many are under way at once.
  static let mostTold = 250
  /// How long the server is not asked for a receipt alone, and the log is not written for it.
  static let tellingPause = Interval.seconds(10)

  /// Whether the sender of a new message, who asked for it, is to have a receipt: nobody who may not see our presence
  /// anyway, but whoever it is while the roster is awaited, which tells before any leaves; not for a copy of what another
  /// device got, and not for what was read out of the archive for its history.
  func owesReceipt(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    switch way {
    case .carbon: return false
    case .archive: if archive.run?.course != .forward { return false }
    case .live: break
    }
    return !message.mine && settings.receipts == .contacts && (mayBeTold(message.jid) || iqs.isRosterPending)
  }

  /// He knows when we are there.
  func mayBeTold(_ jid: String) -> Bool { contact(jid)?.seesPresence == true }

  /// Hands the stream what is owed, as it becomes known, once the roster says to whom it may go.
  func tell() {
    guard !iqs.isRosterPending else { return }
    for entry in account.owed.entries(after: telling.upTo) {
      guard telling.sent.count < Self.mostTold else { break }
      telling.upTo = entry.sequence
      guard !telling.settled.contains(entry.sequence) else { continue }
      if let stanza = stanza(entry) { write(stanza, owedBy: entry.sequence) } else { owesNothing(entry) }
      telling.due = telling.due ?? effects.now.instant.advanced(by: Self.tellingPause)
    }
    depart()
  }

  /// It is kept in the facts, and goes again from there: stream management only counts it.
  private func write(_ stanza: [UInt8], owedBy sequence: UInt64) {
    let place = managementState == .off ? nil : management.placeUnkept()
    telling.wrote(sequence, at: place)
    lane.append(Lane.Entry(bytes: stanza, place: place))
  }

  /// Whom it was for may not see us any more, or the message cannot be read.
  private func owesNothing(_ entry: Owed.Entry) { telling.wrote(entry.sequence, at: nil) }

  private func stanza(_ entry: Owed.Entry) -> [UInt8]? {
    let setting = entry.isMarker ? settings.markers : settings.receipts
    guard setting == .contacts, mayBeTold(entry.jid), let message = records.message(entry.id),
      let about = message.stanzaID, let to = try? JID(message.peer)
    else { return nil }
    let id = effects.token(bytes: 12)
    return entry.isMarker
      ? DisplayedMarker.stanza(to: to, id: id, about: about)
      : DeliveryReceipt.stanza(to: to, type: message.type, id: id, about: about)
  }

  /// The server has more of them: the log is to say so, with whatever it says next.
  func noteTold() {
    telling.acknowledged(management.acknowledgedCount)
    tell()
  }

  /// A batch of the log is about to be written.
  func recordTold() {
    let done = telling.takeDone()
    guard !done.isEmpty else { return }
    storage.append(.told(ToldRecord(account: account.record.number, sequences: done)))
  }

  /// Some time has passed since the first of them: they are asked about, and noted.
  func tickTelling() {
    guard let due = telling.due, due <= effects.now.instant else { return }
    telling.due = nil
    if !telling.done.isEmpty { storage.queue.expect() }
    guard !telling.sent.isEmpty else { return }
    request()
    telling.due = effects.now.instant.advanced(by: Self.tellingPause)
  }
}

extension ContactRecord {
  /// RFC 6121: it has a subscription to our presence.
  var seesPresence: Bool { subscription == "from" || subscription == "both" }
}
