import Clocks
import State
import Records
import ConfabConfiguration
import XML
package import XMPPCore
import XMPPExtensions

/// Keeps the roster (RFC 6121, section 2) and requests for our presence (section 3) as the server has them.
package final class RosterSync: StreamPart {
  /// The most requests for our presence that may wait for an answer, in all and from one domain. Requests of people
  /// written to are taken beyond that.
  static let mostRequests = 1_000
  static let mostRequestsOfDomain = 100
  /// The most items taken from a roster.
  static let mostContacts = 100_000
  /// The most memory that all contacts may take, in bytes, by `ContactRecord.footprint`: some 300 bytes each, more with
  /// long names.
  static let mostBytes = 64 << 20
  private static let overfull =
    "the roster exceeds the limit (100,000 contacts, 64 MiB): some contacts are left out"

  let state: AccountState
  private let effects: Effects
  let storage: Storage
  private let stream: ReliableStream
  private let requests: Requests
  private let offers: LoginOffers
  /// The memory that all contacts take, pending ones included, as `ContactRecord.footprint` counts it.
  private var footprint = 0
  /// Requests for our presence that wait for an answer, by domain, and all together.
  private var requestCounts: [String: Int] = [:]
  private var requestCount = 0
  /// Requests that were left out since the login.
  package private(set) var requestsLeftOut = 0
  /// The changes that clients asked for.
  private var turns = RosterTurns()
  /// The roster that is being received; nil if none is.
  private var intake: RosterIntake?
  /// Why the roster is incomplete, in words; nil if it is complete or has not come yet.
  package private(set) var trouble: String?

  init(
    _ state: AccountState, _ stream: ReliableStream, _ requests: Requests, _ offers: LoginOffers, _ effects: Effects,
    _ storage: Storage
  ) {
    (self.state, self.effects, self.storage) = (state, effects, storage)
    (self.stream, self.requests, self.offers) = (stream, requests, offers)
  }

  /// Recounts contacts and requests.
  func recount() {
    (footprint, requestCounts, requestCount, requestsLeftOut) = (0, [:], 0, 0)
    for contact in contacts where !contact.isGone {
      footprint += contact.footprint
      count(contact, 1)
    }
    intake = nil
  }

  func answersAreLost() { trouble = nil }

  /// Requests the roster, as a change since the version that we have if the server knows versions.
  func request(versioned: Bool) {
    let version = versioned ? state.contacts.rosterVersion ?? "" : nil
    requests.send(.roster) { Roster.request(id: $0, version: version) }
  }

  // MARK: - Look-ups

  /// A contact as the log has it, or will.
  func contact(_ jid: String) -> ContactRecord? {
    storage.pending.contact(jid, of: state.number) ?? state.contacts[jid]
  }

  /// All contacts as the log has them, or will.
  private var contacts: [ContactRecord] {
    let pending = Set(storage.pending.contacts(of: state.number))
    return state.contacts.all.filter { !pending.contains($0.jid) } + pending.compactMap { contact($0) }
  }

  /// True if a bare JID is in the roster.
  func has(_ jid: String) -> Bool { contact(jid)?.subscription != nil }

  /// True if a bare JID sees our presence, so that a receipt tells it nothing new.
  func seesPresence(_ jid: String) -> Bool { contact(jid)?.seesPresence == true }

  /// True if the roster is requested and has not come.
  var isPending: Bool { requests.pending.isRosterPending }

  // MARK: - The answer to our request (RFC 6121, section 2.1.4)

  /// The roster begins; it comes in parts.
  func begin(_ element: Element, own: JID) {
    guard let header = StanzaHeader(element), requests.pending.isRoster(header, own: own),
      let roster = Roster(element)
    else { return }
    offers.answered()
    intake = RosterIntake(version: roster.version)
  }

  /// Takes one item of the roster.
  func receiveItem(_ element: Element) {
    guard var intake = intake.take() else { return }
    if let id = requests.pending.rosterID { requests.pending.renew(id, at: effects.now.instant) }
    if let item = Roster.Item(element), item.subscription != .remove { take(item, &intake) }
    self.intake = intake
  }

  /// Every item has come.
  func end() {
    guard let intake = intake.take(), requests.pending.takeRoster() else { return }
    finish(intake)
    stream.record.owesRoster = true
  }

  /// The roster is over a limit of the parser.
  func skipped(_ reason: String) {
    intake = nil
    guard requests.pending.takeRoster() else { return }
    refused("the server's roster is incomplete: \(reason)")
  }

  /// The server sends no roster, or none that can be taken.
  func refused(_ reason: String) {
    offers.answered()
    trouble = reason
    stream.record.owesRoster = true
  }

  /// Takes a roster that came whole, or that has not changed since the version that we named.
  func receive(_ element: Element) {
    offers.answered()
    stream.record.owesRoster = true
    guard let roster = Roster(element) else { return }
    var intake = RosterIntake(version: roster.version)
    for item in roster.items { take(item, &intake) }
    finish(intake)
  }

  private func take(_ item: Roster.Item, _ intake: inout RosterIntake) {
    let jid = item.jid.description
    guard intake.present.count < Self.mostContacts || intake.present.contains(jid) else {
      intake.isCut = true
      return
    }
    intake.present.insert(jid)
    if !append(item) { intake.isWhole = false }
  }

  private func finish(_ intake: RosterIntake) {
    // With a version, an incomplete roster would stay incomplete: the server would send only the changes since that
    // version.
    trouble = intake.isWhole && !intake.isCut ? nil : Self.overfull
    if intake.isCut { return }
    let known = Set(contacts.map(\.jid))
    for jid in known.subtracting(intake.present).sorted() { appendRemoval(of: jid) }
    if intake.isWhole { appendVersion(intake.version) }
  }

  // MARK: - Changes by the server

  /// One item changed. The push is answered once it is durable.
  func receivePush(_ push: RosterPush, _ element: Element) {
    turns.notePush(of: push.item.jid.description)
    if push.item.subscription == .remove {
      appendRemoval(of: push.item.jid.description)
    } else if !append(push.item) {
      return stream.send(IQ.error(replyingTo: element, StanzaError(type: .wait, condition: "resource-constraint")))
    }
    appendVersion(push.version)
    stream.deferred.append(IQ.result(replyingTo: element), until: storage.queue.last)
  }

  /// Notes a subscription request: a contact with `request`, until `accept` or `deny`.
  ///
  /// Strangers can ask without end: beyond a bound no request is kept. The server repeats them at the next login.
  func noteRequest(from jid: JID) {
    let known = contact(jid.description)
    guard known?.request != true, known?.seesPresence != true else { return }
    guard mayAsk(jid) else {
      requestsLeftOut += 1
      return journal(.requests, "too many subscription requests are pending; ignored that of \(jid)", jid)
    }
    var contact = known ?? ContactRecord(account: state.number, jid: jid.description)
    contact.request = true
    append(contact)
  }

  private func mayAsk(_ jid: JID) -> Bool {
    state.knows(jid.description)
      || requestCount < Self.mostRequests && requestCounts[jid.domain, default: 0] < Self.mostRequestsOfDomain
  }

  /// Counts a request, or one less.
  private func count(_ contact: ContactRecord, _ step: Int) {
    guard contact.request else { return }
    requestCount += step
    let domain = String(contact.jid.split(separator: "@").last ?? "")
    let count = requestCounts[domain, default: 0] + step
    requestCounts[domain] = count > 0 ? count : nil
  }

  // MARK: - Changes by clients

  /// `add`: puts a contact into the roster, or into one more group, and asks to see its presence.
  package func add(_ jid: JID, name: String?, group: String?, ticket: Ticket) {
    change(jid, ticket) { [self] known in
      var contact = known ?? ContactRecord(account: state.number, jid: jid.description)
      contact.name = name ?? contact.name
      if let group, !contact.groups.contains(group) { contact.groups.append(group) }
      contact.subscription = contact.subscription ?? "none"
      return contact
    } whenSent: { [self] contact in
      if !contact.showsPresence {
        stream.send(SubscriptionRequest.ask(jid, nickname: state.contacts.nicknames[state.record.jid]))
      }
    }
  }

  /// `remove group=`: takes a contact out of one group.
  package func remove(_ jid: JID, from group: String, ticket: Ticket) {
    change(jid, ticket) { known in
      guard var contact = known, contact.groups.contains(group) else { return nil }
      contact.groups.removeAll { $0 == group }
      return contact
    }
  }

  /// `remove`: takes a contact out of the roster; both subscriptions end with it (RFC 6121, 2.5).
  package func remove(_ jid: JID, ticket: Ticket) {
    inTurn(jid, ticket) { [self] in
      ask(jid, ticket) {
        Roster.remove(id: $0, jid: jid)
      } whenDone: { [self] in
        appendRemoval(of: jid.description)
      }
    }
  }

  /// Sets a contact as `edit` makes it of the contact as it is; nil: that cannot be.
  private func change(
    _ jid: JID, _ ticket: Ticket, _ edit: @escaping (ContactRecord?) -> ContactRecord?,
    whenSent: @escaping (ContactRecord) -> Void = { _ in }
  ) {
    inTurn(jid, ticket) { [self] in
      guard let wanted = edit(contact(jid.description)) else {
        effects.answer(ticket, .notFound("\(jid) is not in that group"))
        return begin(turns.next(of: jid.description))
      }
      ask(jid, ticket) {
        Roster.set(id: $0, jid: jid, name: wanted.name, groups: wanted.groups)
      } whenDone: { [self] in
        noteSet(wanted)
      }
      whenSent(wanted)
    }
  }

  private func inTurn(_ jid: JID, _ ticket: Ticket, _ send: @escaping () -> Void) {
    let turn = RosterTurns.Turn(begin: send) { [effects] in effects.answer(ticket, $0.outcome) }
    begin(turns.take(turn, of: jid.description))
  }

  private func begin(_ turn: RosterTurns.Turn?) { turn?.begin() }

  /// Asks the server for a change. Once that is done, its push may still be on its way: the client sees it done.
  private func ask(
    _ jid: JID, _ ticket: Ticket, _ stanza: (String) -> [UInt8], whenDone append: @escaping () -> Void
  ) {
    requests.ask(isOfClient: true, stanza) { [self] answer in
      let outcome = answer.outcome { _ in
        append()
        storage.queue.hurry()
        return .done(storage.queue.last)
      }
      effects.answer(ticket, outcome)
      guard case .missing = answer else { return begin(turns.next(of: jid.description)) }
      for turn in turns.takeAll(of: jid.description) { turn.fail(answer) }
    }
  }

  private func noteSet(_ wanted: ContactRecord) {
    guard !turns.isPushed(wanted.jid) else { return }
    var contact = contact(wanted.jid) ?? wanted
    (contact.name, contact.groups) = (wanted.name, wanted.groups)
    contact.subscription = contact.subscription ?? wanted.subscription
    append(contact)
  }

  /// `accept` and `deny`: answers a request for our presence, after the record that settles it. Returns that record.
  package func answerRequest(of jid: JID, accept: Bool) -> UInt64 {
    let name = jid.description
    var contact = contact(name) ?? ContactRecord(account: state.number, jid: name)
    contact.request = false
    append(contact)
    storage.queue.hurry()
    let answer = accept ? SubscriptionRequest.accept(jid) : SubscriptionRequest.deny(jid)
    stream.deferred.append(answer, until: storage.queue.last)
    stream.deferred.follow()
    return storage.queue.last
  }

  // MARK: - Records

  private func append(_ item: Roster.Item) -> Bool {
    let jid = item.jid.description
    var contact = ContactRecord(account: state.number, jid: jid)
    contact.name = item.name
    contact.groups = item.groups
    contact.subscription = item.subscription.rawValue
    contact.ask = item.isAsked ? "subscribe" : nil
    contact.request = self.contact(jid)?.request == true && !item.subscription.contactSeesUs
    return append(contact)
  }

  private func appendRemoval(of jid: String) {
    guard let known = contact(jid), known.subscription != nil else { return }
    var gone = ContactRecord(account: known.account, jid: jid)
    gone.request = known.request
    append(gone)
  }

  /// Appends a contact unless it is the same; false if there is no room for it.
  @discardableResult
  private func append(_ contact: ContactRecord) -> Bool {
    let known = self.contact(contact.jid)
    guard contact != known else { return true }
    let growth = (contact.isGone ? 0 : contact.footprint) - (known.map { $0.isGone ? 0 : $0.footprint } ?? 0)
    guard growth <= 0 || footprint + growth <= Self.mostBytes else {
      trouble = Self.overfull
      journal(.roster, "the roster exceeds the limit; left out \(contact.jid)", contact.jid)
      return false
    }
    storage.append(.contact(contact))
    if let known { count(known, -1) }
    count(contact, 1)
    footprint += growth
    return true
  }

  private func appendVersion(_ version: String?) {
    guard let version, version != state.contacts.rosterVersion else { return }
    storage.append(.rosterVersion(RosterVersionRecord(account: state.number, version: version)))
  }

  private func journal(_ topic: JournalGate.Topic, _ line: String, _ jid: some CustomStringConvertible) {
    effects.journal(.warning, topic, of: state.record, line, about: JournalFields(jid: jid.description))
  }
}

/// Collects the roster item by item: a roster that has grown for years is megabytes, and is never held whole.
private struct RosterIntake {
  /// The roster version that the server gives.
  let version: String?
  /// The JIDs of the items so far.
  var present: Set<String> = []
  /// True if no item was left out for its size.
  var isWhole = true
  /// True if the roster has more items than the limit.
  var isCut = false
}

extension ContactRecord {
  /// True if the contact has a subscription to our presence (RFC 6121).
  package var seesPresence: Bool { subscription == "from" || subscription == "both" }

  /// True if we have a subscription to the contact's presence.
  package var showsPresence: Bool { subscription == "to" || subscription == "both" }

  /// About how many bytes of memory it takes, its place in the tables included.
  var footprint: Int {
    groups.reduce(200 + 2 * jid.utf8.count + (name?.utf8.count ?? 0)) { $0 + 32 + $1.utf8.count }
  }
}
