import Clocks
import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// The occupants of a room, as far as they send messages.
protocol RoomSenders: AnyObject {
  /// The author of a message in the room.
  ///
  /// - Parameters:
  ///   - sender: the occupant's address in the room.
  ///   - isPast: the message was sent earlier, perhaps by somebody else who had the nick then.
  func author(of message: Element, _ parts: MessageParts, from sender: SenderCache.Sender, isPast: Bool) -> Author

  /// The bare JID of who sent a message; nil: the room does not show it.
  func sender(of message: Element, _ parts: MessageParts, from sender: SenderCache.Sender, isPast: Bool) -> JID?

  /// True if a message names me, by its text or by a mark.
  ///
  /// - Parameter message: nil if nothing in it can be a mark.
  func isMention(_ text: String, in message: Element?) -> Bool

  /// True if its author was ignored.
  func isIgnored(_ author: Author, isPast: Bool) -> Bool

  /// Takes what an occupant says of messages, or of himself, to all.
  func take(_ signal: MessageSignal, by author: Author, in signals: IncomingSignals)

  /// True while the room may say what was said before I joined.
  var saysHistory: Bool { get }

  /// True between my presence and the subject, where the room stamps what it says. Before, an occupant's own stamp
  /// could come.
  var stampsHistory: Bool { get }
}

/// Addresses that an account knows, as far as they decide what a message is.
protocol KnownAddresses {
  /// True of the bare JID of a room.
  func isRoom(_ jid: String) -> Bool
  /// True of the bare JID of a room that drops forged ids of occupants.
  func vouchesForIDs(_ jid: String) -> Bool
  /// True of the bare JID of somebody on the roster.
  func isContact(_ jid: String) -> Bool
}

/// The addresses of the rooms and of the roster.
private struct AccountAddresses: KnownAddresses {
  let rooms: AccountState
  let roster: RosterSync

  func isRoom(_ jid: String) -> Bool { rooms.rooms.has(jid) }
  func vouchesForIDs(_ jid: String) -> Bool { rooms.rooms[jid]?.info?.has(.occupantIDs) == true }
  func isContact(_ jid: String) -> Bool { roster.has(jid) }
}

/// None are known.
struct NoAddresses: KnownAddresses {
  func isRoom(_: String) -> Bool { false }
  func vouchesForIDs(_: String) -> Bool { false }
  func isContact(_: String) -> Bool { false }
}

/// Decides about the messages of a stream and of an archive (`IncomingMessage`), as their recipient.
final class MessageDecider {
  let jid: JID
  private let stream: ReliableStream
  private let roster: RosterSync
  private let archive: Archive
  /// The room whose messages it decides about; nil: the account's.
  private(set) weak var room: (any RoomSenders)?
  private let encryption: Encryption?
  /// The senders of the last messages.
  private var senders = SenderCache()
  /// The recipient of what comes now, and of what was said before. Made when the next message comes.
  private var present: IncomingMessage.Recipient?
  private var past: IncomingMessage.Recipient?

  init(
    of jid: JID, _ stream: ReliableStream, _ roster: RosterSync, _ archive: Archive, _ encryption: Encryption?,
    room: (any RoomSenders)? = nil
  ) {
    self.encryption = encryption
    (self.jid, self.stream, self.roster, self.archive, self.room) = (jid, stream, roster, archive, room)
  }

  /// Another JID may be bound, or the room may say now what was said before, or not any more.
  func recipientChanged() { (present, past) = (nil, nil) }

  /// The sender of a message; our own account if it names none, nil if what it names is no address.
  func sender(of message: Element) -> SenderCache.Sender? { senders.sender(.from, of: message, or: own) }

  /// Decides about a message stanza.
  func decide(_ element: Element) -> IncomingMessage {
    moderation(element, at: stream.effects.now.wall)
      ?? .decide(element, to: recipient(), now: stream.effects.now.wall, senders: &senders)
  }

  /// Decides about a result of the archive.
  func decide(_ copy: ForwardedMessage, archiveID: String) -> IncomingMessage {
    moderation(copy, archiveID: archiveID)
      ?? .decide(
        copy, archiveID: archiveID, to: recipient(isPast: true), now: stream.effects.now.wall, senders: &senders)
  }

  /// Decides about a message that was stored as it came.
  func decide(stored message: Element, at time: Timestamp) -> IncomingMessage {
    moderation(message, at: time)
      ?? .decide(
        ForwardedMessage(message, at: time), to: recipient(isPast: true), now: stream.effects.now.wall,
        senders: &senders)
  }

  /// The retraction that a room announces; nil: the message is another one. An occupant cannot say it.
  private func moderation(_ element: Element, at time: Timestamp) -> IncomingMessage? {
    guard room != nil, let moderation = Moderation.announcement(in: element), let id = moderation.stanzaID else {
      return nil
    }
    let recipient = recipient()
    let stamp = DelayStamp(of: element, own: archive.address).time
    return .change(IncomingChange(moderation, of: id, in: element, at: stamp ?? time, to: recipient), .live)
  }

  /// The retraction out of a room's archive, or the rest of a message there, whose id is that of the message.
  private func moderation(_ copy: ForwardedMessage, archiveID: String) -> IncomingMessage? {
    guard room != nil else { return nil }
    let announced = Moderation.announcement(in: copy.message)
    guard let moderation = announced ?? Moderation.tombstone(in: copy.message) else { return nil }
    let recipient = recipient(isPast: true)
    var change = IncomingChange(
      moderation, of: moderation.stanzaID ?? archiveID, in: copy.message,
      at: moderation.time ?? copy.time ?? stream.effects.now.wall, to: recipient)
    (change.message.archived, change.message.isCounted) = (true, false)
    // The id of what is left is that of the message.
    if announced != nil { change.message.archiveID = archiveID }
    return .change(change, .archive)
  }

  /// The bare JID of the account, as the server spelled it when it bound the present stream.
  var own: JID { recipient().bare }

  /// The recipient of messages on the present stream.
  private func recipient(isPast: Bool = false) -> IncomingMessage.Recipient {
    let (archiveIDs, isCounted) = (archive.ids, stream.mode == .on)
    if let known = isPast ? past : present, known.archiveIDs == archiveIDs, known.isCounted == isCounted {
      return known
    }
    let own = stream.record.jid ?? jid
    let recipient = IncomingMessage.Recipient(
      account: stream.state.number, own: own, bare: own.bare, archiveIDs: archiveIDs, isCounted: isCounted,
      room: room.map { room in
        .init(
          jid: archive.address, senders: room, isPast: isPast || room.saysHistory,
          areStampsTrue: isPast || room.stampsHistory)
      },
      encryption: encryption, addresses: AccountAddresses(rooms: stream.state, roster: roster))
    if isPast { past = recipient } else { present = recipient }
    return recipient
  }
}
