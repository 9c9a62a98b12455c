import Clocks
import Facts
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
  func contact(_ jid: String) -> ContactRecord? { contactsUnderWay[jid] ?? account.contacts[jid] }

  /// One item changed. The push is answered once it is durable.
  func receivePush(_ push: RosterPush, _ element: Element) {
    if push.item.subscription == .remove {
      appendRemoval(of: push.item.jid.description)
    } else if !append(push.item) {
      return send(IQ.error(replyingTo: element, StanzaError(type: .wait, condition: "resource-constraint")))
    }
    appendVersion(push.version)
    held.append(IQ.result(replyingTo: element), until: storage.queue.last)
  }

  /// Somebody asks to see our presence: a contact with `request`, until `accept` or `deny`.
  ///
  /// Strangers can ask without end: beyond a bound nobody's request is kept. The server tells us again at the next login.
  func noteRequest(_ jid: JID) {
    let known = contact(jid.description)
    guard known?.request != true, !["from", "both"].contains(known?.subscription ?? "") else { return }
    guard contactsUnderWay.requests < Self.maximumRequests else {
      return journal(
        .warning, .requests, "too many requests for our presence wait for an answer; \(jid) is ignored",
        jid: jid.description)
    }
    var contact = known ?? ContactRecord(account: account.record.number, jid: jid.description)
    contact.request = true
    if append(contact) { contactsUnderWay.requests += 1 }
  }

  /// `add`: puts a contact into the roster and asks to see its presence.
  func add(_ jid: JID, name: String?, groups: [String], ticket: Ticket) {
    let known = contact(jid.description)
    let (name, groups) = (name ?? known?.name, groups.isEmpty ? known?.groups ?? [] : groups)
    let change = RosterChange.set(jid, name: name, groups: groups)
    let id = iqs.register(.rosterChange(ticket, change), at: effects.now.instant)
    send(Roster.set(id: id, jid: jid, name: name, groups: groups))
    if !["to", "both"].contains(known?.subscription ?? "") { send(SubscriptionRequest.ask(jid)) }
  }

  /// `remove`: takes it out of the roster; both subscriptions end with it (RFC 6121, 2.5).
  func remove(_ jid: JID, ticket: Ticket) {
    let id = iqs.register(.rosterChange(ticket, .remove(jid)), at: effects.now.instant)
    send(Roster.remove(id: id, jid: jid))
  }

  /// The server did what we asked, and its push may still be on its way: whoever asked sees it done. Returns the record
  /// to wait for.
  func append(_ change: RosterChange) -> UInt64 {
    switch change {
    case .remove(let jid): appendRemoval(of: jid.description)
    case .set(let jid, let name, let groups):
      let jid = jid.description
      var contact = contact(jid) ?? ContactRecord(account: account.record.number, jid: jid)
      contact.name = name
      contact.groups = groups
      contact.subscription = contact.subscription ?? "none"
      append(contact)
    }
    storage.queue.hurry()
    return storage.queue.last
  }

  /// `accept` and `deny`: answers a request for our presence; the record that settles it goes first.
  func settleRequest(of jid: JID, accept: Bool) -> UInt64 {
    let name = jid.description
    var contact = contact(name) ?? ContactRecord(account: account.record.number, jid: name)
    contact.request = false
    append(contact)
    storage.queue.hurry()
    let answer = accept ? SubscriptionRequest.accept(jid) : SubscriptionRequest.deny(jid)
    held.append(answer, until: storage.queue.last)
    held.follow()
    return storage.queue.last
  }

  func append(_ item: Roster.Item) -> Bool {
    let jid = item.jid.description
    var contact = ContactRecord(account: account.record.number, jid: jid)
    contact.name = item.name
    contact.groups = item.groups
    contact.subscription = item.subscription.rawValue
    contact.ask = item.isAsked ? "subscribe" : nil
    contact.request = self.contact(jid)?.request == true && !item.subscription.contactSeesUs
    return append(contact)
  }

  func appendRemoval(of jid: String) {
    guard let known = contact(jid), known.subscription != nil else { return }
    var gone = ContactRecord(account: known.account, jid: jid)
    gone.request = known.request
    append(gone)
  }

  /// Appends a contact as it is from now on, unless it was so already; false where there is no room for it.
  @discardableResult
  private func append(_ contact: ContactRecord) -> Bool {
    let known = self.contact(contact.jid)
    guard contact != known else { return true }
    let growth = (contact.isGone ? 0 : contact.footprint) - (known.map { $0.isGone ? 0 : $0.footprint } ?? 0)
    guard growth <= 0 || contactsUnderWay.footprint + growth <= Self.maximumRosterBytes else {
      rosterTrouble = Self.overfull
      journal(
        .warning, .roster, "the roster is larger than is kept; \(contact.jid) is left out", jid: contact.jid)
      return false
    }
    contactsUnderWay.append(contact, storage.append(.contact(contact)), growth: growth)
    return true
  }

  func appendVersion(_ version: String?) {
    guard let version, version != account.rosterVersion else { return }
    storage.append(.rosterVersion(RosterVersionRecord(account: account.record.number, version: version)))
  }
}

extension ContactRecord {
  /// About how many bytes of memory it takes, its place in the tables included.
  var footprint: Int {
    groups.reduce(200 + 2 * jid.utf8.count + (name?.utf8.count ?? 0)) { $0 + 32 + $1.utf8.count }
  }
}
