import LineProtocol
import XML
import XMPPCore
package import XMPPExtensions
import XMPPStream

/// Publishes our avatar for clients, on the account's nodes (XEP-0084) and, unless the server does that itself, in its
/// card (XEP-0153, XEP-0398).
package final class AvatarPublisher: StreamPart {
  private let requests: Requests
  private let features: ServerFeatures
  private let nodes: PersonalNodes
  private let presence: PresenceSync
  private let avatars: Avatars
  private let effects: Effects
  /// Orders that wait until the server's features are known, and those before them are done.
  private var waiting: [(ticket: Ticket, avatar: Avatar?)] = []
  private var isPublishing = false
  /// Bytes of the longest stanza that the server accepts (XEP-0478).
  private var maximumStanzaBytes = AdvertisedLimits.usual

  init(
    _ requests: Requests, _ features: ServerFeatures, _ nodes: PersonalNodes, _ presence: PresenceSync,
    _ avatars: Avatars, _ effects: Effects
  ) {
    (self.requests, self.features, self.nodes) = (requests, features, nodes)
    (self.presence, self.avatars, self.effects) = (presence, avatars, effects)
  }

  /// Publishes a picture, or that there is none.
  package func publish(_ avatar: Avatar?, for ticket: Ticket) {
    waiting.append((ticket, avatar))
    publishNext()
  }

  func streamBegins(_ stream: NegotiatedStream) {
    maximumStanzaBytes = stream.features.maximumStanzaBytes ?? AdvertisedLimits.usual
  }

  func featuresAreKnown() {
    if let hash = avatars.ownHash { announce(hash) }
    publishNext()
  }

  /// The link is lost: what waits will not be published.
  func linkLost() {
    let orders = waiting
    waiting = []
    for (ticket, _) in orders { effects.answer(ticket, .disconnected) }
  }

  /// Publishes what was ordered next; the last order is what stands at the end.
  private func publishNext() {
    guard !isPublishing, features.isKnown, !waiting.isEmpty else { return }
    let (ticket, avatar) = waiting.removeFirst()
    isPublishing = true
    if let avatar, let failure = tooLarge(avatar) {
      finish(ticket, .failed(failure))
    } else if features.hasNodes {
      publishData(avatar, for: ticket)
    } else if features.hasCards {
      changeCard(avatar, for: ticket)
    } else {
      finish(ticket, .unsupported("the server offers no place for an avatar (XEP-0163, XEP-0054)"))
    }
  }

  /// The failure of a picture whose stanza would end the stream; nil if the server accepts it.
  private func tooLarge(_ avatar: Avatar) -> RequestFailure? {
    let most = AdvertisedLimits.picture(in: maximumStanzaBytes)
    guard avatar.bytes.count > most else { return nil }
    return RequestFailure(
      .tooLarge,
      "the picture has \(avatar.bytes.count) bytes, and the server takes \(most) in one stanza: use a smaller one")
  }

  private func finish(_ ticket: Ticket, _ outcome: TicketOutcome) {
    isPublishing = false
    effects.answer(ticket, outcome)
    publishNext()
  }

  /// Our avatar is another one, by the word of another device.
  func ownAvatarChanged(_ hash: String) { if !isPublishing { announce(hash) } }

  /// Our presences name the photo of our card (XEP-0153, section 4.1), unless the server adds that.
  private func announce(_ hash: String) {
    guard features.hasCards, !features.convertsAvatars, hash != presence.cardPhoto else { return }
    presence.cardPhoto = hash
    presence.announce()
  }

  /// The picture has to be there before anybody hears of it (XEP-0084, section 3.1).
  private func publishData(_ avatar: Avatar?, for ticket: Ticket) {
    guard let avatar else { return publishMetadata(nil, for: ticket) }
    nodes.publish(avatar.hash, on: UserAvatar.dataNode, isOfClient: true) {
      UserAvatar.writeData(avatar, into: &$0)
    } then: { [self] answer in
      if case .result = answer { publishMetadata(avatar, for: ticket) } else { finish(ticket, answer.outcome) }
    }
  }

  private func publishMetadata(_ avatar: Avatar?, for ticket: Ticket) {
    nodes.publish(avatar?.hash, on: UserAvatar.metadataNode, isOfClient: true) {
      UserAvatar.writeMetadata(avatar, into: &$0)
    } then: { [self] answer in
      guard case .result = answer else { return finish(ticket, answer.outcome) }
      if features.hasCards, !features.convertsAvatars { return changeCard(avatar, for: ticket) }
      finish(ticket, .done(avatars.published(avatar, isOnCard: false)))
    }
  }

  /// The card's other fields stay as they are.
  private func changeCard(_ avatar: Avatar?, for ticket: Ticket) {
    requests.ask(isOfClient: true) {
      VCardTemp.request(id: $0)
    } then: { [self] answer in
      switch answer {
      case .result(let card): setCard(card, avatar, for: ticket)
      case .error(let iq) where StanzaError(parsing: iq).condition == "item-not-found":
        setCard(nil, avatar, for: ticket)
      case .error, .missing: finish(ticket, answer.outcome)
      }
    }
  }

  private func setCard(_ card: Element?, _ avatar: Avatar?, for ticket: Ticket) {
    let most = AdvertisedLimits.payload(in: maximumStanzaBytes)
    guard let payload = VCardTemp.changed(card, photo: avatar), payload.count <= most else {
      return finish(ticket, .refused("the vCard with this picture is longer than the server accepts"))
    }
    requests.ask(isOfClient: true) {
      VCardTemp.set(payload, id: $0)
    } then: { [self] answer in
      guard case .result = answer else { return finish(ticket, answer.outcome) }
      announce(avatar?.hash ?? "")
      finish(ticket, .done(avatars.published(avatar, isOnCard: !features.hasNodes)))
    }
  }
}
