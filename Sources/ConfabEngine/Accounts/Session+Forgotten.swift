import Clocks
import Facts
import Records

/// What was hidden by `forget-history` stays so: neither the archive nor another device's copy brings it back, not even
/// when nothing of it is left in the log.
extension Session {
  /// Whether a message that is not known is one that was forgotten.
  func isForgotten(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    guard account.hidesAnything, let forgotten = account.forgotten[message.jid] else { return false }
    return way == .archive && isBehind(message, forgotten) || isErased(message, way)
  }

  /// The archive had it when its conversation was forgotten, and it was here then, or is older than what was. What was
  /// about that time is only known by its ids: nothing that nobody has seen is taken for forgotten.
  private func isBehind(_ message: MessageRecord, _ forgotten: Forgotten) -> Bool {
    guard let archive = forgotten.archive else { return false }
    return message.time < archive - Self.archiveMargin.milliseconds
  }

  private func isErased(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    let left = ErasedRecord(message)
    if let hash = left.archiveID, isErased(.archiveID, hash, by: \.archiveID) { return true }
    if message.mine, let id = message.originID ?? message.stanzaID {
      let hash = TokenHash.of(id)
      if isErased(.stanzaID, hash, by: \.stanzaID) { return true }
    }
    guard way != .live || message.delayed, let hash = left.copy else { return false }
    return isErased(.copy, hash, by: \.copy)
  }

  private func isErased(_ named: ArchiveIDRecord) -> Bool {
    if case .erased? = records.record(named.message) { true } else { false }
  }

  /// A message that carried this token was erased.
  private func isErased(_ kind: TokenKind, _ hash: UInt64, by member: (ErasedRecord) -> UInt64?) -> Bool {
    account.tokens.ids(kind, hash).contains { id in
      switch records.record(id) {
      case .erased(let erased): return member(erased) == hash
      case .archiveID(let named):
        return kind == .archiveID && TokenHash.of(named.archiveID) == hash && isErased(named)
      default: return false
      }
    }
  }
}
