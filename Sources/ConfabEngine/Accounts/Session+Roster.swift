import Clocks
import Records
import Settings
import XML
import XMPPCore
import XMPPExtensions

/// The roster (RFC 6121, section 2) and subscriptions (section 3) on a logged-in stream.
extension Session {
  /// Requests for our presence that may wait for an answer, those answered since the login among them.
  static let maximumRequests = 1_000

  /// A contact as the log will have it.
  private func contact(_ jid: String) -> ContactRecord? { contactsUnderWay[jid] ?? account.contacts[jid] }

  /// The roster came whole, or has not changed since the version we named.
  func receiveRoster(_ element: Element, _ turn: Turn) {
    guard let roster = Roster(element) else { return }
    let present = Set(roster.items.map(\.jid.description))
    let known = Set(account.contacts.keys).union(contactsUnderWay.keys)
    for jid in known.subtracting(present).sorted() { appendRemoval(of: jid, turn) }
    for item in roster.items where item.subscription != .remove { append(item, turn) }
    appendVersion(roster.version, turn)
  }

  /// One item changed. The push is answered once it is durable.
  func receivePush(_ push: RosterPush, _ element: Element, _ turn: Turn) {
    if push.item.subscription == .remove {
      appendRemoval(of: push.item.jid.description, turn)
    } else {
      append(push.item, turn)
    }
    appendVersion(push.version, turn)
    hold(IQ.result(replyingTo: element), until: turn.ledger.last)
  }

  /// Somebody asks to see our presence: a contact with `request`, until `accept` or `deny`.
  ///
  /// Strangers can ask without end: beyond a bound nobody's request is kept. The server tells us again at the next login.
  func noteRequest(_ jid: JID, _ turn: Turn) {
    let known = contact(jid.description)
    guard known?.request != true, !["from", "both"].contains(known?.subscription ?? "") else { return }
    guard requests < Self.maximumRequests else {
      let words = "too many requests for our presence wait for an answer; \(jid) is ignored"
      return turn.journal(.warning, "account \(account.record.name): \(words)")
    }
    requests += 1
    var contact = known ?? ContactRecord(account: account.record.number, jid: jid.description)
    contact.request = true
    append(contact, turn)
  }

  /// `add`: puts a contact into the roster and asks to see its presence.
  func add(_ jid: JID, name: String?, groups: [String], ticket: Ticket, _ turn: Turn) {
    let known = contact(jid.description)
    let (name, groups) = (name ?? known?.name, groups.isEmpty ? known?.groups ?? [] : groups)
    let change = RosterChange.set(jid, name: name, groups: groups)
    let id = iqs.register(.rosterChange(ticket, change), at: turn.now.instant)
    send(Roster.set(id: id, jid: jid, name: name, groups: groups))
    if !["to", "both"].contains(known?.subscription ?? "") { send(SubscriptionRequest.ask(jid)) }
  }

  /// `remove`: takes it out of the roster; both subscriptions end with it (RFC 6121, 2.5).
  func remove(_ jid: JID, ticket: Ticket, _ turn: Turn) {
    let id = iqs.register(.rosterChange(ticket, .remove(jid)), at: turn.now.instant)
    send(Roster.remove(id: id, jid: jid))
  }

  /// The server did what we asked, and its push may still be on its way: whoever asked sees it done. Returns the record
  /// to wait for.
  func append(_ change: RosterChange, _ turn: Turn) -> UInt64 {
    switch change {
    case .remove(let jid): appendRemoval(of: jid.description, turn)
    case .set(let jid, let name, let groups):
      let jid = jid.description
      var contact = contact(jid) ?? ContactRecord(account: account.record.number, jid: jid)
      contact.name = name
      contact.groups = groups
      contact.subscription = contact.subscription ?? "none"
      append(contact, turn)
    }
    turn.ledger.hurry()
    return turn.ledger.last
  }

  /// `accept` and `deny`: answers a request for our presence; the record that settles it goes first.
  func settleRequest(of jid: JID, accept: Bool, _ turn: Turn) -> UInt64 {
    let name = jid.description
    var contact = contact(name) ?? ContactRecord(account: account.record.number, jid: name)
    contact.request = false
    append(contact, turn)
    turn.ledger.hurry()
    hold(accept ? SubscriptionRequest.accept(jid) : SubscriptionRequest.deny(jid), until: turn.ledger.last)
    return turn.ledger.last
  }

  private func append(_ item: Roster.Item, _ turn: Turn) {
    let jid = item.jid.description
    var contact = ContactRecord(account: account.record.number, jid: jid)
    contact.name = item.name
    contact.groups = item.groups
    contact.subscription = item.subscription.rawValue
    contact.ask = item.isAsked ? "subscribe" : nil
    contact.request = self.contact(jid)?.request == true && !item.subscription.contactSeesUs
    append(contact, turn)
  }

  private func appendRemoval(of jid: String, _ turn: Turn) {
    guard let known = contact(jid), known.subscription != nil else { return }
    var gone = ContactRecord(account: known.account, jid: jid)
    gone.request = known.request
    append(gone, turn)
  }

  /// Appends a contact as it is from now on, unless it was so already.
  private func append(_ contact: ContactRecord, _ turn: Turn) {
    guard contact != self.contact(contact.jid) else { return }
    contactsDurableAfter = turn.append(.contact(contact))
    contactsUnderWay[contact.jid] = contact
  }

  private func appendVersion(_ version: String?, _ turn: Turn) {
    guard let version, version != account.rosterVersion else { return }
    turn.append(.rosterVersion(RosterVersionRecord(account: account.record.number, version: version)))
  }
}
