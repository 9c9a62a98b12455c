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
  /// Typists whose states are kept: strangers send states, too.
  static let most = 1_000

  /// The recipient of a state.
  package enum Recipient {
    /// A contact, which is sent it if it may see our presence or has sent a state itself.
    case contact(JID)
    /// A room, or one occupant of it, to whom it may be sent.
    case room(JID)
    case occupant(JID)

    fileprivate var jid: JID {
      switch self {
      case .contact(let jid), .room(let jid), .occupant(let jid): jid
      }
    }

    fileprivate var conversation: String {
      if case .contact(let jid) = self { jid.bare.description } else { jid.description }
    }
  }

  private struct Own {
    let state: ChatState
    let recipient: Recipient
    let client: ClientID
  }

  private let account: AccountState
  private let stream: ReliableStream
  private let roster: RosterSync
  private let effects: Effects
  /// The last state of each typist, and the resource that sent it.
  private var others: [Typist: (state: ChatState, from: JID)] = [:]
  /// The states that we sent last, by conversation.
  private var own: [String: Own] = [:]
  private var deadlines = Deadlines<Typist>()
  private var ownDeadlines = Deadlines<String>()

  init(_ stream: ReliableStream, _ roster: RosterSync, _ effects: Effects) {
    (account, self.stream, self.roster, self.effects) = (stream.state, stream, roster, effects)
  }

  var deadline: Instant? { deadlines.next.orEarlier(ownDeadlines.next) }

  // MARK: Others

  /// The state of somebody, and the resource that sent it.
  package func state(of typist: Typist) -> (state: ChatState, from: JID)? { others[typist] }

  /// Somebody sent a state.
  func receive(_ state: ChatState, from: JID, as typist: Typist) {
    guard typist.conversation != account.record.jid, hasSpace(for: typist) else { return }
    set(state, from, of: typist)
  }

  /// A message ends `composing`.
  func received(_ message: MessageRecord) {
    guard !others.isEmpty, !message.isMine else { return }
    if message.isOfRoom, case .occupant(let occupant) = message.author {
      composed(Typist(message.jid, nick: occupant.nick), then: .active)
    } else {
      composed(Typist(message.jid), then: .active)
    }
  }

  /// So does going offline.
  func receive(presence element: Element, own: JID) {
    guard !others.isEmpty, let presence = Presence(element), presence.kind == .unavailable, let from = presence.from
    else { return }
    let contact = Typist(from.bare.description)
    if others[contact]?.from == from { composed(contact, then: .gone) }
  }

  /// An occupant has left a room, and does not type any more; nil: all have.
  func left(_ room: String, _ nick: String? = nil) {
    guard !others.isEmpty else { return }
    let gone = others.keys.filter { typist in
      let inPrivate = typist.conversation.hasPrefix(room + "/")
      guard let nick else { return typist.conversation == room || inPrivate }
      return typist == Typist(room, nick: nick) || typist == Typist(room + "/" + nick)
    }
    for typist in gone.sorted() {
      composed(typist, then: .gone)
      others[typist] = nil
    }
  }

  /// Somebody does not compose any more.
  private func composed(_ typist: Typist, then state: ChatState) {
    guard let known = others[typist], known.state == .composing else { return }
    set(state, known.from, of: typist)
  }

  private func set(_ state: ChatState, _ from: JID, of typist: Typist) {
    others[typist] = (state, from)
    deadlines.set(typist, at: state == .composing ? effects.now.instant.advanced(by: Self.patience) : nil)
    effects.publish(.typing(account: account.number, typist))
  }

  /// When there are too many, those that do not compose are forgotten.
  private func hasSpace(for typist: Typist) -> Bool {
    guard others[typist] == nil, others.count >= Self.most else { return true }
    others = others.filter { $0.value.state == .composing }
    return others.count < Self.most
  }

  // MARK: Our clients

  /// A client says what it is doing. Sent to those who may see our presence or have sent a state themselves, and not
  /// twice in a row (sections 5.1 and 5.3). Rooms are not told that we are `gone` (section 5.5).
  package func say(_ state: ChatState, to recipient: Recipient, by client: ClientID) {
    let conversation = recipient.conversation
    if case .contact = recipient {
      guard roster.seesPresence(conversation) || others[Typist(conversation)] != nil else { return }
    }
    let isNews = own[conversation]?.state != state
    own[conversation] = Own(state: state, recipient: recipient, client: client)
    ownDeadlines.set(conversation, at: state == .composing ? effects.now.instant.advanced(by: Self.patience) : nil)
    guard isNews, let stanza = recipient.stanza(state) else { return }
    // After a cut it would be out of date.
    _ = stream.sendUnkept(stanza)
    stream.depart()
  }

  /// A message of mine ends what was said before.
  package func sent(to conversation: String) {
    own[conversation] = nil
    ownDeadlines.set(conversation, at: nil)
  }

  func clientLeft(_ client: ClientID) {
    for (conversation, said) in own.sorted(by: { $0.key < $1.key }) where said.client == client { pause(conversation) }
  }

  private func pause(_ conversation: String) {
    guard let said = own[conversation], said.state == .composing else { return }
    say(.paused, to: said.recipient, by: said.client)
  }

  // MARK: Time

  func tick() {
    while let typist = deadlines.takeDue(at: effects.now.instant) { composed(typist, then: .paused) }
    while let conversation = ownDeadlines.takeDue(at: effects.now.instant) { pause(conversation) }
  }

  /// The link is lost: nobody composes any more, as far as we know.
  func linkLost() {
    for typist in others.keys.sorted() { composed(typist, then: .paused) }
    others = [:]
    own = [:]
    (deadlines, ownDeadlines) = (Deadlines(), Deadlines())
  }
}

extension ChatStates.Recipient {
  fileprivate func stanza(_ state: ChatState) -> [UInt8]? {
    switch self {
    case .contact(let jid): state.stanza(to: jid)
    case .room(let jid): state == .gone ? nil : state.stanza(to: jid, type: "groupchat")
    case .occupant(let jid): state.stanza(to: jid, beside: MultiUserChat.privateMark)
    }
  }
}
