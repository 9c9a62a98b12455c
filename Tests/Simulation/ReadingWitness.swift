import Records

/// Messages and read positions by the durable records: how much of each conversation is unread, and up to where
/// it is read (docs/PROTOCOL.md, "conversation"; decisions 0066 and 0153). Written from the documents alone.
final class ReadingWitness {
  typealias Key = NodeWitness.Key

  /// The order of messages: by their times; within one time, the archive's order; then their numbers.
  struct Place: Comparable {
    let time: Int64
    var order: UInt32 = 0
    let id: UInt64

    static func < (one: Place, other: Place) -> Bool {
      (one.time, one.order, one.id) < (other.time, other.order, other.id)
    }
  }

  /// A conversation as front ends see it.
  struct Summary: Equatable, CustomStringConvertible {
    var count = 0
    var unread = 0
    /// The number of the message up to which it is read; 0: nothing is read.
    var read: UInt64 = 0

    var description: String { "\(count) messages, \(unread) of them unread behind \(read)" }
  }

  private struct Message {
    var place: Place
    let isMine: Bool
    /// Its sender was ignored: it is never unread.
    let isIgnored: Bool
    /// The record since which it is no history, which is never unread; 0: it came as news.
    var historyUntil: UInt64
    /// The record since which it is no message of the conversation.
    var goneSince = UInt64.max
    /// The record since which it is taken back, and not unread.
    var retractedSince = UInt64.max
  }

  private struct Conversation {
    var messages: [Message] = []
    var indices: [UInt64: Int] = [:]
    /// Read positions, each with the record that made it.
    var positions: [(since: UInt64, position: UInt64)] = []
    /// Up to where it was read at some time.
    var furthest: UInt64 = 0

    func message(_ id: UInt64) -> Message? { indices[id].map { messages[$0] } }

    func position(at sequence: UInt64) -> UInt64 { positions.last { $0.since <= sequence }?.position ?? 0 }
  }

  private var conversations: [Key: Conversation] = [:]
  /// Accounts whose archives are not fetched backwards any more.
  private var filled: Set<ArchiveKey> = []

  /// An archive: of an account, or of a room.
  private struct ArchiveKey: Hashable {
    let account: UInt32
    let room: String?
  }

  /// All conversations, in an order that is the same each time.
  var keys: [Key] { conversations.keys.sorted { ($0.account, $0.jid) < ($1.account, $1.jid) } }

  // MARK: - Records

  func note(_ message: MessageRecord, _ sequence: UInt64) {
    let place = Place(time: message.time, order: message.archiveOrder, id: sequence)
    let isHistory = message.archived && !message.isNews && !isFilled(message)
    edit(message.account, message.jid) {
      $0.indices[sequence] = $0.messages.count
      $0.messages.append(
        Message(
          place: place, isMine: message.author.isMe, isIgnored: message.isIgnored, historyUntil: isHistory ? .max : 0))
    }
  }

  /// A message stands at another time.
  func move(_ id: UInt64, of message: MessageRecord, to time: Int64) {
    edit(message.account, message.jid) {
      guard let index = $0.indices[id] else { return }
      $0.messages[index].place = Place(time: time, order: $0.messages[index].place.order, id: id)
    }
  }

  /// Messages are texts of the one that they correct from now on.
  func noteAbsorbed(_ change: MessageRecord, _ sequence: UInt64) {
    edit(change.account, change.jid) {
      for absorbed in change.details?.change?.absorbed ?? [] {
        guard let index = $0.indices[absorbed.record] else { continue }
        $0.messages[index].goneSince = min($0.messages[index].goneSince, sequence)
      }
    }
  }

  /// A message is taken back from now on.
  func noteRetraction(_ change: MessageRecord, _ sequence: UInt64) {
    guard let target = change.target, change.details?.change?.retraction != nil else { return }
    edit(change.account, change.jid) {
      guard let index = $0.indices[target] else { return }
      $0.messages[index].retractedSince = min($0.messages[index].retractedSince, sequence)
    }
  }

  /// All messages up to here are hidden, and nothing is read.
  func note(_ forgetting: ForgettingRecord, _ sequence: UInt64) {
    edit(forgetting.account, forgetting.jid) {
      for index in $0.messages.indices { $0.messages[index].goneSince = min($0.messages[index].goneSince, sequence) }
      $0.positions.append((sequence, 0))
      $0.furthest = 0
    }
  }

  /// What comes out of an archive from now on is history, or news.
  func note(_ archive: ArchiveRecord) {
    let key = ArchiveKey(account: archive.account, room: archive.address)
    if archive.floor == nil { filled.insert(key) } else { filled.remove(key) }
  }

  /// True if the archive that a message may come out of is not fetched backwards any more.
  func isFilled(_ message: MessageRecord) -> Bool {
    filled.contains(ArchiveKey(account: message.account, room: message.isOfRoom ? message.jid : nil))
  }

  /// The read position moves forward, or back if the user wants so.
  func note(_ read: ReadRecord, _ sequence: UInt64) {
    edit(read.account, read.jid) {
      let old = $0.position(at: sequence)
      guard read.movedBackAt != nil else {
        $0.positions.append((sequence, max(old, read.id)))
        return $0.furthest = max($0.furthest, read.id)
      }
      $0.positions.append((sequence, min(old, read.id)))
      for index in $0.messages.indices where $0.messages[index].place.time >= read.time {
        $0.messages[index].historyUntil = min($0.messages[index].historyUntil, sequence)
      }
    }
  }

  private func edit(_ account: UInt32, _ jid: String, _ change: (inout Conversation) -> Void) {
    change(&conversations[Key(account: account, jid: jid), default: Conversation()])
  }

  // MARK: - What follows

  /// A conversation after a record.
  func summary(of key: Key, at sequence: UInt64) -> Summary {
    guard let conversation = conversations[key] else { return Summary() }
    var summary = Summary(read: conversation.position(at: sequence))
    for message in conversation.messages where message.place.id <= sequence && message.goneSince > sequence {
      if !message.isIgnored { summary.count += 1 }
      if isUnread(message, in: conversation, at: sequence) { summary.unread += 1 }
    }
    return summary
  }

  private func isUnread(_ message: Message, in conversation: Conversation, at sequence: UInt64) -> Bool {
    !message.isMine && !message.isIgnored && message.place.id > conversation.position(at: sequence)
      && message.historyUntil <= sequence
      && message.retractedSince > sequence
  }

  /// The read position of a conversation after a record.
  func position(in key: Key, at sequence: UInt64) -> UInt64 { conversations[key]?.position(at: sequence) ?? 0 }

  /// True if a message is one of its conversation after a record, and is not hidden.
  func isHere(_ id: UInt64, in key: Key, at sequence: UInt64) -> Bool {
    id <= sequence && conversations[key]?.message(id).map { $0.goneSince > sequence } ?? false
  }

  /// True if a message is read after a record, or history.
  func isRead(_ id: UInt64, in key: Key, at sequence: UInt64) -> Bool {
    guard let conversation = conversations[key], let message = conversation.message(id) else { return false }
    return id <= conversation.position(at: sequence) || message.historyUntil > sequence
  }

  /// True if something of the user's stands behind a message.
  func isBeforeMine(_ id: UInt64, in key: Key) -> Bool {
    guard let conversation = conversations[key], let place = conversation.message(id)?.place else { return false }
    return conversation.messages.contains { $0.isMine && place < $0.place }
  }

  /// How many messages stand behind one of them.
  func countBehind(_ id: UInt64, in key: Key) -> Int {
    guard let conversation = conversations[key], let place = conversation.message(id)?.place else { return 0 }
    return conversation.messages.count { $0.goneSince == .max && place < $0.place }
  }

  /// True if nothing unread arrived behind a message, of what was known then.
  ///
  /// - Parameter known: messages with greater numbers do not count.
  func isLast(_ id: UInt64, in key: Key, at sequence: UInt64, among known: UInt64) -> Bool {
    guard let conversation = conversations[key], conversation.message(id) != nil else { return false }
    return !conversation.messages.contains {
      $0.place.id > id && $0.place.id <= known && $0.goneSince > sequence
        && isUnread($0, in: conversation, at: sequence - 1)
    }
  }

  /// True if a position is the last one before all that stands at a message or behind it, or that from before.
  ///
  /// - Parameter known: messages with greater numbers do not count.
  func isBefore(
    _ position: UInt64, _ id: UInt64, in key: Key, at sequence: UInt64, among known: UInt64
  ) -> Bool {
    guard let conversation = conversations[key], let place = conversation.message(id)?.place else { return false }
    let here = conversation.messages.filter { $0.goneSince > sequence && $0.place.id <= sequence }
    let first = here.filter { place <= $0.place }.map(\.place.id).min() ?? id
    let isNext = !here.contains { $0.place.id > position && $0.place.id < first && $0.place.id <= known }
    return position < id && isNext || position == conversation.position(at: sequence - 1)
  }

  /// A mistake: the messages of others that stand behind the one that was read last.
  func unreadByPlace(of key: Key, at sequence: UInt64) -> Int {
    guard let conversation = conversations[key] else { return 0 }
    let read = conversation.message(conversation.position(at: sequence))?.place
    return conversation.messages.count { message in
      !message.isMine && message.goneSince > sequence && read.map { $0 < message.place } ?? true
    }
  }

  /// True if a message was ever read, or forgotten, or is history.
  func wasRead(_ id: UInt64, of message: MessageRecord) -> Bool {
    guard let conversation = conversations[Key(message)], let known = conversation.message(id) else { return false }
    return known.goneSince != .max || id <= conversation.furthest || known.historyUntil == .max
  }

  /// True if a position is behind all that was ever read: others count no more (decision 0066).
  func isNews(_ read: ReadRecord, _ sequence: UInt64) -> Bool {
    conversations[Key(account: read.account, jid: read.jid)].map { read.id > $0.furthest } ?? false
  }

  /// The unread messages of all conversations after a record.
  func unread(at sequence: UInt64) -> Int { keys.reduce(0) { $0 + summary(of: $1, at: sequence).unread } }
}
