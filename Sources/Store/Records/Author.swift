/// The author of a message, or of a change of one, as its conversation sees it. Rules that follow from it are here
/// alone.
public enum Author: Hashable, Sendable {
  /// I did, on this device.
  case thisDevice
  /// I did, on another device of mine; what was imported as mine counts as such.
  case otherDevice
  /// The contact whose conversation it is.
  case contact

  public var isMe: Bool { self != .contact }

  /// True if both are one person, on whichever devices. Only the person who wrote a message may correct or retract it.
  public func isSame(as other: Author) -> Bool { isMe == other.isMe }
}

extension MessageRecord {
  /// Its author. `thisDevice` alone puts it into the outbox.
  public var author: Author {
    get { box[0].flags.author }
    set { box[0].flags.author = newValue }
  }

  /// True if both are in one conversation and by the same person.
  public func isByAuthor(of other: MessageRecord) -> Bool { jid == other.jid && author.isSame(as: other.author) }

  /// True if this message, received from the server, may be a copy of `other` as far as the senders tell: the resource
  /// counts, but a message sent from here has none.
  public func hasSender(of other: MessageRecord) -> Bool {
    isByAuthor(of: other) && (other.author == .thisDevice || peer == other.peer)
  }

  /// Another of my devices sent it to this account. Archives have it twice, as sent and as received.
  public var isNoteToSelf: Bool { author == .otherDevice && jid == Self.bare(peer) }
}

extension MessageView {
  public var author: Author { flags.author }
}

extension MessageRecord.Flags {
  public var author: Author {
    get { contains(.mine) ? contains(.elsewhere) ? .otherDevice : .thisDevice : .contact }
    set {
      set(.mine, newValue.isMe)
      set(.elsewhere, newValue == .otherDevice)
    }
  }
}

extension MessageChange {
  /// The author of the last change. The device is not kept.
  public var author: Author {
    get { isMine ? .otherDevice : .contact }
    set { isMine = newValue.isMe }
  }
}

extension MessageChange.Reactions {
  /// The author of the reactions. The device is not kept.
  public var author: Author {
    get { isMine ? .otherDevice : .contact }
    set { isMine = newValue.isMe }
  }
}
