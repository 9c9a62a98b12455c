import Records

/// Messages and read positions by the durable records: how much of each conversation is unread, and up to where
/// it is read (docs/PROTOCOL.md, "conversation"; decisions 0020, 0066, 0111 and 0147). Written from the documents alone.
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
    let place: Place
    let isMine: Bool
    /// The record since which it is no message of the conversation.
    var goneSince = UInt64.max
    /// The record since which it is taken back, and not unread.
    var retractedSince = UInt64.max
  }

  private struct Conversation {
    var messages: [Message] = []
    var indices: [UInt64: Int] = [:]
    /// Read positions, each with the record that made it, and the number up to which all stays read behind it.
    var positions: [(since: UInt64, place: Place?, through: UInt64)] = []
    /// Up to where it was read at some time.
    var furthest: Place?

    func message(_ id: UInt64) -> Message? { indices[id].map { messages[$0] } }

    /// Where a message stands; of one that is gone time and number count.
    func place(of id: UInt64, at sequence: UInt64) -> Place? {
      message(id).map { $0.goneSince > sequence ? $0.place : Place(time: $0.place.time, id: id) }
    }

    func position(at sequence: UInt64) -> Place? { positions.last { $0.since <= sequence }?.place }

    func through(at sequence: UInt64) -> UInt64 { positions.last { $0.since <= sequence }?.through ?? 0 }
  }

  private var conversations: [Key: Conversation] = [:]

  /// All conversations, in an order that is the same each time.
  var keys: [Key] { conversations.keys.sorted { ($0.account, $0.jid) < ($1.account, $1.jid) } }

  // MARK: - Records

  func note(_ message: MessageRecord, _ sequence: UInt64) {
    let place = Place(time: message.time, order: message.archiveOrder, id: sequence)
    edit(message.account, message.jid) {
      $0.indices[sequence] = $0.messages.count
      $0.messages.append(Message(place: place, isMine: message.author.isMe))
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
      $0.positions.append((sequence, nil, 0))
      $0.furthest = nil
    }
  }

  /// The read position moves forward, or back if the user wants so, or out of a future that a clock had made.
  func note(_ read: ReadRecord, _ sequence: UInt64) {
    edit(read.account, read.jid) {
      let place = $0.place(of: read.id, at: sequence) ?? Place(time: read.time, id: read.id)
      let (old, stays) = ($0.position(at: sequence), read.staysReadThrough)
      let isBack = read.movedBackAt != nil
      let uncovers = isBack && $0.through(at: sequence) > 0
      guard uncovers || Self.moves(old, to: place, isBack: isBack || stays != nil) else { return }
      let through = isBack ? 0 : max($0.through(at: sequence), stays ?? 0)
      $0.positions.append((sequence, read.id == 0 ? nil : place, through))
      if stays != nil {
        if $0.furthest == old { $0.furthest = place }
      } else if !isBack {
        $0.furthest = max($0.furthest ?? place, place)
      }
    }
  }

  private static func moves(_ old: Place?, to new: Place, isBack: Bool) -> Bool {
    isBack ? old.map { new < $0 } ?? false : old.map { $0 < new } ?? true
  }

  private func edit(_ account: UInt32, _ jid: String, _ change: (inout Conversation) -> Void) {
    change(&conversations[Key(account: account, jid: jid), default: Conversation()])
  }

  // MARK: - What follows

  /// A conversation after a record.
  func summary(of key: Key, at sequence: UInt64) -> Summary {
    guard let conversation = conversations[key] else { return Summary() }
    let (position, through) = (conversation.position(at: sequence), conversation.through(at: sequence))
    var summary = Summary(read: position?.id ?? 0)
    for message in conversation.messages where message.place.id <= sequence && message.goneSince > sequence {
      summary.count += 1
      let isUnread = message.place.id > through && position.map { $0 < message.place } ?? true
      if isUnread, !message.isMine, message.retractedSince > sequence { summary.unread += 1 }
    }
    return summary
  }

  /// The read position of a conversation after a record.
  func position(in key: Key, at sequence: UInt64) -> Place? { conversations[key]?.position(at: sequence) }

  /// Whether a message is one of its conversation after a record, and is not hidden.
  func isHere(_ id: UInt64, in key: Key, at sequence: UInt64) -> Bool {
    id <= sequence && conversations[key]?.message(id).map { $0.goneSince > sequence } ?? false
  }

  /// Whether a message is read after a record: it stands at or before the read position, or stays read behind it.
  func isRead(_ id: UInt64, in key: Key, at sequence: UInt64) -> Bool {
    guard let conversation = conversations[key] else { return false }
    if id <= conversation.through(at: sequence) { return true }
    guard let position = conversation.position(at: sequence) else { return false }
    return conversation.place(of: id, at: sequence).map { $0 <= position } ?? false
  }

  /// How many messages stand behind one of them.
  func countBehind(_ id: UInt64, in key: Key) -> Int {
    guard let conversation = conversations[key], let place = conversation.message(id)?.place else { return 0 }
    return conversation.messages.count { $0.goneSince == .max && place < $0.place }
  }

  /// Whether no message stands between two places of a conversation after a record.
  ///
  /// - Parameters:
  ///   - first: a message; 0: before all.
  ///   - second: a message behind it; nil: behind all.
  ///   - known: messages with greater numbers do not count.
  func isNext(_ first: UInt64, _ second: UInt64?, in key: Key, at sequence: UInt64, among known: UInt64) -> Bool {
    guard let conversation = conversations[key], first == 0 || conversation.message(first) != nil else { return false }
    let start = conversation.message(first)?.place ?? Place(time: .min, id: 0)
    let end = second.flatMap { conversation.message($0)?.place } ?? Place(time: .max, id: .max)
    return start < end
      && !conversation.messages.contains { message in
        message.place.id <= known && message.goneSince > sequence && start < message.place && message.place < end
      }
  }

  /// A mistake: the messages of others that came after the one that was read last.
  func unreadByArrival(of key: Key, at sequence: UInt64) -> Int {
    let (conversation, read) = (conversations[key], summary(of: key, at: sequence).read)
    return conversation?.messages.count { !$0.isMine && $0.place.id > read && $0.goneSince > sequence } ?? 0
  }

  /// Whether a record leaves the position where it was, and makes unread what stayed read behind it.
  func uncovers(_ read: ReadRecord, in key: Key, at sequence: UInt64) -> Bool {
    guard let conversation = conversations[key], read.movedBackAt != nil else { return false }
    return conversation.through(at: sequence - 1) > 0 && conversation.position(at: sequence - 1)?.id ?? 0 == read.id
  }

  /// The unread messages of a conversation after a record.
  func unread(in key: Key, at sequence: UInt64) -> Set<UInt64> {
    let messages = conversations[key]?.messages ?? []
    return Set(messages.map(\.place.id).filter { $0 <= sequence && !isRead($0, in: key, at: sequence) })
  }

  /// Whether a message was ever read, or forgotten.
  func wasRead(_ id: UInt64, of message: MessageRecord) -> Bool {
    guard let conversation = conversations[Key(message)], let known = conversation.message(id) else { return false }
    return known.goneSince != .max || id <= conversation.through(at: .max)
      || conversation.furthest.map { known.place <= $0 } ?? false
  }

  /// Whether a position is behind all that was ever read: others count no more (decision 0066).
  func isNews(_ read: ReadRecord, _ sequence: UInt64) -> Bool {
    guard let conversation = conversations[Key(account: read.account, jid: read.jid)],
      let place = conversation.place(of: read.id, at: sequence)
    else { return false }
    return read.id > conversation.through(at: sequence) && conversation.furthest.map { $0 < place } ?? true
  }

  /// The unread messages of all conversations after a record.
  func unread(at sequence: UInt64) -> Int { keys.reduce(0) { $0 + summary(of: $1, at: sequence).unread } }
}
