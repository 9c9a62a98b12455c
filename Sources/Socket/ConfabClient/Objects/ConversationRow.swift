package import Clocks
package import JSON

/// A conversation is an account and a bare JID.
package struct ConversationKey: Hashable, Sendable {
  /// Empty while the daemon has one account only.
  package var account: String
  package var jid: String

  package init(account: String = "", jid: String) {
    self.account = account
    self.jid = jid
  }

  /// True of a private conversation with an occupant of a room.
  package var isPrivate: Bool { jid.contains("/") }

  /// The words for a conversation without a name: its address, or who in which room.
  package var title: String {
    guard let slash = jid.firstIndex(of: "/") else { return jid }
    return "\(jid[jid.index(after: slash)...]) in \(jid[..<slash])"
  }
}

/// One row of the list of conversations.
package struct ConversationRow: Equatable, Sendable {
  /// When a message there is worth a notice.
  package enum Notify: String, Sendable {
    case always, mentions, never
  }

  package let key: ConversationKey
  /// The contact's name; empty if it has none.
  package var name: String
  package var unread: Int
  package var mentions: Int
  package var count: Int
  package var last: MessageRow?
  package var draft: String
  /// The newest message that was read; 0: none.
  package var read: UInt64
  package var notify: Notify
  package var notifyUntil: Timestamp?
  package var isPinned: Bool
  package var isArchived: Bool
  /// True if I have written to them, have them in the roster, or am in the room; otherwise they are strangers.
  package var isKnown: Bool

  /// How many unread messages the person wants to be told of.
  package var news: Int { isArchived || notify == .never ? 0 : unread }

  /// An empty conversation, for a JID that nobody has written to yet.
  package init(_ key: ConversationKey, name: String = "") {
    self.key = key
    self.name = name
    unread = 0
    mentions = 0
    count = 0
    draft = ""
    read = 0
    notify = .always
    isPinned = false
    isArchived = false
    isKnown = true
  }

  /// The row of a `conversation` object; nil without a JID.
  package init?(_ object: JSONValue) {
    guard let jid = object["jid"]?.string else { return nil }
    self.init(
      ConversationKey(account: object["account"]?.string ?? "", jid: jid),
      // The address is no name: who has none is called by other words.
      name: object["name"].flatMap { $0.string == jid ? nil : $0.personName } ?? "")
    unread = Int(clamping: object["unread"]?.integer ?? 0)
    mentions = Int(clamping: object["mentions"]?.integer ?? 0)
    count = Int(clamping: object["count"]?.integer ?? 0)
    last = object["last"].flatMap(MessageRow.init)
    draft = object["draft"]?.string ?? ""
    read = UInt64(clamping: object["read"]?.integer ?? 0)
    notify = object["notify"]?.string.flatMap(Notify.init(rawValue:)) ?? .always
    notifyUntil = object["notify_until"]?.string.flatMap { Timestamp(rfc3339: $0) }
    isPinned = object["pinned"]?.bool ?? false
    isArchived = object["archived"]?.bool ?? false
    isKnown = object["known"]?.bool ?? true
  }
}
