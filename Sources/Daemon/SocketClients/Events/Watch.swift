import ConfabAccounts
import LineProtocol
import MessageLog
import Records

/// A client's watch: what it wants, and how far it has come.
struct Watch {
  /// The request's tag as it stands in a line: `,"tag":…`, or empty.
  let tag: [UInt8]
  let account: UInt32?
  let jid: String?
  let kinds: [EventKind]?
  /// The name of its cursor, if it has one.
  var name: CursorName?
  /// The record that has to be durable before it begins.
  let record: UInt64?
  var position: EventFeed.Position
  /// The next position to read, while it reads from the disk.
  var cursor: LogCursor?
  /// `caught-up` comes once everything up to this number has been delivered; nil: it came.
  var catchingUpTo: UInt64?

  /// There is something durable to be sent.
  func isBehind(_ durable: UInt64) -> Bool { position.sequence < durable || catchingUpTo != nil }

  func wants(_ line: EventLine) -> Bool { wants(line.kind, line.account, line.jid) }

  func wants(_ event: EphemeralEvent) -> Bool { wants(event.kind, event.account, event.jid) }

  private func wants(_ kind: EventKind, _ account: UInt32, _ jid: String?) -> Bool {
    // The disk and the recent emoticons concern every account.
    if let only = self.account, only != account, kind != .storage, kind != .emoticonUsed { return false }
    if let only = self.jid, only != jid { return false }
    return kinds?.contains(kind) ?? true
  }
}
