import Bytes
import Conversations
package import Records

extension MessageRecord {
  /// A hash of sender and id; nil if the message has no id.
  package var copyHash: UInt64? { lend { $0.copyHash } }
}

extension Record {
  /// Shows the hashes of all that it is found by.
  func visitMessageIDs(_ body: (MessageIDKind, UInt64) -> Void) {
    switch self {
    case .message(let message): message.visitMessageIDs(body)
    case .payload(let payload):
      if let id = payload.archiveID { body(.archiveID, MessageIDHash.of(id)) }
    case .erased(let erased):
      if let hash = erased.archiveID { body(.archiveID, hash) }
      if let hash = erased.copy { body(.copy, hash) }
      if let hash = erased.stanzaID { body(.stanzaID, hash) }
      if let hash = erased.key { body(.key, hash) }
    case .archiveID(let named):
      body(.archiveID, MessageIDHash.of(named.archiveID))
      body(.archiveID, named.messageHash)
    default: break
    }
  }
}

extension MessageRecord {
  fileprivate func visitMessageIDs(_ body: (MessageIDKind, UInt64) -> Void) {
    if let id = archiveID ?? claimedArchiveID { body(.archiveID, MessageIDHash.of(id)) }
    guard !mine || elsewhere else { return visitMessageIDsOfSending(body) }
    body(.copy, contentHash)
    if mine, let copyHash { body(.copy, copyHash) }
    for id in [stanzaID, originID].compactMap(\.self) { body(.copy, MessageIDHash.ofNamed(id, in: jid)) }
  }

  fileprivate func visitMessageIDsOfSending(_ body: (MessageIDKind, UInt64) -> Void) {
    if let stanzaID { body(.stanzaID, MessageIDHash.of(stanzaID)) }
    if let key { body(.key, AccountState.hash(ofKey: key, of: sender?.socket)) }
  }
}

extension MessageIDIndex {
  func note(_ record: Record, id: UInt64) { record.visitMessageIDs { insert($0, $1, id: id) } }

  func note(_ message: MessageSummary, id: UInt64) {
    if let hash = message.archiveID { insert(.archiveID, hash, id: id) }
    if let hash = message.copy { insert(.copy, hash, id: id) }
    if let hash = message.sentElsewhere { insert(.copy, hash, id: id) }
    if let hash = message.named { insert(.copy, hash, id: id) }
    if let hash = message.namedByOrigin { insert(.copy, hash, id: id) }
  }

  /// What a message is found by beside that, where it is to be sent from here.
  func noteSending(_ message: MessageRecord, id: UInt64) { message.visitMessageIDsOfSending { insert($0, $1, id: id) } }
}

extension State {
  /// The pages of message ids to be written next; empty where there are none.
  func takeMessageIDs() -> [WrittenPage] {
    guard isResting || pages?.wantsMessageIDs ?? false else { return [] }
    for account in accounts.values.sorted(by: { $0.number < $1.number }) {
      let written = account.messageIDs.takePages(in: presentPause)
      guard written.isEmpty else {
        writtenMessageIDs = account.messageIDs
        return written
      }
    }
    pages?.wantsMessageIDs = false
    return []
  }

  /// Reads what a checkpoint says: field 1 the account, the others as in `MessageIDIndex`.
  func readMessageIDs(_ reader: inout FieldReader) throws(FieldError) {
    var (account, recent): (UInt32, [UInt8]) = (0, [])
    var runs: [Run] = []
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: recent = try reader.bytes()
      case 3: runs.append(try reader.message { inner throws(FieldError) in try Run.read(&inner) })
      default: break
      }
    }
    guard accounts[account]?.messageIDs.restore(recent, runs) ?? true else { throw .malformed }
  }
}
