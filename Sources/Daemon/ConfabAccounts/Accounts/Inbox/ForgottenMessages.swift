import Clocks
import State
import Records

/// Recognises messages that `forget-history` hid: neither the archive nor another device's carbon brings them back, not
/// even after they were erased from the log.
struct ForgottenMessages {
  let state: AccountState
  let records: RecordReader
  let effects: Effects

  /// True if a message that is not stored was forgotten.
  func has(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    guard !state.forgotten.isEmpty, let forgotten = state.forgotten[message.jid] else { return false }
    return way == .archive && isBefore(message, forgotten) || hasIDs(of: message, way)
  }

  /// True if a stanza of the archive, without a text, is of the time before somebody whom it names was forgotten, as
  /// far as our clock and the archive's agree. No text is lost with it.
  func has(_ payload: PayloadRecord) -> Bool {
    guard let time = state.timeOfForgetting(naming: payload) else { return false }
    return payload.time < time + OwnArchive.margin.milliseconds
  }

  /// True if the archive had the message when its conversation was forgotten. Messages of about that time are known by
  /// their ids only, so that an unseen message is never taken for forgotten.
  private func isBefore(_ message: MessageRecord, _ forgotten: Forgotten.History) -> Bool {
    // A stamp later than now was cut to now: our clock was put back since, and says nothing.
    guard let archive = forgotten.archive, message.time < effects.now.wall.milliseconds else { return false }
    return message.time < archive - OwnArchive.margin.milliseconds
  }

  /// True if the log has the ids of this message as those of an erased message, or of a change that changed nothing.
  func hasIDs(of message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    let left = ErasedRecord(message)
    if let hash = left.archiveID, isErased(.archiveID, hash, by: \.archiveID) { return true }
    if message.isMine, let id = message.originID ?? message.stanzaID {
      let hash = MessageIDHash.of(id)
      if isErased(.stanzaID, hash, by: \.stanzaID) { return true }
    }
    guard way != .live || message.delayed, let hash = left.copy else { return false }
    return isErased(.copy, hash, by: \.copy)
  }

  private func isErased(_ named: ArchiveIDRecord) -> Bool {
    if case .erased? = records.record(named.message) { true } else { false }
  }

  /// True if a message with this id was erased.
  private func isErased(_ kind: MessageIDKind, _ hash: UInt64, by member: (ErasedRecord) -> UInt64?) -> Bool {
    state.messageIDs.ids(kind, hash).contains { id in
      switch records.record(id) {
      case .erased(let erased): return member(erased) == hash
      case .archiveID(let named):
        return kind == .archiveID && MessageIDHash.of(named.archiveID) == hash && isErased(named)
      default: return false
      }
    }
  }
}
