import Clocks
import Timelines
import Records
import State
import XMPPCore
import XMPPExtensions

// Signals of occupants and mine in small rooms: chat states (XEP-0085, section 5.5) and markers (XEP-0333, section 4.3).
extension Room {
  /// In rooms of more occupants signals would be noise for all.
  private static let mostSharing = 20
  /// Messages that are looked at for one marker of mine.
  private static let mostRead = 1_000

  /// True if it is known to have so many occupants that nobody is told who is typing and who has read.
  package var isLarge: Bool { machine.isJoined && occupants.count > Self.mostSharing }

  /// True if I tell such things: I may speak there.
  package var sharesSignals: Bool {
    machine.isJoined && !isLarge && !(record.role == "visitor" && record.info?.has(.moderated) != false)
  }

  /// Takes the chat state of an occupant.
  func take(_ state: ChatState, from jid: JID, by author: Author) {
    guard case .occupant(let occupant) = author, machine.state == .joined, !isLarge, occupants[occupant.nick] != nil,
      !isIgnored(occupant.nick)
    else { return }
    surroundings.chatStates.receive(state, from: jid, as: Typist(address, nick: occupant.nick))
  }

  // MARK: - Markers of others

  /// Somebody has displayed all up to a message.
  ///
  /// - Parameter time: when, if that may be long ago.
  func displayed(_ id: String, by author: Author, at time: Timestamp?) {
    guard machine.isJoined, !isLarge, let referred = message(named: id) else { return }
    switch author {
    case .occupant(let occupant): displayed(referred, by: occupant, isPast: time != nil)
    case .thisDevice, .otherDevice, .person:
      // On another device of mine, which had no reason to mark a message of mine.
      guard !referred.author.isMe else { return }
      history.inbox.received.apply(.displayed(id: id), to: referred, at: time)
    }
  }

  /// The message that a marker names: by the room's id where it gives any, for occupants choose theirs.
  private func message(named id: String) -> ReferredMessage? {
    let finder = history.inbox.finder
    guard record.info?.has(.stanzaIDs) != true || finder.hasArchived(id, in: address),
      let found = finder.message(of: Reference(address, nil, id)), !found.isOfChange
    else { return nil }
    return found
  }

  private func displayed(_ referred: ReferredMessage, by occupant: Occupant, isPast: Bool) {
    guard !isIgnored(occupant, isPast: isPast) else { return }
    var reader = marker(occupant.nick, referred.present)
    reader.occupantID = occupant.id
    if occupant.id == nil {
      // The holder of a nick in the past is unknown.
      if isPast { return }
      reader.jid = occupants[occupant.nick]?.jid
      if reader.jid == nil { reader.presence = occupant.presence }
    }
    if let last = surroundings.state.roomReaders.last(like: reader), !reader.isFurther(than: last) { return }
    surroundings.storage.append(.roomReader(reader))
  }

  private func marker(_ nick: String, _ present: PresentMessage) -> RoomReaderRecord {
    let standing = history.inbox.order.standing(KnownMessage(id: present.id, record: present.message))
    return RoomReaderRecord(
      account: record.account, room: address, nick: nick, message: present.id, time: standing.time)
  }

  // MARK: - Mine

  /// Tells the room how far I have read, unless it was told.
  func markRead() {
    guard machine.state == .joined, history.isRead, sharesSignals, surroundings.receipts.sendsMarkers,
      let conversation = surroundings.state.conversations[address],
      let entry = conversation.newestRead(ofLast: Self.mostRead),
      let message = history.inbox.records.message(entry), let id = markedID(of: entry.id, message)
    else { return }
    var reader = RoomReaderRecord(
      account: record.account, room: address, nick: nick, message: entry.id, time: entry.time.milliseconds)
    reader.isMine = true
    let last = [surroundings.state.roomReaders.last(like: reader), lastMarker].compactMap(\.self)
    guard last.allSatisfy(reader.isFurther),
      stream.sendUnkept(
        DisplayedMarker.stanza(to: jid, type: "groupchat", id: effects.token(bytes: 12), about: id)) != nil
    else { return }
    lastMarker = reader
    // At worst it is sent again after a crash.
    surroundings.storage.append(.roomReader(reader))
    stream.depart()
  }

  private var stream: ReliableStream { surroundings.stream }

  /// The id by which a marker names a message.
  private func markedID(of message: UInt64, _ record: MessageRecord) -> String? {
    self.record.info?.has(.stanzaIDs) == true ? stanzaIDs(of: message).last : record.stanzaID
  }
}

extension Conversation {
  /// The newest message of others that I have read, among the last ones.
  fileprivate func newestRead(ofLast most: Int) -> Entry? {
    let rows = max(0, timeline.count - most)..<timeline.count
    return rows.reversed().lazy.map { self.timeline[$0] }.first {
      $0.id <= self.furthestRead && $0.flags.isDisjoint(with: [.mine, .retracted, .ignored, .event])
    }
  }
}
