import Clocks
import JSON
import LineProtocol
import Records
import State
import XML
package import XMPPCore
package import XMPPExtensions

/// Chat states of contacts and of our clients (XEP-0085). None is durable, and none outlives the link.
///
/// A contact composes until its next message or until it goes offline, a client until it sends a message or closes;
/// both for 30 s at most, unless they say so again.
package final class ChatStates: StreamPart {
  /// How long somebody composes.
  static let patience = Interval.seconds(30)
  /// Conversations whose states are kept: strangers send states, too.
  static let most = 1_000

  private struct Own {
    let state: ChatState
    let recipient: JID
    let client: ClientID
  }

  private let account: AccountState
  private let stream: ReliableStream
  private let roster: RosterSync
  private let effects: Effects
  /// The last state of each contact, by bare JID, and the resource that sent it.
  private var contacts: [String: (state: ChatState, from: JID)] = [:]
  /// The states that we sent last, by bare JID.
  private var own: [String: Own] = [:]
  private var contactDeadlines = Deadlines<String>()
  private var ownDeadlines = Deadlines<String>()

  init(_ stream: ReliableStream, _ roster: RosterSync, _ effects: Effects) {
    (account, self.stream, self.roster, self.effects) = (stream.state, stream, roster, effects)
  }

  var deadline: Instant? { contactDeadlines.next.orEarlier(ownDeadlines.next) }

  // MARK: Contacts

  /// The state of a contact, and the resource that sent it.
  package func state(of contact: String) -> (state: ChatState, from: JID)? { contacts[contact] }

  /// A contact sent a state.
  func receive(_ state: ChatState, from: JID) {
    let contact = from.bare.description
    guard contact != account.record.jid, hasSpace(for: contact) else { return }
    set(state, from, of: contact)
  }

  /// A message ends `composing`.
  func received(_ message: MessageRecord) {
    if !contacts.isEmpty, !message.author.isMe { composed(message.jid, then: .active) }
  }

  /// So does going offline.
  func receive(presence element: Element, own: JID) {
    guard !contacts.isEmpty, let presence = Presence(element), presence.kind == .unavailable, let from = presence.from,
      contacts[from.bare.description]?.from == from
    else { return }
    composed(from.bare.description, then: .gone)
  }

  /// A contact does not compose any more.
  private func composed(_ contact: String, then state: ChatState) {
    guard let known = contacts[contact], known.state == .composing else { return }
    set(state, known.from, of: contact)
  }

  private func set(_ state: ChatState, _ from: JID, of contact: String) {
    contacts[contact] = (state, from)
    contactDeadlines.set(contact, at: state == .composing ? effects.now.instant.advanced(by: Self.patience) : nil)
    effects.publish(.typing(account: account.number, conversation: contact))
  }

  /// When there are too many, those that do not compose are forgotten.
  private func hasSpace(for contact: String) -> Bool {
    guard contacts[contact] == nil, contacts.count >= Self.most else { return true }
    contacts = contacts.filter { $0.value.state == .composing }
    return contacts.count < Self.most
  }

  // MARK: Our clients

  /// A client says what it is doing. Sent to those who may see our presence or have sent a state themselves, and not
  /// twice in a row (sections 5.1 and 5.3).
  package func say(_ state: ChatState, to recipient: JID, by client: ClientID) {
    let contact = recipient.bare.description
    guard roster.seesPresence(contact) || contacts[contact] != nil else { return }
    let isNews = own[contact]?.state != state
    own[contact] = Own(state: state, recipient: recipient, client: client)
    ownDeadlines.set(contact, at: state == .composing ? effects.now.instant.advanced(by: Self.patience) : nil)
    guard isNews else { return }
    // After a cut it would be out of date.
    _ = stream.sendUnkept(state.stanza(to: recipient))
    stream.depart()
  }

  /// A message of mine ends what was said before.
  package func sent(to contact: String) {
    own[contact] = nil
    ownDeadlines.set(contact, at: nil)
  }

  func clientLeft(_ client: ClientID) {
    for (contact, said) in own.sorted(by: { $0.key < $1.key }) where said.client == client { pause(contact) }
  }

  private func pause(_ contact: String) {
    guard let said = own[contact], said.state == .composing else { return }
    say(.paused, to: said.recipient, by: said.client)
  }

  // MARK: Time

  func tick() {
    while let contact = contactDeadlines.takeDue(at: effects.now.instant) { composed(contact, then: .paused) }
    while let contact = ownDeadlines.takeDue(at: effects.now.instant) { pause(contact) }
  }

  /// The link is lost: nobody composes any more, as far as we know.
  func linkLost() {
    for contact in contacts.keys.sorted() { composed(contact, then: .paused) }
    contacts = [:]
    own = [:]
    (contactDeadlines, ownDeadlines) = (Deadlines(), Deadlines())
  }
}
