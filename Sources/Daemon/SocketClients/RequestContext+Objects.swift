import ConfabAccounts
import Clocks
import Timelines
import JSON
import LineProtocol
import MessageLog
import Records
import State
import XMPPCore

/// The objects of docs/PROTOCOL.md as things stand now: conversations, contacts, the disk.
extension RequestContext {
  /// The members `conversation` and, if it is shown, `account`.
  func writeAddress(_ account: UInt32, _ jid: String, into writer: inout JSONWriter) {
    writer.member("conversation", jid)
    if let name = shownName(of: account) { writer.member("account", name) }
  }

  // MARK: - Conversations

  /// The members of a conversation.
  func write(_ conversation: Conversation, into writer: inout JSONWriter) {
    let contact = state.accounts[conversation.account]?.contacts[conversation.jid]
    writer.member("jid", conversation.jid)
    if let account = shownName(of: conversation.account) { writer.member("account", account) }
    let room = state.accounts[conversation.account]?.rooms[conversation.jid]
    writer.member("name", contact?.name ?? room?.bookmarkName ?? room?.info?.name ?? conversation.jid)
    writer.member("kind", state.accounts[conversation.account]?.kind(of: conversation.jid).word ?? "chat")
    writer.member("unread", conversation.unread)
    writer.member("mentions", conversation.mentions)
    writer.member("count", conversation.timeline.count - conversation.ignored)
    writeNewest(of: conversation, into: &writer)
    writer.member("draft", conversation.draft)
    writer.member("read", conversation.read)
    writer.member("known", state.accounts[conversation.account]?.knows(conversation.jid) ?? false)
    writeSettings(of: conversation, into: &writer)
    writePeer(of: conversation, into: &writer)
  }

  /// Writes of a private conversation who its occupant is, and whether somebody else or nobody has the nick now.
  private func writePeer(of conversation: Conversation, into writer: inout JSONWriter) {
    guard let jid = try? JID(conversation.jid), let nick = jid.resource,
      let account = accounts.numbered(conversation.account)
    else { return }
    let known = firstOccupant(in: conversation.jid, of: account)
    if let id = known?.id { writer.member("occupant", id) }
    let room = account.parts.messaging.rooms[jid.bare.description]
    if room?.presence(of: known ?? Occupant(nick: nick)) == .gone { writer.member("peer_gone", true) }
  }

  /// Messages that are looked at for the newest one of somebody who is not ignored.
  private static let mostIgnored = 1_000

  private func writeNewest(of conversation: Conversation, into writer: inout JSONWriter) {
    let timeline = conversation.timeline
    let rows = max(0, timeline.count - Self.mostIgnored)..<timeline.count
    // Scheduled messages stand in the future.
    let held = state.accounts[conversation.account]?.outbox.held ?? [:]
    let row = rows.last {
      !timeline[$0].flags.contains(.ignored)
        && (timeline[$0].time <= effects.now.wall || held[timeline[$0].id]?.heldUntil == nil)
    }
    guard let row else { return }
    records.withMessage(timeline[row]) { message in
      writer.key("last")
      surroundings(account: conversation.account, conversation.jid)
        .object(at: row, in: timeline, of: message).write(message, into: &writer)
    }
  }

  /// The level of a conversation now, and until when it holds.
  func notifyLevel(of conversation: Conversation) -> (level: NotifyLevel, until: Int64?) {
    let settings = state.accounts[conversation.account]?.settings[conversation.jid]
    let (level, until) = settings?.notify(at: effects.now.wall.milliseconds) ?? (nil, nil)
    return (level ?? policy(of: conversation).news, until)
  }

  /// The rules of a conversation, by its kind.
  func policy(of conversation: Conversation) -> ConversationPolicy {
    .of(state.accounts[conversation.account]?.kind(of: conversation.jid) ?? .person)
  }

  /// Writes the members of a conversation that the user has set.
  func writeSettings(of conversation: Conversation, into writer: inout JSONWriter) {
    let settings = state.accounts[conversation.account]?.settings[conversation.jid]
    let (level, until) = notifyLevel(of: conversation)
    writer.member("notify", level.word)
    if let until { writer.member("notify_until", Timestamp(milliseconds: until)) }
    writer.member("pinned", settings?.isPinned ?? false)
    writer.member("archived", settings?.isArchived ?? false)
  }

  // MARK: - Contacts

  /// The members of a contact.
  func write(_ contact: ContactRecord, into writer: inout JSONWriter) {
    writer.member("jid", contact.jid)
    if let account = shownName(of: contact.account) { writer.member("account", account) }
    if let name = contact.name { writer.member("name", name) }
    if let nickname = state.accounts[contact.account]?.contacts.nicknames[contact.jid] {
      writer.member("nick", nickname)
    }
    writer.array("groups") { array in contact.groups.forEach { array.value($0) } }
    writer.member("subscription", contact.isGone ? "remove" : contact.subscription ?? "none")
    if let ask = contact.ask { writer.member("ask", ask) }
    if contact.request { writer.member("request", true) }
    if isBlocked(contact.jid, contact.account) { writer.member("blocked", true) }
    writer.array("presence") { array in
      for resource in accounts.numbered(contact.account)?.presences.resources(of: contact.jid) ?? [] {
        array.beginObject()
        array.member("resource", resource.name)
        array.member("show", resource.show)
        array.member("status", resource.status)
        if let idle = resource.idleSince { array.member("idle_since", Timestamp(milliseconds: idle)) }
        array.endObject()
      }
    }
    writePresenceKnown(of: contact.jid, contact.account, into: &writer)
  }

  /// Writes `"presence_known":false` if no resource of a contact is known to be there, and none is known not to be.
  func writePresenceKnown(of contact: String, _ number: UInt32, into writer: inout JSONWriter) {
    let account = accounts.numbered(number)
    guard account?.presences.resources(of: contact).isEmpty != false else { return }
    let isSubscribed = state.accounts[number]?.contacts[contact]?.showsPresence == true
    let isKnown = isSubscribed && account?.isOnline == true && account?.presences.isUnknown(contact) == false
    if !isKnown || isBlocked(contact, number) { writer.member("presence_known", false) }
  }

  /// True if the account blocks a contact's stanzas (XEP-0191).
  func isBlocked(_ contact: String, _ account: UInt32) -> Bool {
    accounts.numbered(account)?.parts.people.blocking.blocks(contact) == true
  }

  // MARK: - The disk

  /// Writes the state of the disk: `full` (the user has to make room), `failing` (it needs repair) or `ok`.
  func writeStorage(into writer: inout JSONWriter) {
    guard let trouble = storage.trouble, let since = storage.troubleSince else { return writer.member("state", "ok") }
    writer.member("state", trouble.cause == .noSpace ? "full" : "failing")
    writer.member("reason", "nothing can be stored: \(trouble)")
    writer.member("since", since.rfc3339)
  }
}
