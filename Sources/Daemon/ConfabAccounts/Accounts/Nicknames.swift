import Clocks
import Records
import State
import XML
package import XMPPCore
import XMPPExtensions

/// Keeps the nicknames of contacts and of the account itself (XEP-0172), and publishes the latter.
package final class Nicknames: PersonalNodePart {
  private let own: JID
  private let state: AccountState
  private let storage: Storage
  private let effects: Effects
  private let features: ServerFeatures
  private let nodes: PersonalNodes
  /// Bytes kept of each one's nicknames, by bare JID: contacts, and those who ask to be one, whose number is bounded.
  private var limits: [String: RateLimiter] = [:]
  /// Nicknames to be published once the server's features are known.
  private var waiting: [(nickname: String, ticket: Ticket)] = []

  init(of own: JID, _ stream: ReliableStream, _ features: ServerFeatures, _ nodes: PersonalNodes) {
    (self.own, self.features, self.nodes) = (own, features, nodes)
    (state, storage, effects) = (stream.state, stream.storage, stream.effects)
  }

  // MARK: - What others say

  var node: String { Nickname.node }

  func receive(_ event: PersonalEvent, of owner: JID) {
    note(event.items.last?.payload.flatMap { Nickname.of($0) }, of: owner.description)
  }

  /// Takes the nickname in a request to see our presence, which has made a contact.
  func receive(request presence: Element, from owner: JID) {
    let jid = owner.description
    guard let nickname = Nickname.inside(presence), isNew(jid) || isKept(jid) else { return }
    note(nickname, of: jid)
  }

  /// True if the request has just created the contact.
  private func isNew(_ jid: String) -> Bool { storage.pending.contact(jid, of: state.number) != nil }

  /// True if a request may give the contact a nickname again, as at each login: not for a stranger who was forgotten.
  private func isKept(_ jid: String) -> Bool {
    guard let contact = state.contacts[jid] else { return false }
    return contact.subscription != nil || !state.forgotten.has(jid)
  }

  private func note(_ nickname: String?, of jid: String) {
    guard nickname != known(jid), isWithinLimit(jid, nickname) else { return }
    append(nickname, of: jid)
  }

  /// The nickname as the log has it, or will.
  private func known(_ jid: String) -> String? {
    storage.pending.nickname(of: jid, state.number).map(\.nickname) ?? state.contacts.nicknames[jid]
  }

  private func append(_ nickname: String?, of jid: String) {
    storage.append(.nickname(NicknameRecord(account: state.number, jid: jid, nickname: nickname)))
  }

  private func isWithinLimit(_ jid: String, _ nickname: String?) -> Bool {
    let cost = 64 + jid.utf8.count + (nickname?.utf8.count ?? 0)
    return limits[jid, default: RateLimiter(of: 16 << 10, each: .hours(1))].take(cost, at: effects.now.instant)
  }

  /// Clears the nickname of a bare JID that is not on the roster, or those of a domain's strangers, which are
  /// forgotten; whether there was one.
  package func forget(_ jid: JID) -> Bool {
    let owners = Set(state.contacts.nicknames.keys).union(storage.pending.nicknames(of: state.number))
    let going = owners.filter { known($0) != nil && goes($0, with: jid.description) }
    for owner in going.sorted() { append(nil, of: owner) }
    return !going.isEmpty
  }

  private func goes(_ owner: String, with jid: String) -> Bool {
    guard owner != own.description, state.contacts[owner]?.subscription == nil else { return false }
    return owner == jid || owner.hasSuffix("@" + jid) && !state.knows(owner)
  }

  // MARK: - Our own

  /// Publishes a nickname, or takes it back if it is empty; the server's answer is the ticket's.
  package func publish(_ nickname: String, for ticket: Ticket) {
    guard features.isKnown else { return waiting.append((nickname, ticket)) }
    guard features.hasNodes else {
      return effects.answer(ticket, .unsupported("the server keeps no nicknames (XEP-0163)"))
    }
    // Without options: the user may have opened the node to more people than usual.
    nodes.publish(Nickname.itemID, on: Nickname.node, isOfClient: true) {
      Nickname.write(nickname, into: &$0)
    } then: { [weak self] answer in
      self?.published(nickname, answer, for: ticket)
    }
  }

  /// The server's own event may still be on its way: the client sees it done.
  private func published(_ nickname: String, _ answer: IQAnswer, for ticket: Ticket) {
    guard case .result = answer else { return effects.answer(ticket, answer.outcome) }
    note(nickname.isEmpty ? nil : nickname, of: own.description)
    storage.queue.hurry()
    effects.answer(ticket, .done(storage.queue.last))
  }

  /// Another device may have published or retracted ours meanwhile.
  func featuresAreKnown() {
    if features.hasNodes {
      nodes.requestItems(of: Nickname.node, mostRecent: 1) { [weak self] in self?.receiveOwn($0) }
    }
    let orders = waiting
    waiting = []
    for (nickname, ticket) in orders { publish(nickname, for: ticket) }
  }

  private func receiveOwn(_ answer: IQAnswer) {
    switch answer {
    case .result(let iq):
      guard let items = PubSub.items(in: iq, of: Nickname.node) else { return }
      note(items.last?.payload.flatMap { Nickname.of($0) }, of: own.description)
    case .error(let iq):
      if StanzaError(parsing: iq).condition == StanzaError.itemNotFound.condition { note(nil, of: own.description) }
    case .missing: break
    }
  }

  /// The link is lost: what waits will not be published.
  func linkLost() {
    for (_, ticket) in waiting { effects.answer(ticket, .disconnected) }
    waiting = []
  }
}
