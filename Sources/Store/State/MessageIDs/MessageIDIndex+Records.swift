import Bytes
package import Records

// The message ids of each kind of record.
extension MessageIDIndex {
  func note(_ message: MessageSummary, id: UInt64) {
    if let hash = message.archiveID { insert(.archiveID, hash, id: id) }
    if let hash = message.copy { insert(.copy, hash, id: id) }
    if let hash = message.sentElsewhere { insert(.copy, hash, id: id) }
    if let hash = message.named { insert(.copy, hash, id: id) }
    for hash in message.namedBesides { insert(.copy, hash, id: id) }
  }

  /// Notes a ciphertext that brought no message.
  func noteCiphertext(_ hash: UInt64, id: UInt64) { insert(.copy, hash, id: id) }

  /// Notes the ids of a message that is sent from here, and its key.
  func noteSending(_ message: MessageRecord, id: UInt64) {
    if let stanzaID = message.stanzaID { insert(.stanzaID, MessageIDHash.of(stanzaID), id: id) }
    if let key = message.key { insert(.key, MessageIDHash.of(key: key, of: message.sender?.socket), id: id) }
  }

  /// Notes the ids of a change, so that a copy of it is known, and one that names it in its turn finds the message.
  func noteChange(_ message: MessageRecord, _ change: MessageChange, id: UInt64) {
    if let archiveID = change.archiveID { insert(.archiveID, MessageIDHash.of(archiveID), id: id) }
    if let hash = message.details?.seal?.ciphertext { insert(.copy, hash, id: id) }
    guard let stanzaID = change.stanzaID else { return }
    insert(.copy, MessageIDHash.ofNamed(stanzaID, in: message.jid), id: id)
    guard change.isSent else { return }
    insert(.stanzaID, MessageIDHash.of(stanzaID), id: id)
    if let key = change.key { insert(.key, MessageIDHash.of(key: key, of: message.sender?.socket), id: id) }
  }

  func note(_ payload: PayloadRecord, id: UInt64) {
    if let archiveID = payload.statedArchiveID { insert(.archiveID, MessageIDHash.of(archiveID), id: id) }
  }

  func note(_ named: ArchiveIDRecord, id: UInt64) {
    insert(.archiveID, MessageIDHash.of(named.archiveID), id: id)
    insert(.archiveID, named.messageHash, id: id)
  }

  func note(_ erased: ErasedRecord, id: UInt64) {
    if let hash = erased.archiveID { insert(.archiveID, hash, id: id) }
    if let hash = erased.copy { insert(.copy, hash, id: id) }
    if let hash = erased.stanzaID { insert(.stanzaID, hash, id: id) }
    if let hash = erased.key { insert(.key, hash, id: id) }
  }
}

extension MessageIDHash {
  /// The hash that stands for an idempotency key.
  package static func of(key: String, of socket: String?) -> UInt64 { socket.map { of(($0, key)) } ?? of(key) }

  /// The hash of a message that somebody names by its stanza's id, within a conversation.
  package static func ofNamed(_ stanzaID: String, in jid: String) -> UInt64 {
    let conversation = UInt64(jid.utf8.span.cacheHash) &* 0x9e37_79b9_7f4a_7c15
    return (conversation ^ UInt64(stanzaID.utf8.span.cacheHash)) &* 0x100_0000_01b3
  }
}

extension MessageRecord {
  /// A hash of sender and id; nil if the message has no id.
  package var copyHash: UInt64? { lend { $0.copyHash } }
}
