import Clocks
import State
import JSON
import LineProtocol
import MessageLog
import Records

/// Something that watchers hear of and that is in no record. A value says only what changed: what is encoded is how
/// things stand when a watcher is sent it, and of equal values only the newest is sent.
protocol EphemeralEvent: Hashable {
  var kind: EventKind { get }
  /// The account that it is about; 0: the whole daemon.
  var account: UInt32 { get }
  /// The contact or conversation; nil: the account as a whole.
  var jid: String? { get }
  /// The same without its details, if it has any: what is kept of an old one.
  var coarser: (any EphemeralEvent)? { get }

  /// Writes the members of the event.
  func encode(_ context: RequestContext, into writer: inout JSONWriter)
}

extension EphemeralEvent {
  var jid: String? { nil }
  var coarser: (any EphemeralEvent)? { nil }
}

/// An account's connection changed its state, or its user another presence.
struct ConnectionChanged: EphemeralEvent {
  let account: UInt32
  var kind: EventKind { .connection }

  func encode(_ context: RequestContext, into writer: inout JSONWriter) {
    let status = context.accounts.numbered(account)?.status
    writer.member("account", context.state.accounts[account]?.record.name ?? "")
    writer.member("state", (status?.state ?? .stopped).rawValue)
    writer.member("reason", status?.reason ?? "no longer in the configuration")
  }
}

/// A resource of a contact came, went or changed, or the contact was blocked or unblocked.
struct PresenceChanged: EphemeralEvent {
  let account: UInt32
  let contact: String
  var kind: EventKind { .presence }
  var jid: String? { contact }

  func encode(_ context: RequestContext, into writer: inout JSONWriter) {
    let best = context.accounts.numbered(account)?.presences.resources(of: contact).first
    if let name = context.shownName(of: account) { writer.member("account", name) }
    writer.member("jid", contact)
    writer.member("show", best?.show ?? "unavailable")
    writer.member("status", best?.status ?? "")
    context.writePresenceKnown(of: contact, account, into: &writer)
    if context.isBlocked(contact, account) { writer.member("blocked", true) }
    if let idle = best?.idleSince { writer.member("idle_since", Timestamp(milliseconds: idle)) }
  }
}

/// The sections of the default gap changed between two messages (docs/PROTOCOL.md, `resection`).
struct SectionsChanged: EphemeralEvent {
  let account: UInt32
  let conversation: String
  /// The ids of the messages; nil: from or to the end.
  var from: UInt64?
  var to: UInt64?
  var kind: EventKind { .resection }
  var jid: String? { conversation }

  var coarser: (any EphemeralEvent)? {
    from == nil && to == nil ? nil : SectionsChanged(account: account, conversation: conversation)
  }

  func encode(_ context: RequestContext, into writer: inout JSONWriter) {
    context.writeAddress(account, conversation, into: &writer)
    if let from { writer.member("from", from) }
    if let to { writer.member("to", to) }
  }
}

/// The disk became full, fails, or works again.
struct StorageChanged: EphemeralEvent {
  var kind: EventKind { .storage }
  var account: UInt32 { 0 }

  func encode(_ context: RequestContext, into writer: inout JSONWriter) {
    context.writeStorage(into: &writer)
  }
}
