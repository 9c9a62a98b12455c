import Clocks
package import Records
import XMPPExtensions

// News of other occupants for front ends, and for the history.
extension Room {
  /// Reports other occupants, once the join is complete.
  func tell(_ change: Occupants.Change, _ departure: RoomPresence.Departure? = nil, was: String? = nil) {
    if machine.state == .joined { tell(OccupantChange(change, departure, was: was)) }
  }

  /// The id by which all in the room know a message; nil: the room gives none.
  package func stanzaIDs(of message: UInt64) -> [String] {
    ArchivedMessages(state: surroundings.state, records: history.inbox.records, archive: history.archive)
      .archiveIDs(of: message)
  }

  /// Reports a change of another occupant, once the join is complete.
  func tell(_ change: OccupantChange) {
    if occupantNews.note(change.kind, at: effects.now.instant) {
      effects.publish(.member(account: record.account, room: address, change))
    }
    changed()
    guard let event = OccupantEvent(change) else { return }
    let noise = NoiseFilter.Noise(event: event, at: time)
    if noiseFilter.changed(noise, record.noise, at: effects.now.instant) { keep(noise) }
  }

  /// Tells how many came and left in the last second, if they were many.
  func tellSum() {
    guard let sum = occupantNews.take(at: effects.now.instant) else { return }
    effects.publish(.members(account: record.account, room: address, joined: sum.joined, left: sum.left))
  }

  /// An occupant says something now.
  func spoke(_ message: MessageRecord) {
    guard facts.noise == .smart, case .occupant(let occupant) = message.author else { return }
    for noise in noiseFilter.spoke(occupant.nick, at: effects.now.instant) { keep(noise) }
  }

  private func keep(_ noise: NoiseFilter.Noise) {
    guard surroundings.storage.mayAppend else { return }
    let event = noise.event
    var message = MessageRecord(
      account: record.account, jid: address, peer: address + "/" + event.nick, time: noise.at.milliseconds)
    message.author = .occupant(Occupant(nick: event.nick, id: event.occupantID))
    message.type = "event"
    var details = MessageDetails()
    (details.event, details.plain) = (event, event.sentence)
    message.details = details
    surroundings.storage.append(.message(message))
  }

  /// The user wants other noise in the history: the number of the record that says so.
  package func setNoise(_ noise: RoomNoise?) -> UInt64 { change { $0.noise = noise } }
}
