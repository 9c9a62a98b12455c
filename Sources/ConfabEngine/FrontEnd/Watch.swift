import LineProtocol
import MessageLog

/// A client's watch: what it wants to hear, and how far it has heard.
struct Watch {
  /// The request's tag as it stands in a line: `,"tag":…`, or empty.
  let tag: [UInt8]
  let account: UInt32?
  let jid: String?
  let kinds: [EventKind]?
  /// Of the cursor by which it watches.
  var name: String?
  /// The record that has to be durable before it begins.
  let record: UInt64?
  /// Everything up to this number has been told.
  var told: UInt64
  /// Where reading goes on, while it reads from the disk.
  var cursor: LogCursor?
  /// `caught-up` comes once everything up to this number has been told; nil: it came.
  var catchingUpTo: UInt64?
  /// The number up to which it has heard the ephemeral news.
  var heard: UInt64

  func wants(_ line: EventLine) -> Bool { wants(line.kind, line.account, line.jid) }

  func wants(_ notice: Notice) -> Bool { wants(notice.kind, notice.account, notice.jid) }

  private func wants(_ kind: EventKind, _ account: UInt32, _ jid: String?) -> Bool {
    // The disk concerns every account.
    if let only = self.account, only != account, kind != .storage { return false }
    if let only = self.jid, only != jid { return false }
    return kinds?.contains(kind) ?? true
  }
}
