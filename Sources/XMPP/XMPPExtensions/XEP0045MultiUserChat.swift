package import Clocks
package import XML
package import XMPPCore

/// The rights of an occupant while being in a room (XEP-0045, section 5.1).
package enum Role: String, Sendable, CaseIterable { case moderator, participant, visitor, none }

/// The lasting rights of an account in a room (section 5.2).
package enum Affiliation: String, Sendable, CaseIterable { case owner, admin, member, none, outcast }

/// The codes of what a room reports (section 15.6.2).
package enum RoomStatus {
  package static let nonAnonymous: UInt16 = 100
  package static let affiliationChanged: UInt16 = 101
  package static let configurationChanged: UInt16 = 104
  package static let ownPresence: UInt16 = 110
  package static let loggingOn: UInt16 = 170
  package static let loggingOff: UInt16 = 171
  package static let nowNonAnonymous: UInt16 = 172
  package static let nowSemiAnonymous: UInt16 = 173
  package static let created: UInt16 = 201
  package static let nickAssigned: UInt16 = 210
  package static let banned: UInt16 = 301
  package static let nickChanged: UInt16 = 303
  package static let kicked: UInt16 = 307
  package static let affiliationLost: UInt16 = 321
  package static let membersOnly: UInt16 = 322
  package static let shutdown: UInt16 = 332
  package static let error: UInt16 = 333
}

/// XEP-0045: being in a room, and its topic. `RoomPresence` is what a room says of its occupants, `RoomNotice`,
/// `RoomInvitation` and `VoiceRequest` are its other messages, `RoomAdministration` and `RoomConfiguration` run it,
/// `RoomInfo` describes it, `RoomListing` is what a service has.
package enum MultiUserChat {
  package static let namespace: StaticString = "http://jabber.org/protocol/muc"
  package static let user: StaticString = "http://jabber.org/protocol/muc#user"
  package static let admin: StaticString = "http://jabber.org/protocol/muc#admin"
  package static let owner: StaticString = "http://jabber.org/protocol/muc#owner"

  /// The most scalars that are kept of a reason, a status text or another text for people.
  package static let longestText = 1_000

  /// The earlier messages that a room sends to somebody who enters it (section 7.2.14).
  package enum History: Sendable, Equatable {
    /// The room decides.
    case standard
    /// So many of the newest.
    case last(Int)
    case since(Timestamp)
    /// Those since a time, at most so many.
    case lastSince(Int, Timestamp)

    fileprivate func write(into writer: inout XMLWriter) {
      let (most, since): (Int?, Timestamp?) =
        switch self {
        case .standard: (nil, nil)
        case .last(let count): (count, nil)
        case .since(let time): (nil, time)
        case .lastSince(let count, let time): (count, time)
        }
      guard most != nil || since != nil else { return }
      writer.empty("history", attributes: ["maxstanzas": most.map { "\($0)" }, "since": since?.rfc3339])
    }
  }

  // MARK: Presence

  /// Enters a room, or, for an occupant, has the room send all of its occupants again (section 7.2).
  ///
  /// - Parameters:
  ///   - occupant: the room with our nick as the resource.
  ///   - payload: writes what else stands in the presence, such as capabilities.
  package static func join(
    _ occupant: JID, password: String? = nil, history: History = .last(0), show: Presence.Show? = nil,
    status: String? = nil, id: String, _ payload: (inout XMLWriter) -> Void = { _ in }
  ) -> [UInt8] {
    update(occupant, show: show, status: status, id: id) { writer in
      writer.open("x", xmlns: namespace)
      history.write(into: &writer)
      if let password { writer.element("password", text: password) }
      writer.close()
      payload(&writer)
    }
  }

  /// Changes our availability, if `occupant` is what we are, or our nick to its resource (sections 7.6 and 7.7). A server
  /// takes it for a join if we are not there (ejabberd 23.01).
  package static func update(
    _ occupant: JID, show: Presence.Show? = nil, status: String? = nil, id: String,
    _ payload: (inout XMLWriter) -> Void = { _ in }
  ) -> [UInt8] {
    Presence(to: occupant, show: show, status: status).serialized(id: id, payload)
  }

  /// Leaves a room (section 7.14).
  package static func leave(_ occupant: JID, status: String? = nil, id: String) -> [UInt8] {
    Presence(.unavailable, to: occupant, status: status).serialized(id: id)
  }

  /// The element of a private message to an occupant (section 7.5).
  package static let privateMark = Array("<x xmlns='http://jabber.org/protocol/muc#user'/>".utf8)

  /// True if a message from or to an address with a resource is between occupants of a room in private (section 7.5):
  /// services mark each such message. An invitation and what declines one have the element, too.
  package static func isPrivate(_ message: Element) -> Bool {
    guard let mark = message.onlyChild("x", user) else { return false }
    return mark.child("invite", user) == nil && mark.child("decline", user) == nil
  }

  // MARK: Topic

  /// The new topic, empty if there is none any more, of a message that changes it: one with a subject and without a body
  /// (section 8.1). Nil: it does not.
  package static func subject(in message: Element) -> String? {
    guard message.child(.body, .client) == nil else { return nil }
    let subjects = message.children("subject", Namespace.client).map(\.text)
    return subjects.first { !$0.isEmpty } ?? subjects.first
  }

  /// Changes the topic; an empty one takes it away.
  package static func setSubject(of room: JID, to text: String, id: String) -> [UInt8] {
    message(to: room, type: "groupchat", id: id) { $0.element("subject", text: text) }
  }

  // MARK: Addresses

  /// Returns the address that a room has now, as an error says it (RFC 6120, section 8.3.3.5; XEP-0045, section 7.2).
  package static func movedTo(_ stanza: Element) -> JID? {
    let gone = stanza.child("error", Namespace.client)?.child("gone", Namespace.stanzaErrors)
    return gone.flatMap { RoomAddress($0.text)?.room }
  }

  private static let reservedNickNode = "x-roomuser-item"

  /// Asks a room for the nick that is reserved for us (section 7.12).
  package static func requestReservedNick(in room: JID, id: String) -> [UInt8] {
    ServiceDiscovery.infoRequest(to: room, node: reservedNickNode, id: id)
  }

  /// The nick in the answer; nil: there is none.
  package static func reservedNick(in iq: Element) -> String? {
    guard let info = DiscoInfo(iq), info.node == reservedNickNode else { return nil }
    return info.identities.lazy.compactMap { nick($0.name) }.first
  }

  // MARK: Parts

  /// A nick that a stanza names; nil if it cannot be the resource of an address.
  static func nick(_ text: String?) -> String? {
    guard let text, (1...JID.longestPart).contains(text.utf8.count) else { return nil }
    return text
  }

  static func message(to jid: JID, type: String? = nil, id: String, _ payload: IQ.Payload) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("message", attributes: ["to": jid.description, "type": type, "id": id])
    payload(&writer)
    writer.close()
    return writer.bytes
  }
}

/// One session of an occupant, or one entry of a room's list (sections 7.2 and 9.5).
package struct RoomItem: Sendable, Equatable {
  /// The moderator or admin who did it: a nick, or an address if the room shows it.
  package struct Actor: Sendable, Equatable {
    package var nick: String?
    package var jid: JID?

    package init(nick: String? = nil, jid: JID? = nil) { (self.nick, self.jid) = (nick, jid) }
  }

  package var affiliation: Affiliation?
  package var role: Role?
  package var jid: JID?
  /// A reserved nick, or the one that it is changed to.
  package var nick: String?
  package var actor: Actor?
  package var reason: String?

  package init(
    affiliation: Affiliation? = nil, role: Role? = nil, jid: JID? = nil, nick: String? = nil, actor: Actor? = nil,
    reason: String? = nil
  ) {
    (self.affiliation, self.role, self.jid, self.nick) = (affiliation, role, jid, nick)
    (self.actor, self.reason) = (actor, reason)
  }

  /// Reads an `<item/>`. What is no such thing counts as not said.
  init(_ item: Element, in namespace: StaticString) {
    affiliation = item.attribute("affiliation").flatMap(Affiliation.init)
    role = item.attribute("role").flatMap(Role.init)
    jid = item.jid("jid")
    nick = MultiUserChat.nick(item.attribute("nick"))
    reason = item.child("reason", namespace)?.boundedText
    if let actor = item.child("actor", namespace) {
      self.actor = Actor(nick: MultiUserChat.nick(actor.attribute("nick")), jid: actor.jid("jid"))
    }
  }
}

extension Element {
  /// The only child of that name; nil: there is none, or several.
  func onlyChild(_ local: StaticString, _ namespace: StaticString) -> Element? {
    onlyChild { $0.isNamed(local, namespace) }
  }

  /// The only child that fits; nil: there is none, or several.
  func onlyChild(where fits: (Element) -> Bool) -> Element? {
    var found: Element?
    for child in children where fits(child) {
      guard found == nil else { return nil }
      found = child
    }
    return found
  }

  /// The address that an attribute holds.
  func jid(_ attribute: StaticString) -> JID? { self.attribute(attribute).flatMap { try? JID($0) } }

  /// The text for people, cut to `MultiUserChat.longestText`; nil if it is empty.
  var boundedText: String? { Self.bounded(text) }

  static func bounded(_ text: String) -> String? {
    text.isEmpty ? nil : String(text.unicodeScalars.prefix(MultiUserChat.longestText))
  }
}
