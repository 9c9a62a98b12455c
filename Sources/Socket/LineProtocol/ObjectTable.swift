/// The objects that answers and events carry, for the reference.
package struct ObjectRow: Sendable {
  package var name: String
  /// Its meaning, one sentence.
  package var summary: String
  package var members: [Member]

  /// One member of an object.
  package struct Member: Sendable {
    package var name: String
    package var type: String
    package var meaning: String

    init(_ name: String, _ type: String, _ meaning: String) {
      (self.name, self.type, self.meaning) = (name, type, meaning)
    }
  }
}

/// The objects of version 1 as this release writes them. Members with a condition ("if") are absent otherwise.
package enum ObjectTable {
  package static let rows = [
    message, conversation, section, room, member, field, contact, group, profile, blocked, account, cursor, device,
    pack, emoticon,
  ]

  private static let device = ObjectRow(
    name: "device", summary: "A device that encrypts end to end (OMEMO), a contact's or one of mine.",
    members: [
      .init("jid", "JID", "Its owner; bare."), .init("id", "number", "Its number, 1 to 2^31 - 1."),
      .init("label", "string", "The name that its owner gave it, if that is signed by its key."),
      .init(
        "fingerprint", "string",
        "Its identity key (Curve25519), 64 hexadecimal digits in lower case, once a bundle or a message has shown it."),
      .init(
        "trust", "string",
        "`verified` (the fingerprint was compared), `trusted`, `blind` (used, as nothing was decided), `undecided` (read, and "
          + "not encrypted to) or `distrusted`."),
      .init("versions", "array", "The versions of OMEMO whose lists have it: `0.3`, `2`."),
      .init("active", "boolean", "Whether a list has it."),
      .init("session", "string", "`none`, `ok`, or `broken`: it was asked for keys and gave none that can be used."),
      .init("last_seen", "time", "If a message of it was decrypted: about when the last one was, to the hour."),
      .init("this", "true", "It is the device of this daemon."),
    ])

  private static let accountMember = ObjectRow.Member("account", "name", "If several accounts are configured.")

  private static let room = ObjectRow(
    name: "room", summary: "A room (XEP-0045); members that are unknown or false are absent.",
    members: [
      .init("jid", "JID", "The room."), accountMember, .init("name", "string", "Its bookmark's name, else its own."),
      .init("description", "string", "The room's description."),
      .init(
        "state", "string",
        "`joined`, `joining`, `waiting` (tried again by itself), `left`, `refused` (never tried again by itself), `invited`."
      ),
      .init("invited_by", "JID", "Who invites me, if it is `invited`."),
      .init("reason", "string", "Why it is `waiting` or `refused`, or the text of the invitation."),
      .init("retry_at", "time", "When a `waiting` one is tried again."),
      .init("moved_to", "JID", "Where a room that was destroyed is now."),
      .init("nick", "string", "Mine in the room."), .init("affiliation", "string", "My affiliation."),
      .init("role", "string", "My role."),
      .init("occupant", "string", "My id in it (XEP-0421)."), .init("topic", "string", "If there is one."),
      .init("topic_by", "string", "The nick of who set it."), .init("topic_time", "time", "When it was set."),
      .init("members", "number", "The number of occupants, while I am in the room."),
      .init("unread", "number", "Messages of others that I have not read."),
      .init("mentions", "number", "How many of them name me."),
      .init("notify", "string", "Of which messages the user wants a `notice`: `always`, `mentions`, `never`."),
      .init("autojoin", "boolean", "If it is joined on each new connection."),
      .init("noise", "string", "If not `never`: `smart` or `always` (`noise`)."),
      .init("members_only", "boolean", "If only members may join."),
      .init("moderated", "boolean", "If only those with voice may speak."),
      .init("pm", "string", "Who may send private messages: `anyone`, `participants`, `moderators` or `none`."),
      .init("avatar", "string", "The SHA-1 of its picture, in hexadecimal."),
      .init("anonymous", "boolean", "If not everybody sees the JIDs of all."),
      .init("public", "boolean", "If its service lists it."),
      .init("persistent", "boolean", "If it stays when the last one leaves."),
      .init("archive", "boolean", "If it keeps what is said (XEP-0313)."),
      .init("caught_up", "boolean", "False while the archive is being fetched."),
      .init("language", "string", "Of the room."),
      .init("gateway", "string", "`irc` for a room of another network."),
      .init(
        "requests", "array", "Occupants who ask for the right to speak: objects with `nick` and, if it is shown, `jid`."
      ),
    ])

  private static let field = ObjectRow(
    name: "field", summary: "One field of a form (XEP-0004).",
    members: [
      .init("name", "string", "Its key; absent of a text to read."),
      .init(
        "type", "string",
        "`boolean`, `fixed`, `hidden`, `jid-multi`, `jid-single`, `list-multi`, `list-single`, `text-multi`, `text-private` "
          + "or `text-single`; `fixed` and `hidden` cannot be set."),
      .init("label", "string", "Its name for people."), .init("description", "string", "If there is one."),
      .init("required", "true", "If it must have a value."),
      .init(
        "value", "string, boolean or array",
        "Of `boolean` a boolean, of types that end in `-multi` an array, of `text-multi` with a string for each line."),
      .init(
        "options", "array", "The values that it can have, if the room lists them: objects with `value` and `label`."),
    ])

  private static let member = ObjectRow(
    name: "member", summary: "An occupant of a room.",
    members: [
      .init("nick", "string", "In the room."), .init("jid", "JID", "If the room shows it."),
      .init("affiliation", "string", "`owner`, `admin`, `member`, `none` or `outcast`."),
      .init("role", "string", "`moderator`, `participant`, `visitor` or `none`."),
      .init("show", "string", "`away`, `xa`, `dnd` or `chat`, of its presence."),
      .init("status", "string", "Of its presence."), .init("occupant", "string", "Its id (XEP-0421)."),
      .init("hats", "array", "Titles that the room gives it (XEP-0317)."),
    ])

  private static let message = ObjectRow(
    name: "message", summary: "One message of a conversation, sent or received.",
    members: [
      .init("id", "number", "The `seq` of the record that made it: unique in the log."),
      .init("conversation", "JID", "With whom; bare."), accountMember,
      .init("from", "JID", "Who wrote it; full if that is known."),
      .init(
        "nick", "string",
        "The contact's name in the roster, else its nickname, if it has one; in a room the sender's, mine too."),
      .init("occupant", "string", "The sender's id in a room (XEP-0421), where that announces ids."),
      .init(
        "nick_is", "string",
        "If `nick` may mislead: `claimed` (the contact chose it), `alike` (it is `me`, a name of mine, or an address)."),
      .init("mine", "boolean", "Whether I wrote it."),
      .init("mention", "boolean", "In a room: true if it names me (`mention-words`)."),
      .init("ignored", "true", "In a room: its sender is ignored (`ignore`)."),
      .init(
        "time", "time",
        "When it was received, or the stamp of a server that may set it; mine: when it was queued, or, where its "
          + "room showed others before it, when the room showed it."),
      .init(
        "text", "string",
        "The newest text, without what stands in the body for replies, forwarded messages, files and changes (XEP-0428); "
          + "empty if retracted."),
      .init(
        "spans", "array",
        """
        If there are any: what stands in `text`, sorted: objects with `start` and `end` (Unicode scalars from 0), `kind` \
        and, of the first four kinds, `target`. `link` (its URI), `mention` (the JID or nick), `topic` (its words), \
        `emoticon` (what its code stands for), and those of XEP-0393, marks included: `strong`, `emphasis`, `strike`, \
        `code`, `preformatted`, `quote`. `log export` has none.
        """),
      .init("unstyled", "true", "If its sender wants no part of it styled: `spans` has none of XEP-0393's kinds."),
      .init("me", "true", "If the text begins with `/me `, which stays in it: it says what its author does."),
      .init("plain", "string", "If it differs from `text`: the whole body; not of an answer to a retracted message."),
      .init(
        "edited", "time",
        "If the text was changed: when it was last. `versions` lists the texts before. Files and messages inside stay, "
          + "unless the change brought others of their kind."),
      .init("retracted", "object", "If it was taken back: `time`, `by` and, if there is one, `reason`."),
      .init(
        "reply_to", "object",
        "If it answers a message: that one's `from` and `text`, as it stands now, and its `id`, if it is here."),
      .init(
        "reactions", "array",
        "If there are any: objects with `emoji`, `from`, an array of bare JIDs, and `mine`, whether I am among them."),
      .init(
        "forwarded", "array",
        "If there are messages inside: objects with `from`, `time`, `text` and, if there are files, `attachments`, "
          + "by the word of who forwarded them, but for files that were fetched (`fetch`)."),
      .init(
        "attachments", "array",
        "If there are files: objects with `url`, `name`, `type`, `size`, `width`, `height` and `animated`, as far as they "
          + "are known: by the word of the sender until the file is fetched, then by its bytes; and `encrypted`, `true` "
          + "where the address leads to what nobody can read without its key, as `fetch` does."),
      .init(
        "encrypted", "object",
        """
        If it is encrypted: `scheme` (`omemo`, `openpgp`, `pgp`, `otr`, else a namespace). Of `omemo` also `version` (`0.3` \
        or `2`), the sender's `device` and its `fingerprint`, the `trust` in it when the message came (see "device"), and \
        of a message of mine `skipped`, the devices of the recipient that cannot read it, as `JID/ID`, if there are any. \
        If it cannot be read, `scheme` and `error` alone: `not-for-this-device`, `no-session`, `damaged`, `old-counter` \
        (its key was used before) or `unknown-scheme`. Its `text` is empty then, and `plain` says so in words, before the \
        body for other clients; the event `decrypted` brings the text, should it be read later.
        """),
      .init("unencrypted", "true", "If it came in plain text into a conversation that is encrypted."),
      .init(
        "spoiler", "string",
        "If its reader shall open the text (XEP-0382): the hint to show until then, empty without one. `text` has all."),
      .init(
        "history", "true",
        "If it was fetched from the archive on its way back, or imported as read: it is not unread, whatever its `id`."),
      .init("opens_section", "boolean", "Whether a section begins with it."),
      .init("section", "number", "The `id` of the message that opens its section."),
      .init("state", "string", "Mine: `queued`, `sent`, `delivered`, `displayed`, `failed`, `cancelled`."),
      .init(
        "failure", "object",
        "If `state` is `failed`: `condition` (RFC 6120's name, `expired`, or one of those of `encrypt`) and `text`."),
      .init("in_doubt", "true", "If the server may have it twice: sent again after a cut, with the same ids."),
      .init(
        "held", "true", "If it is kept back, by `hold=` or because it is in doubt. See `release` and `cancel`."),
      .init("held_until", "time", "If `hold=` keeps it back: until when."),
      .init("key", "string", "The idempotency key, if one was given."),
      .init("origin_id", "string", "XEP-0359's origin-id, if there is one."),
      .init(
        "type", "string",
        "If not `chat`: `normal`, `headline`, or `event` for the coming or going of an occupant (`noise`)."),
      .init(
        "change", "string",
        "Of type `event`: as the event `member`, with `member` and, if there are any, `was`, `by`, `reason`."),
      .init("read_by", "array", "In a room of up to 20: the nicks of those who have displayed it (XEP-0333)."),
      .init("subject", "string", "If there is one; with an empty `text` if the message had no body."),
      .init("thread", "string", "If there is one."),
      .init("lang", "string", "The language of the text, if the sender named it."),
      .init("delayed", "true", "If `time` is a stamp, not the time of arrival."),
      .init("claimed_time", "time", "If the message has a stamp that may not set `time`: the stamp."),
      .init("hits", "array", "In answers of `search`: the matches in `text`, as pairs of Unicode scalars from 0."),
    ])

  private static let cursor = ObjectRow(
    name: "cursor", summary: "How far a consumer of events has acknowledged them.",
    members: [
      .init("name", "string", "The name in `watch as=`."),
      .init("seq", "number", "The last event that it acknowledged."),
    ])

  private static let pack = ObjectRow(
    name: "pack", summary: "A pack of emoticons.",
    members: [
      .init("name", "string", "Its name: that of its file or folder."), .init("title", "string", "The title to show."),
      .init("count", "number", "The number of its emoticons."),
    ])

  private static let emoticon = ObjectRow(
    name: "emoticon", summary: "A code and what it stands for.",
    members: [
      .init("code", "string", "What is written in a text; it has no white space."),
      .init("text", "string", "The characters that it stands for."),
      .init("picture", "string", "If it stands for none: the path of its picture."),
      .init("name", "string", "What it is called, in the language of its pack."),
    ])

  private static let conversation = ObjectRow(
    name: "conversation", summary: "All messages with one JID over one account.",
    members: [
      .init("jid", "JID", "With whom; bare, but of an occupant of a room, in private: `ROOM/NICK`."), accountMember,
      .init("name", "string", "The name to show."),
      .init("kind", "string", "`chat`, `room`, or `private` with one occupant of a room."),
      .init("occupant", "string", "Of a private one: the room's id (XEP-0421) of whom it was begun with, if known."),
      .init("peer_gone", "boolean", "`true`: that person is not in the room, where I am; absent otherwise."),
      .init("unread", "number", "Messages of others that arrived behind the read position, and are no history."),
      .init("mentions", "number", "How many of them name me."),
      .init("count", "number", "The number of all messages but those of ignored occupants."),
      .init("last", "message", "The newest of these, if there is one."),
      .init("draft", "string", "The shared draft; empty if there is none."),
      .init("read", "number", "The `id` up to which it is read; 0 if nothing is."),
      .init(
        "known", "boolean",
        "Whether I have written to them, have them in the roster, or am in the room; else strangers."),
      .init("notify", "string", "Of which messages the user wants a `notice`: `always`, `mentions`, `never`."),
      .init("notify_until", "time", "If that holds for a time: until when."),
      .init("pinned", "boolean", "Whether the user keeps it on top."),
      .init("archived", "boolean", "Whether the user has put it away."),
    ])

  private static let section = ObjectRow(
    name: "section", summary: "Consecutive messages with at most the gap between one and the next.",
    members: [
      .init("id", "number", "The `id` of its first message."),
      .init("start", "time", "The time of its first message."), .init("end", "time", "The time of its last message."),
      .init("count", "number", "The number of its messages."),
      .init("first", "number", "The `id` of its first message."),
      .init("last", "number", "The `id` of its last message."),
      .init("title", "string", "`YYYY-MM-DD HH:MM` of its first message in the daemon's time zone."),
    ])

  private static let contact = ObjectRow(
    name: "contact", summary: "A contact of the roster, or one who asks to subscribe.",
    members: [
      .init("jid", "JID", "Bare."), accountMember, .init("name", "string", "If one is set."),
      .init("nick", "string", "If the contact has published a nickname (XEP-0172)."),
      .init("groups", "array of strings", "May be empty."),
      .init("subscription", "string", "RFC 6121: `none`, `to`, `from`, `both`; `remove` in the event of a removal."),
      .init("ask", "string", "`subscribe` if you asked and have no answer."),
      .init("request", "true", "If the contact asks you and has no answer."),
      .init(
        "blocked", "true", "If you block the contact or its domain (`blocked`): its presence is not known then."),
      .init(
        "presence", "array",
        "Objects with `resource`, `show`, `status` and `idle_since`, the time since which nobody has been there, if the contact says so (XEP-0319); empty if none is available, or if that is not known."
      ),
      .init(
        "presence_known", "false",
        "If nothing is known of its presence: while the account is offline, without a subscription to it, while it is blocked and after, after an error from its server, and if it sent something while it was offline; until it says otherwise."
      ),
    ])

  private static let group = ObjectRow(
    name: "group", summary: "A group of the roster.",
    members: [
      .init("name", "string", "Its name."), accountMember, .init("contacts", "number", "The number of its contacts."),
      .init("unread", "number", "Unread messages of all of them."),
    ])

  private static let profile = ObjectRow(
    name: "profile",
    summary: "What an account says of the person behind it. Each member is absent, a string, or an array of strings.",
    members: [
      .init("jid", "JID", "Bare; a string."), accountMember, .init("full_name", "string", "The name."),
      .init("nickname", "string", "What the person is called; it may differ from the `nick` of the contact."),
      .init("email", "string", "E-mail addresses."), .init("phone", "string", "Telephone numbers."),
      .init("xmpp", "string", "JIDs, as the person gives them."), .init("url", "string", "Web pages."),
      .init("birthday", "string", "As it is written there: mostly `1966-08-06`, maybe without a year."),
      .init("organisation", "string", "Where the person belongs."), .init("title", "string", "The position there."),
      .init("role", "string", "The task there."), .init("address", "string", "Postal addresses, each in one line."),
      .init("language", "string", "Language tags."), .init("note", "string", "Anything else."),
    ])

  private static let blocked = ObjectRow(
    name: "blocked", summary: "One entry of the account's block list.",
    members: [
      .init("jid", "JID", "Bare, a domain, or full where one resource alone is blocked."), accountMember,
    ])

  private static let account = ObjectRow(
    name: "account", summary: "The state of an account.",
    members: [
      .init("name", "string", "Its name in the configuration."), .init("jid", "JID", "Bare."),
      .init("state", "string", "`online`, `connecting`, `waiting`, `stopped`, `refused`."),
      .init("since", "time", "When it came into this state."),
      .init("reason", "string", "A sentence for people: why it is in this state."),
      .init("server", "string", "`host:port`: connected, or tried last."),
      .init("tls", "string", "TLS version and cipher, if connected."),
      .init(
        "sasl", "string",
        "The mechanism and the type of channel binding, if there is one; absent before the login."),
      .init("pinned", "string", "The same of the last login; nothing weaker is taken (see `unpin`)."),
      .init("queued", "number", "Messages that the server has not acknowledged."),
      .init("held", "number", "How many of them are kept back."),
      .init("unacked", "number", "Messages that are sent but not acknowledged."),
      .init("presence", "object", "The presence that `presence` set: `show` and `status`."),
      .init("retry_at", "time", "If `waiting`: the next try."),
      .init(
        "roster", "string",
        "If `online` and the roster is incomplete: the reason. Up to 100,000 contacts and 16 MiB are taken."),
      .init("carbons", "boolean", "If `online`: whether the server sends carbons of the messages of other devices."),
      .init(
        "archive", "object",
        "If `online`: how much of the server's archive is fetched: `state` (`unknown` yet, `none`: the server has none, "
          + "`catching-up`, `filling`: fetching older messages the first time, `complete`, `failed`), `taken` (messages "
          + "fetched since the login), `left` (about how many texts of strangers are left in it while the disk has less "
          + "room than `strangers-floor`, if there are any) and, if it failed, `reason`."),
      .init(
        "rooms", "array",
        "If `online`: objects with `jid`, `state` and `reason` of rooms that have been `waiting` or `refused` for more "
          + "than a minute."),
      .init("last_heard", "time", "When the server last sent anything, if it has since the start."),
      .init(
        "gap", "object",
        "If messages may be missing: the last period (`since`, `until`) in which the disk was full or failing, so that "
          + "nothing was taken from the server, and that neither the stream nor an archive could fill."),
    ])
}
