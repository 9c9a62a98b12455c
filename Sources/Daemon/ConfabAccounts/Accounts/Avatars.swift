import Bytes
import Clocks
package import LineProtocol
import Records
import State
import XML
package import XMPPCore
import XMPPExtensions

/// Knows which avatar the account and its contacts have, and gives their pictures to clients (XEP-0084, XEP-0153).
/// A picture is fetched when it is first asked for; those of strangers are asked for each time, and nothing of them is
/// kept but the picture.
package final class Avatars: PersonalNodePart {
  private let own: JID
  private let state: AccountState
  private let roster: RosterSync
  private let requests: Requests
  private let nodes: PersonalNodes
  private let effects: Effects
  private let storage: Storage
  /// The clients that wait for what is being fetched, by the owner's bare JID.
  private var waiting: [JID: [Ticket]] = [:]
  /// Is called when our own avatar is another one, with its hash; empty: there is none.
  var ownAvatarChanged: (String) -> Void = { _ in }
  /// Changes of each contact that are noted.
  private var limits: [JID: RateLimiter] = [:]

  init(
    of own: JID, _ state: AccountState, _ roster: RosterSync, _ requests: Requests, _ nodes: PersonalNodes,
    _ effects: Effects, _ storage: Storage
  ) {
    (self.own, self.state, self.roster, self.requests, self.nodes) = (own, state, roster, requests, nodes)
    (self.effects, self.storage) = (effects, storage)
  }

  // MARK: Which there is

  var node: String { UserAvatar.metadataNode }

  /// The metadata node of a contact, or our own, changed.
  func receive(_ event: PersonalEvent, of owner: JID) {
    let isGone = event.isEmptied || event.retracted.contains { $0 == known(owner)?.hash }
    guard let hash = event.items.last.flatMap(UserAvatar.hash) ?? (isGone ? "" : nil) else { return }
    note(hash, of: owner)
    if owner == own { ownAvatarChanged(hash) }
  }

  /// Notes the photo hash of the sender's vCard from a presence. An avatar on a node takes precedence.
  func receive(presence: Element, own bound: JID) {
    guard let hash = VCardAvatarUpdate.hash(in: presence), let said = Presence(presence),
      said.kind == .available, said.from != bound, let from = said.from?.bare
    else { return }
    let known = known(from)
    if let known, !known.isOnCard, !known.hash.isEmpty { return }
    if hash.isEmpty, known?.isOnCard != true { return }
    note(hash, of: from, isOnCard: true)
  }

  /// The hash of our own; empty: we have none. Nil: that is not known.
  var ownHash: String? { known(own)?.hash }

  private func known(_ owner: JID) -> (hash: String, isOnCard: Bool)? {
    state.contacts.avatars[owner.description].map { (Hex.encode($0.hash), $0.isOnCard) }
  }

  /// - Returns: the record's number; nil if there is nothing to note.
  @discardableResult
  private func note(_ hash: String, of owner: JID, isOnCard: Bool = false) -> UInt64? {
    guard owner == own || roster.has(owner.description) else { return nil }
    let record = AvatarRecord(
      account: state.number, jid: owner.description, hash: Hex.decode(hash) ?? [], isOnCard: isOnCard)
    guard state.contacts.avatars[record.jid] != record else { return nil }
    guard limits[owner, default: RateLimiter(of: 60, each: .hours(1))].take(1, at: effects.now.instant) else {
      return nil
    }
    return storage.append(.avatar(record))
  }

  /// We have published this picture, or none.
  ///
  /// - Returns: the number of the record; 0 if there is none.
  func published(_ avatar: Avatar?, isOnCard: Bool) -> UInt64 {
    if let avatar { effects.order(.keepAvatar(avatar)) }
    return note(avatar?.hash ?? "", of: own, isOnCard: isOnCard) ?? 0
  }

  // MARK: Giving

  /// Gives a picture to a client.
  ///
  /// - Parameter obstacle: why nothing can be fetched now; nil: it can.
  package func give(of owner: JID, for ticket: Ticket, unless obstacle: RequestFailure?) {
    guard let known = known(owner) else { return fetch(owner, for: ticket, unless: obstacle) }
    guard !known.hash.isEmpty else { return refuse([ticket], Self.nothing(of: owner)) }
    open(known.hash, for: ticket) { [self] in fetch(owner, for: ticket, unless: obstacle) }
  }

  private func open(_ hash: String, for ticket: Ticket, orElse: @escaping () -> Void) {
    effects.order(.openAvatar(hash: hash, for: ticket.client)) { [self] outcome in
      switch outcome {
      case .avatar(let avatar): effects.answer(ticket, .avatar(avatar))
      case .tooMany:
        refuse(
          [ticket],
          RequestFailure(.limit, "too many files are open for clients that have not read the answers with them"))
      case .failed(let words): refuse([ticket], RequestFailure(.storage, words))
      default: orElse()
      }
    }
  }

  private func refuse(_ tickets: [Ticket], _ failure: RequestFailure) {
    for ticket in tickets { effects.answer(ticket, .failed(failure)) }
  }

  private static func nothing(of owner: JID) -> RequestFailure {
    RequestFailure(.notFound, "\(owner) has no avatar that can be shown")
  }

  // MARK: Fetching

  private func fetch(_ owner: JID, for ticket: Ticket, unless obstacle: RequestFailure?) {
    if let obstacle { return refuse([ticket], obstacle) }
    waiting[owner, default: []].append(ticket)
    guard waiting[owner]?.count == 1 else { return }
    switch known(owner) {
    case (let hash, false)? where !hash.isEmpty: fetch(hash, of: owner)
    case (let hash, true)?: fetchFromCard(of: owner, expecting: hash)
    default: fetchMetadata(of: owner)
    }
  }

  /// The recipient of a request; nil, as requests have it, for our own account.
  private func recipient(_ owner: JID) -> JID? { owner == own ? nil : owner }

  private func fetchMetadata(of owner: JID) {
    nodes.requestItems(
      of: UserAvatar.metadataNode, at: recipient(owner), mostRecent: 1, isOfClient: true
    ) { [self] answer in
      guard case .result(let iq) = answer,
        let hash = PubSub.items(in: iq, of: UserAvatar.metadataNode)?.last.flatMap(UserAvatar.hash)
      else {
        return without(answer, owner) { fetchFromCard(of: owner) }
      }
      note(hash, of: owner)
      if hash.isEmpty { finish(owner, nil) } else { fetch(hash, of: owner) }
    }
  }

  private func fetch(_ hash: String, of owner: JID) {
    nodes.requestItems(
      of: UserAvatar.dataNode, at: recipient(owner), itemID: hash, isOfClient: true
    ) { [self] answer in
      guard case .result(let iq) = answer, let items = PubSub.items(in: iq, of: UserAvatar.dataNode), !items.isEmpty
      else {
        return without(answer, owner) { fetchFromCard(of: owner, expecting: hash) }
      }
      finish(owner, items.lazy.compactMap(UserAvatar.avatar).first { $0.hash == hash })
    }
  }

  /// - Parameter hash: nil: whatever there is.
  private func fetchFromCard(of owner: JID, expecting hash: String? = nil) {
    requests.ask(recipient(owner), isOfClient: true) {
      VCardTemp.request(of: recipient(owner), id: $0)
    } then: { [self] answer in
      guard case .result(let iq) = answer else {
        return without(answer, owner) { finish(owner, nil) }
      }
      let photo = VCardTemp.photo(in: iq).flatMap { hash == nil || $0.hash == hash ? $0 : nil }
      if hash == nil, let photo { note(photo.hash, of: owner, isOnCard: true) }
      finish(owner, photo)
    }
  }

  /// Goes on another way after an answer in which it is not, unless there was no answer, or nobody who could give one.
  private func without(_ answer: IQAnswer, _ owner: JID, _ goOn: () -> Void) {
    switch answer {
    case .missing: fail(owner, answer.outcome)
    case .error(let iq) where StanzaError(parsing: iq).condition.hasPrefix("remote-server-"):
      fail(owner, answer.outcome)
    case .error, .result: goOn()
    }
  }

  private func fail(_ owner: JID, _ outcome: TicketOutcome) {
    for ticket in waiting.removeValue(forKey: owner) ?? [] { effects.answer(ticket, outcome) }
  }

  private func finish(_ owner: JID, _ avatar: Avatar?) {
    let tickets = waiting.removeValue(forKey: owner) ?? []
    guard let avatar else { return refuse(tickets, Self.nothing(of: owner)) }
    effects.order(.keepAvatar(avatar))
    for ticket in tickets {
      open(avatar.hash, for: ticket) { [self] in
        refuse([ticket], RequestFailure(.storage, "the picture could not be kept"))
      }
    }
  }
}
