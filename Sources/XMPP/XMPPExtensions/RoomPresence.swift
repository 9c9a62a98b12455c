package import XML
package import XMPPCore

/// A presence from a room (XEP-0045): of an occupant, of the room itself, or an error.
package struct RoomPresence: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case available
    case unavailable
    /// The room refuses a join, or a change of a nick: of the nick in the presence's `from`.
    case error(StanzaError, movedTo: JID?)
  }

  /// The end of a room (section 10.9).
  package struct Destruction: Sendable, Equatable {
    /// The room where its occupants are to go.
    package var movedTo: JID?
    package var reason: String?
    package var password: String?

    package init(movedTo: JID? = nil, reason: String? = nil, password: String? = nil) {
      (self.movedTo, self.reason, self.password) = (movedTo, reason, password)
    }
  }

  package let from: JID
  package let kind: Kind
  package let id: String?
  /// True if exactly one element of the room describes an occupant. A room has only one; with several, one is forged, and
  /// neither counts.
  package let isOccupant: Bool
  /// Several if sessions of one person share the nick.
  package private(set) var items: [RoomItem] = []
  package private(set) var statuses: Set<UInt16> = []
  package private(set) var destruction: Destruction?
  package let show: Presence.Show?
  /// The occupant's text, or, in an unavailable presence, the service's.
  package let status: String?
  /// XEP-0421; believed only of a room that announces it.
  package let occupantID: String?
  /// XEP-0317; believed only of a room that announces it.
  package let hats: [Hat]
  /// XEP-0153: empty if there is no picture, nil if nothing is said.
  package let avatarHash: String?
  package let capabilities: EntityCapabilities?

  package var room: JID { from.bare }
  /// Nil: the presence is of the room itself.
  package var nick: String? { from.resource }
  package var isAvailable: Bool { kind == .available }
  /// True if the presence is of ourselves (code 110).
  package var isOwn: Bool { statuses.contains(RoomStatus.ownPresence) }

  /// Items, and codes, that one presence may have; further ones are passed over.
  static let mostParts = 64

  /// Nil: the element is no presence, has no address in `from`, or is about a subscription.
  package init?(_ element: Element) {
    guard element.isNamed(.presence, .client), let kind = Kind(element), let from = element.jid("from") else {
      return nil
    }
    (self.kind, self.from, id) = (kind, from, element.attribute("id"))
    show = element.child("show", Namespace.client).flatMap { Presence.Show(rawValue: $0.text) }
    status = element.child("status", Namespace.client)?.boundedText
    occupantID = OccupantID.of(element)
    hats = Hat.all(in: element)
    avatarHash = VCardAvatarUpdate.hash(in: element)
    capabilities = EntityCapabilities(in: element)
    let user = element.onlyChild("x", MultiUserChat.user)
    isOccupant = user != nil
    if let user { read(user) }
  }

  private mutating func read(_ user: Element) {
    items = user.children("item", MultiUserChat.user).prefix(Self.mostParts).map {
      RoomItem($0, in: MultiUserChat.user)
    }
    statuses = Self.statuses(in: user)
    destruction = user.child("destroy", MultiUserChat.user).map(Destruction.init)
  }

  /// The codes in an element of the room: numbers of three digits.
  static func statuses(in user: Element) -> Set<UInt16> {
    var codes: Set<UInt16> = []
    for status in user.children("status", MultiUserChat.user).prefix(mostParts) {
      guard let text = status.attribute("code"), text.utf8.count == 3, text.utf8.allSatisfy(isDigit),
        let code = UInt16(text), code >= 100
      else { continue }
      codes.insert(code)
    }
    return codes
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension RoomPresence.Kind {
  fileprivate init?(_ presence: Element) {
    switch presence.attribute("type") {
    case nil: self = .available
    case "unavailable": self = .unavailable
    case "error": self = .error(StanzaError(parsing: presence), movedTo: MultiUserChat.movedTo(presence))
    default: return nil
    }
  }
}

extension RoomPresence.Destruction {
  fileprivate init(_ destroy: Element) {
    movedTo = destroy.jid("jid")?.bare
    reason = destroy.child("reason", MultiUserChat.user)?.boundedText
    password = destroy.child("password", MultiUserChat.user)?.text
  }
}

// MARK: - Leaving

extension RoomPresence {
  /// The reason why somebody has left a room.
  package enum Departure: Sendable, Equatable {
    /// The occupant is still there, with another nick.
    case nickChange(to: String)
    case destroyed(Destruction)
    case banned(by: RoomItem.Actor?, reason: String?)
    case affiliationLost(by: RoomItem.Actor?, reason: String?)
    /// The room is for members only from now on.
    case membersOnly(by: RoomItem.Actor?, reason: String?)
    case kicked(by: RoomItem.Actor?, reason: String?)
    /// The service is shutting down; its text.
    case shutdown(String?)
    /// The service removed the occupant because of an error; its text.
    case disconnected(String?)
    /// The occupant left, with this text, or the service gives no code.
    case left(String?)

    /// True if a person decided it: joining again must not undo it.
    package var isFinal: Bool {
      switch self {
      case .destroyed, .banned, .affiliationLost, .membersOnly, .kicked: true
      case .nickChange, .shutdown, .disconnected, .left: false
      }
    }
  }

  /// The reason of an occupant's unavailable presence; nil of another presence, and of the room's own. Of codes that contradict each other the first in this
  /// order counts; a kick with the code of an error is none.
  package var departure: Departure? {
    guard kind == .unavailable, nick != nil else { return nil }
    if statuses.contains(RoomStatus.nickChanged), let nick = newNick { return .nickChange(to: nick) }
    if let destruction { return .destroyed(destruction) }
    let (actor, reason) = (items.lazy.compactMap(\.actor).first, items.lazy.compactMap(\.reason).first)
    if statuses.contains(RoomStatus.banned) { return .banned(by: actor, reason: reason) }
    if statuses.contains(RoomStatus.affiliationLost) { return .affiliationLost(by: actor, reason: reason) }
    if statuses.contains(RoomStatus.membersOnly) { return .membersOnly(by: actor, reason: reason) }
    let isLost = statuses.contains(RoomStatus.error)
    if statuses.contains(RoomStatus.kicked), !isLost { return .kicked(by: actor, reason: reason) }
    if statuses.contains(RoomStatus.shutdown) { return .shutdown(status) }
    return isLost ? .disconnected(status) : .left(status)
  }

  /// The new nick, as the resource that it will be.
  private var newNick: String? {
    items.lazy.compactMap { [from] in $0.nick.flatMap { try? from.with(resource: $0) }?.resource }.first
  }
}
