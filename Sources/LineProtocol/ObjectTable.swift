/// The objects that answers and events carry, for the reference.
package struct ObjectRow: Sendable {
  package var name: String
  /// What it is, one sentence.
  package var summary: String
  package var members: [Member]

  /// One member of an object.
  package struct Member: Sendable {
    package var name: String
    package var type: String
    package var meaning: String

    init(_ name: String, _ type: String, _ meaning: String) {
      self.name = name
      self.type = type
      self.meaning = meaning
    }
  }
}

/// The objects of version 1 as this release writes them. Members marked "where" are absent otherwise.
package enum ObjectTable {
  package static let rows = [message, conversation, section, contact, group, account, cursor]

  private static let accountMember = ObjectRow.Member("account", "name", "Where several accounts are configured.")

  private static let message = ObjectRow(
    name: "message", summary: "One message of a conversation, mine or somebody's.",
    members: [
      .init("id", "number", "The `seq` of the record that made it: unique in the log."),
      .init("conversation", "JID", "With whom; bare."), accountMember,
      .init("from", "JID", "Who wrote it; full where that is known."),
      .init("nick", "string", "What the contact is called, where it has a name."),
      .init("mine", "boolean", "Whether I wrote it."),
      .init(
        "time", "time", "When it was received, or when it was sent if somebody entitled to stamp it did; mine: queued."),
      .init("text", "string", "The body."),
      .init("opens_section", "boolean", "Whether a section begins with it."),
      .init("section", "number", "The `id` of the message that opens its section."),
      .init("state", "string", "Mine: `queued`, `sent`, `delivered`, `displayed`, `failed`, `cancelled`."),
      .init("failure", "object", "Where `state` is `failed`: `condition` (RFC 6120's name, or `expired`) and `text`."),
      .init("in_doubt", "true", "Where the server may have it twice: sent again after a cut, under the same ids."),
      .init(
        "held", "true", "Where it is kept back: by `hold=`, or because it is in doubt. See `release` and `cancel`."),
      .init("key", "string", "The idempotency key, where one was given."),
      .init("origin_id", "string", "XEP-0359's origin-id, where there is one."),
      .init("type", "string", "Where it is not `chat`: `normal`, `headline`."),
      .init("subject", "string", "Where there is one."), .init("thread", "string", "Where there is one."),
      .init("lang", "string", "The text's language, where it is said."),
      .init("delayed", "true", "Where `time` is a stamp, not the time of arrival."),
      .init("claimed_time", "time", "A stamp by somebody who may not set `time`."),
      .init("hits", "array", "In answers of `search`: where in `text`, as pairs of Unicode scalars from 0."),
    ])

  private static let cursor = ObjectRow(
    name: "cursor", summary: "How far a consumer of events has acknowledged them.",
    members: [
      .init("name", "string", "The one of `watch as=`."), .init("seq", "number", "What it acknowledged last."),
    ])

  private static let conversation = ObjectRow(
    name: "conversation", summary: "All messages with one JID over one account.",
    members: [
      .init("jid", "JID", "With whom; bare."), accountMember,
      .init("name", "string", "What to call it."), .init("kind", "string", "`chat`; later also `room`."),
      .init("unread", "number", "Messages after the read position that are not mine."),
      .init("mentions", "number", "Those of them that name me."), .init("count", "number", "All messages."),
      .init("last", "message", "The newest, where there is one."),
      .init("draft", "string", "The shared draft; empty: there is none."),
      .init("read", "number", "The `id` up to which it is read; 0: nothing."),
    ])

  private static let section = ObjectRow(
    name: "section", summary: "Neighbouring messages with no more than the gap between two of them.",
    members: [
      .init("id", "number", "The `id` of its first message."),
      .init("start", "time", "Of its first message."), .init("end", "time", "Of its last message."),
      .init("count", "number", "Its messages."), .init("first", "number", "The `id` of its first message."),
      .init("last", "number", "The `id` of its last message."),
      .init("title", "string", "`YYYY-MM-DD HH:MM` of its first message in the daemon's time zone."),
    ])

  private static let contact = ObjectRow(
    name: "contact", summary: "Somebody of the roster, or who asks to be.",
    members: [
      .init("jid", "JID", "Bare."), accountMember, .init("name", "string", "Where one is set."),
      .init("groups", "array of strings", "May be empty."),
      .init("subscription", "string", "RFC 6121: `none`, `to`, `from`, `both`; `remove` in the event of a removal."),
      .init("ask", "string", "`subscribe` where we asked and have no answer."),
      .init("request", "true", "Where the contact asks us and has no answer."),
      .init("presence", "array", "Of objects with `resource`, `show` and `status`; empty: not available."),
    ])

  private static let group = ObjectRow(
    name: "group", summary: "A group of the roster.",
    members: [
      .init("name", "string", "Its name."), accountMember, .init("contacts", "number", "How many are in it."),
      .init("unread", "number", "Unread messages of all of them."),
    ])

  private static let account = ObjectRow(
    name: "account", summary: "How an account is.",
    members: [
      .init("name", "string", "Its name in the configuration."), .init("jid", "JID", "Bare."),
      .init("state", "string", "`online`, `connecting`, `waiting`, `stopped`, `refused`."),
      .init("since", "time", "When it came into this state."),
      .init("reason", "string", "A sentence for people: why it is so."),
      .init("server", "string", "`host:port` where connected, or tried last."),
      .init("tls", "string", "TLS version and cipher, where connected."),
      .init(
        "sasl", "string",
        "The mechanism and, where the login is bound to the connection, the type of channel binding, where logged in."),
      .init("pinned", "string", "What the last login had, in the same form: nothing weaker is taken (see `unpin`)."),
      .init("queued", "number", "Messages that the server has not acknowledged."),
      .init("held", "number", "Those of them that are kept back."),
      .init("unacked", "number", "Messages transmitted and not yet acknowledged."),
      .init("presence", "object", "What `presence` set: `show` and `status`."),
      .init("retry_at", "time", "Where `waiting`: the next try."),
      .init(
        "roster", "string",
        "Where `online` and the roster is incomplete: why, in words. Up to 100,000 contacts and 16 MiB are taken."),
      .init("carbons", "boolean", "Where `online`: whether the server copies what goes to and from other devices."),
      .init(
        "archive", "object",
        "Where `online`: how far the server's archive is here: `state` (`unknown` yet, `none`: the server has none, "
          + "`catching-up`, `filling`: older messages of the first time, `complete`, `failed`), `taken` (messages taken "
          + "out of it since the login) and, where it failed, `reason`."),
      .init("last_heard", "time", "When the server last sent anything, if it has since the start."),
      .init(
        "gap", "object",
        "The last time (`since`, `until`) in which nothing was taken from the server, because the disk was full or "
          + "failed, and after which neither the stream nor an archive could show what came meanwhile: something may be "
          + "missing."),
    ])
}
