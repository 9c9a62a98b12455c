import Clocks
import Records
package import XML
package import XMPPCore
package import XMPPExtensions

/// Requests of front ends to a room, until the room has dealt with them.
package final class RoomClientRequests {
  typealias Answered = (TicketOutcome) -> Void

  let jid: JID
  let surroundings: RoomSurroundings
  /// My JID in the room.
  var mine: () -> JID? = { nil }
  /// Requests that wait for the end of a join.
  private var joins: [(until: Instant, answered: Answered)] = []
  /// The request that waits for another nick of mine.
  private var nick: (wanted: String, answered: Answered)?
  private var topics: [(text: String, answered: Answered)] = []
  /// Stanzas that the room may still refuse, by their ids.
  private var unconfirmed: [String: Answered] = [:]

  init(_ jid: JID, _ surroundings: RoomSurroundings) { (self.jid, self.surroundings) = (jid, surroundings) }

  var effects: Effects { surroundings.effects }

  // MARK: - What is asked

  func whenJoinEnds(before deadline: Instant, _ answered: @escaping (TicketOutcome) -> Void) {
    joins.append((deadline, answered))
  }

  /// Asks for another nick; the one that I have stays where the room refuses it.
  package func changeNick(to nick: String, for ticket: Ticket) {
    guard let wanted = try? jid.with(resource: nick) else {
      return effects.answer(ticket, .refused("a room takes no such nick"))
    }
    let id = effects.token(bytes: 12)
    surroundings.stream.send(
      surroundings.presence.inRoom { show, status, payload in
        MultiUserChat.update(wanted, show: show, status: status, id: id, payload)
      })
    self.nick?.answered(.refused("another change of the nick came after it"))
    self.nick = (nick, { [effects] in effects.answer(ticket, $0) })
    // A room that says nothing of it has not done it.
    confirm(id) { [weak self] outcome in
      guard let waiter = self?.takeNick(nick) else { return }
      if case .done = outcome { waiter(.refused("the room did not change the nick")) } else { waiter(outcome) }
    }
  }

  /// Sets the topic; a client is told when the room shows it.
  package func setTopic(_ text: String, for ticket: Ticket) {
    let id = effects.token(bytes: 12)
    topics.append((text, { [effects] in effects.answer(ticket, $0) }))
    surroundings.stream.send(MultiUserChat.setSubject(of: jid, to: text, id: id))
    confirm(id) { [weak self] outcome in
      guard let waiter = self?.takeTopic(text) else { return }
      if case .done = outcome { waiter(.refused("the room did not show it")) } else { waiter(outcome) }
    }
  }

  /// Asks for one of the room's lists.
  ///
  /// - Parameter choose: the entries to show, of all.
  package func list(
    _ affiliation: Affiliation, for ticket: Ticket, choose: @escaping ([RoomOccupant]) -> [RoomOccupant]
  ) {
    ask(for: ticket) { [jid] in
      RoomAdministration.list(affiliation, in: jid, id: $0)
    } reading: {
      .members(choose((RoomAdministration.items(in: $0) ?? []).map(RoomOccupant.init(listed:))))
    }
  }

  /// Asks the room to do something; a client is told whether it did.
  ///
  /// - Parameter stanza: makes the iq from its id.
  package func ask(
    for ticket: Ticket, _ stanza: (String) -> [UInt8],
    reading read: @escaping (Element) -> TicketOutcome = { _ in .done(0) }
  ) {
    surroundings.requests.ask(jid, isOfClient: true, stanza) { [effects] in effects.answer(ticket, $0.outcome(read)) }
  }

  /// Invites somebody; a client is told when the room has passed it on.
  package func send(_ invitation: RoomInvitation, to person: JID, isDirect: Bool, for ticket: Ticket) {
    let id = effects.token(bytes: 12)
    surroundings.stream.send(
      isDirect ? invitation.direct(to: person, id: id) : invitation.mediated(for: person, id: id))
    confirm(id) { [effects] in effects.answer(ticket, $0) }
  }

  /// Calls back when the room has dealt with a stanza: refused it by an error, or answered to a ping behind it.
  func confirm(_ id: String, then answered: @escaping Answered) {
    guard let mine = mine() else { return answered(.disconnected) }
    unconfirmed[id] = answered
    surroundings.requests.ask(mine) {
      SelfPing.request(mine, id: $0)
    } then: { [weak self] answer in
      guard let waiter = self?.unconfirmed.removeValue(forKey: id) else { return }
      if case .missing(let outcome) = answer { waiter(outcome) } else { waiter(.done(0)) }
    }
  }

  // MARK: - What becomes of it

  /// When the next time-out is over.
  var deadline: Instant? { joins.map(\.until).min() }

  func tick() {
    let overdue = joins.filter { $0.until <= surroundings.now }
    joins.removeAll { $0.until <= surroundings.now }
    for waiter in overdue { waiter.answered(.timedOut) }
  }

  /// I am in the room, or shall not be.
  func joinEnded(_ outcome: TicketOutcome) {
    let ended = joins
    joins = []
    for waiter in ended { waiter.answered(outcome) }
  }

  /// The room shows me under a nick; true if somebody asked for it.
  func isShown(_ nick: String, after sequence: UInt64) -> Bool {
    guard let waiter = takeNick(nick) else { return false }
    waiter(.done(sequence))
    return true
  }

  /// The room refuses a nick; false if nobody asked for it.
  func isRefused(_ nick: String?, _ error: StanzaError) -> Bool {
    guard let waiter = nick.flatMap({ takeNick($0) }) else { return false }
    waiter(.refused(error.sentence))
    return true
  }

  private func takeNick(_ wanted: String) -> Answered? {
    guard let waiting = nick, waiting.wanted == wanted else { return nil }
    nick = nil
    return waiting.answered
  }

  func topicIsShown(_ text: String) { takeTopic(text)?(.topic(text)) }

  private func takeTopic(_ text: String) -> Answered? {
    topics.firstIndex { $0.text == text }.map { topics.remove(at: $0).answered }
  }

  /// The room refuses a stanza; true if a client waits for that.
  func refused(_ id: String?, _ error: StanzaError) -> Bool {
    guard let waiter = id.flatMap({ unconfirmed.removeValue(forKey: $0) }) else { return false }
    waiter(.refused(error.sentence))
    return true
  }

  /// Nothing is answered any more.
  func linkLost() {
    nick.take()?.answered(.disconnected)
    joinEnded(.disconnected)
  }
}
