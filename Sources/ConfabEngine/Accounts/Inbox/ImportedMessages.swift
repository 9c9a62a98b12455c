import Records
import State

/// Finds messages of mine that were imported. They stand as another device's, so nothing of them is ever sent, but what is
/// reported of them may come to this device: the one that sent them may be gone.
struct ImportedMessages {
  let state: AccountState
  let records: RecordReader

  /// The newest message of mine with this stanza's id in a conversation.
  func mine(_ stanzaID: String, in jid: String) -> KnownMessage? {
    for id in state.messageIDs.ids(.copy, MessageIDHash.ofNamed(stanzaID, in: jid)) {
      guard let message = records.message(id), message.isImported, message.mine, message.stanzaID == stanzaID,
        message.jid == jid
      else { continue }
      return KnownMessage(id: id, record: message)
    }
    return nil
  }
}
