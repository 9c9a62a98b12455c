import Clocks
import State
import Records
import XML
import XMPPCore
import XMPPExtensions

/// Sends our presence and keeps the presences of others (RFC 6121, section 4).
///
/// Presences could fill the disk, so people who are not on the roster share one limit and each contact has its own.
/// Presences of strangers to whom nobody has written are dropped.
final class PresenceSync {
  private let state: AccountState
  private let effects: Effects
  private let stream: ReliableStream
  private let roster: RosterSync
  /// Bytes kept of the presences of people who are not on the roster.
  private var strangersLimit = RateLimiter(of: 4 << 20, each: .hours(1))
  /// Bytes kept of each contact's presences, by bare JID; the roster's size is bounded.
  private var contactLimits: [String: RateLimiter] = [:]
  /// The hash of the photo of our card, where the server does not add it (XEP-0153); empty: none. Nil: nothing is said.
  var cardPhoto: String?
  /// Since when nobody has been there, as it is to be said (XEP-0319); nil: not at all.
  private var idleSince: Timestamp?
  /// The `idleSince` last sent to the server; nil: an earlier process sent it.
  private var toldIdleSince: Timestamp??

  init(_ stream: ReliableStream, _ roster: RosterSync, _ effects: Effects) {
    (state, self.effects) = (stream.state, effects)
    (self.stream, self.roster) = (stream, roster)
  }

  /// Sends our presence as the user wishes to be seen.
  func announce() {
    toldIdleSince = .some(idleSince)
    let presence = Presence(show: Presence.Show(rawValue: state.wish.show), status: state.wish.status)
    let stanza = presence.serialized { writer in
      EntityCapabilities.own(.capabilities(at: effects.now.wall))?.write(into: &writer)
      if let idleSince { LastInteraction.write(since: idleSince, into: &writer) }
      if let cardPhoto { VCardAvatarUpdate.write(cardPhoto, into: &writer) }
    }
    stream.send(stanza, after: stream.placePresence())
  }

  /// Our presence as it goes to a room.
  func inRoom(
    _ make: (_ show: Presence.Show?, _ status: String?, _ payload: (inout XMLWriter) -> Void) -> [UInt8]
  ) -> [UInt8] {
    make(Presence.Show(rawValue: state.wish.show), state.wish.status) { writer in
      EntityCapabilities.own(.capabilities(at: effects.now.wall))?.write(into: &writer)
    }
  }

  /// Takes what is to be said of who is there; whether the server was told something else.
  func take(_ interaction: Idleness.Interaction) -> Bool {
    guard let said = interaction.said else { return false }
    idleSince = said
    return toldIdleSince.map { $0 != idleSince } ?? true
  }

  /// Takes a presence stanza; returns the bare JID of who asks to see ours, if it is a request.
  ///
  /// - Parameter own: the bound JID.
  func receive(_ element: Element, own: JID) -> JID? {
    guard let presence = Presence(element), let from = presence.from else { return nil }
    switch presence.kind {
    case .available, .unavailable: if let record = record(of: presence, from, element) { receive(record) }
    // The contact's server, or ours, cannot tell any more who is there.
    case .error where from.isBare && !from.hasSameBare(as: own): receive(.unknown(from.description))
    case .subscribe where !from.hasSameBare(as: own):
      roster.noteRequest(from: from.bare)
      return from.bare
    default: break
    }
    return nil
  }

  /// A resource of somebody sent something just now. A contact that is offline as far as is known is not: nothing is
  /// known of its presence then, until it says otherwise.
  ///
  /// - Parameters:
  ///   - contact: the bare JID.
  ///   - sender: the JID that sent it.
  func noteActivity(of contact: String, from sender: String) {
    guard sender.utf8.count > contact.utf8.count else { return }
    // A presence that is not durable yet says more than this.
    guard !stream.hasPendingPresences else { return }
    guard roster.contact(contact)?.showsPresence == true, stream.presences.resources(of: contact).isEmpty else {
      return
    }
    receive(.unknown(contact))
  }

  /// A time in the future, by a clock that is fast, is now.
  private func record(of presence: Presence, _ from: JID, _ element: Element) -> PresenceRecord? {
    var record = PresenceRecord(presence, from: from)
    if presence.kind == .available {
      record?.idleSince = LastInteraction.since(in: element).map { min($0, effects.now.wall).milliseconds }
    }
    return record
  }

  /// Beyond the limit, a contact's presence is kept without its status; beyond that, as offline.
  private func receive(_ record: PresenceRecord) {
    guard stream.isNews(record) else { return }
    let now = effects.now.instant
    // Until the roster has come, anybody may be on it.
    guard state.knows(record.jid) || roster.has(record.jid) || roster.isPending else { return }
    guard record.jid == state.record.jid || roster.has(record.jid) else {
      if strangersLimit.take(record.cost, at: now) { stream.note(record) }
      return
    }
    var record = record
    if !take(record.cost, of: record.jid, at: now) {
      record.status = ""
      if !take(record.cost, of: record.jid, at: now) { record.show = nil }
    }
    stream.note(record)
  }

  private func take(_ amount: Int, of jid: String, at now: Instant) -> Bool {
    contactLimits[jid, default: RateLimiter(of: 64 << 10, each: .hours(1))].take(amount, at: now)
  }
}
