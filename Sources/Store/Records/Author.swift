/// The author of a message, or of a change of one, as its conversation sees it. The rules of "who said it" are here
/// alone: whether two messages have one author, who may change a message, and whose copy a message may be.
public enum Author: Hashable, Sendable {
  /// I did, on this device.
  case thisDevice
  /// I did, on another device of mine; what was imported as mine counts as such.
  case otherDevice
  /// The person whose conversation it is.
  case person
  /// An occupant of the room, or of the room that a private conversation is held in.
  case occupant(Occupant)

  public var isMe: Bool {
    switch self {
    case .thisDevice, .otherDevice: true
    case .person, .occupant: false
    }
  }

  fileprivate var occupant: Occupant? { if case .occupant(let occupant) = self { occupant } else { nil } }

  /// True if both are one person, on whichever devices. Only the person who wrote a message may correct or retract it.
  public func isSame(as other: Author) -> Bool {
    switch (self, other) {
    case (.occupant(let one), .occupant(let other)): one.isSame(as: other)
    case (.occupant, _), (_, .occupant): false
    default: isMe == other.isMe
    }
  }

  /// True if a message by it may be a copy of one by `other`. Of an occupant without an announced id a copy has the
  /// same nick, whenever it was fetched.
  public func mayBeCopied(from other: Author) -> Bool {
    guard case .occupant(let one) = self, case .occupant(let other) = other else { return isSame(as: other) }
    return one.mayBeCopied(from: other)
  }
}

/// An occupant of a room (XEP-0045), as far as what the room shows of it tells it from others.
public struct Occupant: Hashable, Sendable {
  /// The resource of its JID in the room.
  public var nick: String
  /// The id that the room vouches for (XEP-0421); nil where it announces none.
  public var id: String?
  /// Its unbroken presence under the nick, by a random number of 48 bits; 0: nothing is known of it, as of what comes
  /// out of an archive.
  public var presence: UInt64

  public init(nick: String, id: String? = nil, presence: UInt64 = 0) {
    (self.nick, self.id, self.presence) = (nick, id, presence)
  }

  /// True if both are one person: by the room's word, else by one presence under one nick. A nick alone proves nothing.
  public func isSame(as other: Occupant) -> Bool {
    if let id, let otherID = other.id { return id == otherID }
    return presence != 0 && presence == other.presence && nick == other.nick
  }

  fileprivate func mayBeCopied(from other: Occupant) -> Bool {
    if let id, let otherID = other.id { return id == otherID }
    return nick == other.nick
  }
}

extension MessageRecord {
  /// Its author. `thisDevice` alone puts it into the outbox.
  public var author: Author {
    get {
      let flags = box[0].flags
      if flags.isMine { return flags.isFromHere ? .thisDevice : .otherDevice }
      return flags.isDisjoint(with: [.room, .inPrivate]) ? .person : .occupant(sendingOccupant)
    }
    set {
      box[0].flags.subtract([.mine, .elsewhere])
      switch newValue {
      case .thisDevice: box[0].flags.insert(.mine)
      case .otherDevice: box[0].flags.formUnion([.mine, .elsewhere])
      case .person: break
      case .occupant(let occupant): take(occupant)
      }
    }
  }

  private mutating func take(_ occupant: Occupant) {
    box[0].flags.insert(.room)
    (box[0].occupantID, box[0].occupantPresence) = (occupant.id, occupant.presence)
  }

  private var sendingOccupant: Occupant {
    Occupant(nick: Self.resource(of: peer), id: occupantID, presence: occupantPresence)
  }

  /// True if both are in one conversation, and this one may be a copy of the other as far as the authors tell.
  public func isByAuthor(of other: MessageRecord) -> Bool {
    jid == other.jid && (author.mayBeCopied(from: other.author) || isUnderNick(of: other))
  }

  /// True if one of both was mine when it came, by the nick alone, and the other has that nick and no id: what a room shows
  /// of the past tells no more.
  private func isUnderNick(of other: MessageRecord) -> Bool {
    guard isOfRoom, other.isOfRoom, isMine != other.isMine, peer == other.peer else { return false }
    return author.occupant?.id == nil && other.author.occupant?.id == nil
  }

  /// True if this message, received from the server, may be a copy of `other` as far as the senders tell: the resource
  /// counts, but a message sent from here has none, and neither has one of mine in a room that was imported.
  public func hasSender(of other: MessageRecord) -> Bool {
    guard isByAuthor(of: other) else { return false }
    return other.isFromHere || peer == other.peer || isOfRoom && isMine && other.isMine
  }

  /// True if this message, whose sender says when it was written, may be `other` once more, as far as the senders tell: a
  /// room that was made anew gives its occupants other ids, and they have their nicks.
  public func mayRepeat(_ other: MessageRecord) -> Bool {
    claimedTime != nil && kind != .person && jid == other.jid && peer == other.peer
  }

  /// Another of my devices sent it to this account. Archives have it twice, as sent and as received.
  public var isNoteToSelf: Bool { box[0].flags.isFromElsewhere && kind == .person && jid == Self.bare(peer) }
}

extension MessageRecord.Flags {
  package var isMine: Bool { contains(.mine) }
  package var isFromHere: Bool { contains(.mine) && !contains(.elsewhere) }
  package var isFromElsewhere: Bool { contains(.mine) && contains(.elsewhere) }
}

extension MessageChange {
  /// The author of the last change. The device is not kept.
  public var author: Author {
    get { isMine ? .otherDevice : occupant.map { .occupant($0) } ?? .person }
    set { (isMine, occupant) = (newValue.isMe, newValue.occupant) }
  }
}

extension MessageChange.Reactions {
  /// The author of the reactions. The device is not kept.
  public var author: Author {
    get { isMine ? .otherDevice : occupant.map { .occupant($0) } ?? .person }
    set { (isMine, occupant) = (newValue.isMe, newValue.occupant) }
  }
}
