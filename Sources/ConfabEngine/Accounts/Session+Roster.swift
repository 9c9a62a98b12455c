import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

/// The roster (RFC 6121, section 2) and subscriptions (section 3) on a logged-in stream.
extension Session {
  /// The roster came whole, or has not changed since the version we named.
  func receiveRoster(_ element: Element, _ turn: Turn) {
    defer { rosterKnown = true }
    guard let roster = Roster(element) else { return }
    let present = Set(roster.items.map(\.jid.description))
    for contact in account.contacts.values where contact.subscription != nil && !present.contains(contact.jid) {
      appendRemoval(of: contact, turn)
    }
    for item in roster.items where item.subscription != .remove { append(item, turn) }
    appendVersion(roster.version, turn)
  }

  /// One item changed. The push is answered once it is durable.
  func receivePush(_ push: RosterPush, _ element: Element, _ turn: Turn) {
    if push.item.subscription == .remove {
      if let contact = account.contacts[push.item.jid.description] { appendRemoval(of: contact, turn) }
    } else {
      append(push.item, turn)
    }
    appendVersion(push.version, turn)
    hold(IQ.result(replyingTo: element), until: turn.ledger.last)
  }

  /// Somebody asks to see our presence: a contact with `request`, until `accept` or `deny`.
  func noteRequest(_ jid: JID, _ turn: Turn) {
    let known = account.contacts[jid.description]
    guard known?.request != true, !["from", "both"].contains(known?.subscription ?? "") else { return }
    var contact = known ?? ContactRecord(account: account.record.number, jid: jid.description)
    contact.request = true
    turn.append(.contact(contact))
  }

  /// `add`: puts a contact into the roster and asks to see its presence.
  func add(_ jid: JID, name: String?, groups: [String], ticket: Ticket, _ turn: Turn) {
    let known = account.contacts[jid.description]
    let id = iqs.register(.rosterChange(ticket), at: turn.now.instant)
    send(Roster.set(id: id, jid: jid, name: name ?? known?.name, groups: groups.isEmpty ? known?.groups ?? [] : groups))
    if !["to", "both"].contains(known?.subscription ?? "") { send(SubscriptionRequest.ask(jid)) }
  }

  /// `remove`: takes it out of the roster; both subscriptions end with it (RFC 6121, 2.5).
  func remove(_ jid: JID, ticket: Ticket, _ turn: Turn) {
    send(Roster.remove(id: iqs.register(.rosterChange(ticket), at: turn.now.instant), jid: jid))
  }

  /// `accept` and `deny`: answers a request for our presence; the record that settles it goes first.
  func settleRequest(of jid: JID, accept: Bool, _ turn: Turn) -> UInt64 {
    var contact =
      account.contacts[jid.description] ?? ContactRecord(account: account.record.number, jid: jid.description)
    contact.request = false
    let sequence = turn.appendUrgently(.contact(contact))
    hold(accept ? SubscriptionRequest.accept(jid) : SubscriptionRequest.deny(jid), until: sequence)
    return sequence
  }

  private func append(_ item: Roster.Item, _ turn: Turn) {
    let known = account.contacts[item.jid.description]
    var contact = ContactRecord(account: account.record.number, jid: item.jid.description)
    contact.name = item.name
    contact.groups = item.groups
    contact.subscription = item.subscription.rawValue
    contact.ask = item.isAsked ? "subscribe" : nil
    contact.request = known?.request == true && !item.subscription.contactSeesUs
    if contact != known { turn.append(.contact(contact)) }
  }

  private func appendRemoval(of contact: ContactRecord, _ turn: Turn) {
    var gone = ContactRecord(account: contact.account, jid: contact.jid)
    gone.request = contact.request
    turn.append(.contact(gone))
  }

  private func appendVersion(_ version: String?, _ turn: Turn) {
    guard let version, version != account.rosterVersion else { return }
    turn.append(.rosterVersion(RosterVersionRecord(account: account.record.number, version: version)))
  }
}
