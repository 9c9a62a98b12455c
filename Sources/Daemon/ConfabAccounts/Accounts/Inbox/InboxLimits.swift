import Clocks
import Records
import ConfabConfiguration
import State
import XML
import XMPPCore
import XMPPExtensions

/// Bounds the bytes that others can have stored: unknown payloads of strangers, long changes, texts of strangers while
/// there is little space. Stanzas over a bound are logged, and not stored.
final class InboxLimits {
  /// Bytes of a message whose changes are not limited.
  private static let shortContent = 1_024

  private let jid: String
  private let state: AccountState
  private let effects: Effects
  private let storage: Storage
  private let roster: RosterSync
  private let archive: Archive
  /// How many more bytes of unknown payloads of people who are not on the roster are kept.
  private var strangersPayloads = RateLimiter(of: 1 << 20, each: .hours(1))
  /// How many more bytes the changes of others may take in the log beyond those of their stanzas.
  private var changesOfOthers = RateLimiter(of: 16 << 20, each: .hours(1))

  init(of jid: JID, _ stream: ReliableStream, _ roster: RosterSync, _ archive: Archive) {
    (self.jid, self.roster, self.archive) = (jid.description, roster, archive)
    (state, effects, storage) = (stream.state, stream.effects, stream.storage)
  }

  /// True if a payload is kept. Payloads of people who are not on the roster are limited, with or without a text,
  /// because no client shows payloads yet and a flood would go unnoticed.
  func allow(_ payload: [UInt8], of jid: String) -> Bool {
    jid == self.jid || roster.has(jid) || strangersPayloads.take(payload.count, at: effects.now.instant)
  }

  /// Records that a stanza without a text was not kept.
  func refusePayload(of message: Element, by sender: JID?) {
    let id = message.attribute(.id)
    note(
      RefusedStanza(
        name: message.local, from: sender?.description, id: id.flatMap { $0.utf8.count > 1_023 ? nil : $0 },
        bytes: message.byteCount, reason: "the limit of stored payloads from outside the roster is reached"))
  }

  /// True if a change is kept: its record has all of the message, and may be much longer than its stanza.
  func allow(_ change: IncomingChange, as record: MessageRecord) -> Bool {
    let excess = record.contentBytes - change.element.byteCount - Self.shortContent
    if change.message.isMine || excess <= 0 || changesOfOthers.take(excess, at: effects.now.instant) {
      return true
    }
    note(change.refused("the limit of changes of long messages is reached"))
    return false
  }

  /// Leaves a stranger's text in our archive, if it is there, our position there is known, and there is little room.
  /// The roster must have come: until then strangers are unknown.
  func leaveInArchive(_ message: borrowing MessageRecord) -> Bool {
    guard message.archiveID != nil, !storage.strangersFloor.isFar, archive.record != nil, !message.isMine,
      !roster.isPending, isStranger(message.jid), storage.strangersFloor.isReached
    else { return false }
    archive.leftCount += 1
    if archive.leftCount == 1 {
      effects.journal(
        .warning, .archive, of: state.record,
        "the disk has less room than strangers-floor: texts of strangers are left in the server's archive")
    }
    return true
  }

  private func isStranger(_ jid: String) -> Bool {
    !state.knows(jid) && !roster.has(jid) && !storage.pending.messages(of: state.number).isWrittenTo(jid)
  }

  /// Records that a stanza came and was not taken.
  func note(_ refused: RefusedStanza) {
    storage.append(
      .refused(
        RefusedRecord(
          account: state.number, from: refused.from, stanzaID: refused.id, size: UInt64(refused.bytes),
          reason: refused.reason)))
    effects.journal(
      .warning, .skipped, of: state.record, "skipped a stanza of \(refused.bytes) bytes: \(refused.reason)",
      about: JournalFields(jid: refused.from, stanzaID: refused.id))
  }
}
