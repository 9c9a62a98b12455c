package import Clocks
import Records

/// Messages of one account that are appended and not durable, by the hashes under which a copy is looked up. Durable
/// messages are dropped in two steps: it holds at most twice what waits for the disk.
package final class PendingMessages {
  /// The position of a message in its conversation.
  private struct Place {
    var time: Timestamp
    var order: UInt32

    /// Its order if it is of this time; else 0.
    func order(at time: Timestamp) -> UInt32 { self.time == time ? order : 0 }

    /// The last place at its time, if this was the last one before.
    func behind(_ before: Place?) -> Place {
      before?.time == time ? Place(time: time, order: max(order, before?.order ?? 0)) : self
    }
  }

  /// The last messages of a conversation.
  private struct Last {
    /// The last message that the server has delivered, live or late.
    var handedOver: Place?
    /// The last of these that the server has delivered late.
    var late: Place?
    /// The last message, in whichever way it came.
    var noted: Place?

    mutating func note(_ message: MessageRecord) {
      let place = Place(time: Timestamp(milliseconds: message.time), order: message.archiveOrder)
      noted = place.behind(noted)
      guard !message.archived, !message.isMine else { return }
      handedOver = place.behind(handedOver)
      if message.delayed { late = place.behind(late) }
    }

    /// The last order at this time; 0: none.
    func order(at time: Timestamp) -> UInt32 { max(handedOver?.order(at: time) ?? 0, noted?.order(at: time) ?? 0) }
  }

  /// The messages between two syncs.
  private struct Batch {
    /// The last message of each hash, and the earlier ones of the same hash, if any.
    var messages: [UInt64: KnownMessage] = [:]
    var earlier: [UInt64: [KnownMessage]] = [:]
    /// By conversation.
    var last: [String: Last] = [:]
    /// The conversations in which a message of mine is.
    var writtenTo: Set<String> = []
    /// The newest record.
    var newest: UInt64 = 0

    mutating func insert(_ message: KnownMessage, _ hash: UInt64) {
      if let before = messages.updateValue(message, forKey: hash) { earlier[hash, default: []].append(before) }
    }

    /// The first wanted message with this hash, in order of arrival.
    func first(_ hash: UInt64, where isWanted: (KnownMessage) -> Bool) -> KnownMessage? {
      guard let message = messages[hash] else { return nil }
      if !earlier.isEmpty, let found = earlier[hash]?.first(where: isWanted) { return found }
      return isWanted(message) ? message : nil
    }

    /// How many messages with this hash are named by a record from `since` on.
    func countNamed(_ hash: UInt64, since: UInt64) -> Int {
      guard let last = messages[hash] else { return 0 }
      return ((earlier[hash] ?? []) + [last]).count { $0.named.first.map { $0.number >= since } ?? false }
    }
  }

  private var young = Batch()
  private var old = Batch()

  package func note(_ message: KnownMessage) {
    if let named = message.named.first {
      young.insert(message, MessageIDHash.of(named.record.archiveID))
      young.insert(message, ArchiveIDRecord.hash(ofMessage: message.id))
      young.newest = named.number
      return
    }
    if let id = message.record.archiveID ?? message.record.claimedArchiveID {
      young.insert(message, MessageIDHash.of(id))
    }
    if let seal = message.record.details?.seal {
      if let hash = seal.ciphertext { young.insert(message, hash) }
      if let id = message.record.stanzaID { young.insert(message, MessageIDHash.ofNamed(id, in: message.record.jid)) }
    }
    if !message.record.isFromHere { young.insert(message, message.record.contentHash) }
    young.newest = max(young.newest, message.id)
    note(message.record)
  }

  private func note(_ message: MessageRecord) {
    young.last[message.jid, default: Last()].note(message)
    if message.isMine { young.writtenTo.insert(message.jid) }
  }

  /// A sync came.
  package func durable(_ sequence: UInt64) {
    guard old.newest <= sequence else { return }
    (old, young) = (young, Batch())
    if old.newest <= sequence { old = Batch() }
  }

  /// True if a message of mine is in this conversation.
  package func isWrittenTo(_ jid: String) -> Bool { young.writtenTo.contains(jid) || old.writtenTo.contains(jid) }

  /// When the last one stands that somebody sent us, of those that are no state yet.
  ///
  /// - Parameter late: whether only messages count that the server has delivered late.
  package func last(from jid: String, late: Bool = false) -> Timestamp? {
    let place: KeyPath<Last, Place?> = late ? \.late : \.handedOver
    return (young.last[jid]?[keyPath: place] ?? old.last[jid]?[keyPath: place])?.time
  }

  /// The last order in a conversation at this time, as far as the last of those tell; 0: they do not.
  package func order(of jid: String, at time: Timestamp) -> UInt32 {
    max(young.last[jid]?.order(at: time) ?? 0, old.last[jid]?.order(at: time) ?? 0)
  }

  /// The first wanted message with this hash.
  package func first(_ hash: UInt64, where isWanted: (KnownMessage) -> Bool) -> KnownMessage? {
    old.first(hash, where: isWanted) ?? young.first(hash, where: isWanted)
  }

  /// How many records from `since` on, not yet applied, give an archive id to this message.
  package func countNamed(_ id: UInt64, since: UInt64) -> Int {
    let hash = ArchiveIDRecord.hash(ofMessage: id)
    return old.countNamed(hash, since: since) + young.countNamed(hash, since: since)
  }
}
