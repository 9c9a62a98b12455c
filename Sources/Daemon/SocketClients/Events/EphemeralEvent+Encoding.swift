import ConfabAccounts
import Clocks
import JSON
import MessageLog
import Records
import State
import XMPPCore
import XMPPExtensions

extension EphemeralEvent {
  /// Writes the members of the event.
  func encode(_ context: RequestContext, into writer: inout JSONWriter) {
    switch self {
    case .connection(let account): Self.encodeConnection(account, context, into: &writer)
    case .presence(let account, let contact): Self.encodePresence(of: contact, account, context, into: &writer)
    case .sections(let account, let conversation, let from, let to):
      context.writeAddress(account, conversation, into: &writer)
      if let from { writer.member("from", from) }
      if let to { writer.member("to", to) }
    case .storage: context.writeStorage(into: &writer)
    case .typing(let account, let typist):
      let known = context.accounts.numbered(account)?.parts.messaging.chatStates.state(of: typist)
      context.writeAddress(account, typist.conversation, into: &writer)
      writer.member("from", known?.from.description ?? typist.address)
      if let nick = typist.nick { writer.member("nick", nick) }
      writer.member("state", (known?.state ?? .gone).rawValue)
    case .member(let account, let room, let change):
      writer.member("room", room)
      if let name = context.shownName(of: account) { writer.member("account", name) }
      change.encode(into: &writer)
    case .members(let account, let room, let joined, let left):
      writer.member("room", room)
      if let name = context.shownName(of: account) { writer.member("account", name) }
      writer.member("joined", joined)
      writer.member("left", left)
      let count = context.accounts.numbered(account)?.parts.messaging.rooms[room]?.occupants.count
      writer.member("count", count ?? 0)
    case .transfer(let progress): progress.encode(context, into: &writer)
    }
  }

  private static func encodeConnection(_ account: UInt32, _ context: RequestContext, into writer: inout JSONWriter) {
    let status = context.accounts.numbered(account)?.status
    writer.member("account", context.state.accounts[account]?.record.name ?? "")
    writer.member("state", (status?.state ?? .stopped).rawValue)
    writer.member("reason", status?.reason ?? "no longer in the configuration")
  }

  private static func encodePresence(
    of contact: String, _ account: UInt32, _ context: RequestContext, into writer: inout JSONWriter
  ) {
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

extension TransferProgress {
  fileprivate func encode(_ context: RequestContext, into writer: inout JSONWriter) {
    context.writeAddress(account, conversation, into: &writer)
    writer.member("id", id)
    writer.member("index", index)
    writer.member("done", done)
    if let total { writer.member("total", total) }
  }
}

extension OccupantChange {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.member("change", kind.rawValue)
    writer.object("member") { member.write(into: &$0) }
    if let was { writer.member("was", was) }
    if let by { writer.member("by", by) }
    if let reason { writer.member("reason", reason) }
  }
}
