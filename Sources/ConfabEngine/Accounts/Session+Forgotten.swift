import Clocks
import Facts
import Records

/// What was hidden by `forget-history` stays so: neither the archive nor another device's copy brings it back, not even
/// when nothing of it is left in the log.
extension Session {
  /// Whether a message that is not known is one that was forgotten.
  func isForgotten(_ message: MessageRecord, _ way: IncomingMessage.Way, _ turn: Turn) -> Bool {
    guard let forgotten = account.forgotten[message.jid] else { return false }
    return way == .archive && isBehind(message, forgotten) || isErased(message, way, turn)
  }

  /// The archive had it when its conversation was forgotten, and it was here then, or is older than what was. What was
  /// about that time is only known by its ids: nothing that nobody has seen is taken for forgotten.
  private func isBehind(_ message: MessageRecord, _ forgotten: Forgotten) -> Bool {
    guard let archive = forgotten.archive else { return false }
    return message.time < archive - Self.archiveMargin.milliseconds
  }

  private func isErased(_ message: MessageRecord, _ way: IncomingMessage.Way, _ turn: Turn) -> Bool {
    let left = ErasedRecord(message)
    if let hash = left.archiveID, erased(account.archiveIDs.candidate(hash), turn)?.archiveID == hash { return true }
    if message.mine, let id = message.originID ?? message.stanzaID {
      let hash = TokenIndex.hash(id)
      if erased(account.stanzaIDs.candidate(hash), turn)?.stanzaID == hash { return true }
    }
    guard way != .live || message.delayed, let hash = left.copy else { return false }
    return erased(account.incoming.candidate(hash), turn)?.copy == hash
  }

  /// What is left of a message; nil where it was not erased.
  private func erased(_ id: UInt64?, _ turn: Turn) -> ErasedRecord? {
    guard let id, case .erased(let erased)? = turn.record(id) else { return nil }
    return erased
  }
}
