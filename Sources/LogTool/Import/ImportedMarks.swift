import Facts
import MessageLog
import Records

/// The lines of a file beside its messages: how far each conversation was read, its draft, and stanzas that were not
/// understood. The log's own is newer where it has any.
struct ImportedMarks {
  private struct Place: Hashable {
    let account: UInt32
    let jid: String
  }

  private let log: WritableLog
  /// The messages that were read last.
  private var read: [Place: UInt64] = [:]
  /// Hashes of the stanzas that the log has; nil until one is asked for.
  private var stanzas: Set<UInt64>?

  init(_ log: WritableLog) { self.log = log }

  /// Notes that a message, which has this number in the log, was the last one that was read.
  mutating func noteLastRead(_ id: UInt64, _ message: MessageRecord) {
    read[Place(account: message.account, jid: message.jid)] = id
  }

  /// Moves the read positions on. All messages must be durable.
  func storeReadPositions() throws(WritableLogError) {
    for (place, id) in read {
      guard let message = log.message(id) else { continue }
      let position = ReadRecord(account: place.account, jid: place.jid, time: message.time, id: id)
      guard log.facts.existingConversation(place.account, place.jid)?.isNews(position) == true else { continue }
      try log.append(.read(position))
    }
  }

  /// Stores a draft where there is none.
  func take(_ draft: DraftRecord) throws(WritableLogError) {
    guard log.facts.existingConversation(draft.account, draft.jid)?.draft.isEmpty ?? true else { return }
    try log.append(.draft(draft))
  }

  /// Stores a stanza that is not here already.
  mutating func take(_ stanza: PayloadRecord) throws(WritableLogError) {
    var known = stanzas ?? log.stanzas(Self.hash)
    if known.insert(Self.hash(stanza)).inserted { try log.append(.payload(stanza)) }
    stanzas = known
  }

  private static func hash(_ stanza: PayloadRecord) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(stanza.account)
    hasher.combine(stanza.time)
    hasher.combine(stanza.xml)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
