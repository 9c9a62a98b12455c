/// The verbs of version 1 that this release knows, in the order in which `help` lists them.
package enum Verb: String, CaseIterable, Sendable {
  case help, ping, version, quit, status
  case send
  case sendFile = "send-file"
  case fetch
  case fetchStop = "fetch-stop"
  case wait, cancel, release, scheduled, reschedule, retract, react, forward, versions, typing
  case conversations, history, sections, search, read
  case unreadFrom = "unread-from"
  case unread, draft
  case notify, pin, archive
  case forgetHistory = "forget-history"
  case watch, unwatch, focus, ack, cursors, forget
  case emoticons
  case emoticonUsed = "emoticon-used"
  case roster, groups, add, remove, accept, deny
  case join, leave, rooms, room, members, topic, invite, kick, ban, affiliation, role, destroy, configure, voice
  case register
  case ignore, ignored, noise
  case mentionWords = "mention-words"
  case nick, profile
  case block, unblock, blocked, report
  case avatar
  case avatarSet = "avatar-set"
  case avatarRemove = "avatar-remove"
  case encrypt, devices, trust, distrust, fingerprint, verify
  case deviceRemove = "device-remove"
  case sessionReset = "session-reset"
  case presence, connect, disconnect, unpin, reload
}

/// The options of all verbs; which verb takes which, and with what values, is in `VerbTable`.
package enum OptionName: String, CaseIterable, Sendable {
  case wait, timeout, key, expires, hold, reply, replace
  case `for`
  case group, known, limit, before, after, around, row, since
  case untilTime = "until_time"
  case until
  case gap
  case log, `as`
  case `in`, from
  case kinds, name, format
  case pack, match, emoticons
  case all, unstyled
  case reason
  case fetch
  case ignored, clear
  case nick, password, create, at, role, affiliation, direct, moved, anyway
  case encrypt, refresh, verified
}

/// Positional arguments by their names in JSON.
package enum ArgumentName: String, CaseIterable, Sendable {
  /// The recipient of `send`.
  case to
  /// Any other JID.
  case jid
  case room
  /// An occupant of a room.
  case nick
  /// A message; of `device-remove` and `session-reset` a device.
  case id
  /// Emoji, as many as there are.
  case emoji
  /// Words of a list.
  case words
  /// A sequence number.
  case seq
  /// A presence.
  case show
  /// A chat state.
  case state
  /// The messages for which notifications are wanted.
  case level
  /// A file of a message, from 0.
  case index
  /// `yes` or `no`.
  case value
  /// Fields of a form.
  case fields
  /// A list of emoticons.
  case list
  /// The code of an emoticon.
  case code
  /// When messages are encrypted.
  case policy
  /// The digits of an identity key.
  case fingerprint
  /// An `xmpp:` address with identity keys.
  case uri
  /// A verb that help is wanted about.
  case about
}

/// The rights of a listening socket's clients.
package enum Rights: String, CaseIterable, Sendable {
  case full, send, read
}

/// How far a verb reaches.
package enum VerbKind: String, Sendable {
  /// Answers from what there is; sees the effect of every earlier request of its connection.
  case query
  /// Changes something, durably.
  case command
  /// Touches nothing beyond its own connection.
  case local
}

/// The rule for answers out of the order of the requests.
package enum Overtaking: Equatable, Sendable {
  case never, always
  /// Only where this option is given.
  case with(OptionName)
}
