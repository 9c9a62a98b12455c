import State
import MessageLog
import Records

/// The lines of a file other than messages: read positions, drafts, settings, and unknown stanzas. The log's own read
/// positions, drafts and settings are newer.
struct ImportedMarks {
  private struct Key: Hashable {
    let account: UInt32
    let jid: String
  }

  private let log: WritableLog
  /// The last message read in each conversation, in the order of time.
  private var read: [Key: (time: Int64, id: UInt64)] = [:]
  /// The number of the first message that was imported, now or by an import that was cut off; nil: none was.
  private var first: UInt64?
  /// Hashes of the stanzas in the log; nil until the first one is needed.
  private var stanzas: Set<UInt64>?

  init(_ log: WritableLog) { self.log = log }

  /// Notes that the message with this number in the log was read, and so were all before it: the file says so, it is mine, or
  /// the command line wants all of them read.
  mutating func noteRead(_ id: UInt64, _ message: MessageRecord) {
    let key = Key(account: message.account, jid: message.jid)
    if let last = read[key], (last.time, last.id) > (message.time, id) { return }
    read[key] = (message.time, id)
  }

  /// Notes that a message was imported with this number.
  mutating func noteImported(_ id: UInt64) { first = min(id, first ?? id) }

  /// Notes that a message of the file has this number in the log already.
  mutating func noteFound(_ id: UInt64) {
    if id < first ?? .max, log.message(id)?.isHistory == true { first = id }
  }

  /// Marks as history what was imported and stands up to the last message read of its conversation. All messages must be
  /// durable.
  func storeReadPositions() throws(WritableLogError) {
    guard let first else { return }
    for (key, (_, id)) in read {
      guard let message = log.message(id) else { continue }
      var history = ReadRecord(account: key.account, jid: key.jid, time: message.time, id: id)
      history.historyFrom = first
      guard log.state.existingConversation(key.account, key.jid)?.hasUnread(in: history) == true else { continue }
      try log.append(.read(history))
    }
  }

  /// Stores a draft if the log has none for the conversation.
  func take(_ draft: DraftRecord) throws(WritableLogError) {
    guard log.state.existingConversation(draft.account, draft.jid)?.draft.isEmpty ?? true else { return }
    try log.append(.draft(draft))
  }

  /// Stores what is set of a conversation if the log has nothing set of it.
  func take(_ settings: SettingsRecord) throws(WritableLogError) {
    guard !settings.isUsual, log.state.accounts[settings.account]?.settings[settings.jid] == nil else { return }
    try log.append(.settings(settings))
  }

  /// Stores a stanza unless the log has it.
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
