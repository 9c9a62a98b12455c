/// The values of `event`, which `kinds=` chooses from.
package enum EventKind: String, CaseIterable, Sendable {
  case message, edit, retract, reaction, state, read, draft, conversation, roster, room, invitation
  case voiceRequest = "voice-request"
  case readBy = "read-by"
  case emoticonUsed = "emoticon-used"
  case device, encryption, decrypted
  case connection, presence, member, members, typing, transfer, resection, storage
  case caughtUp = "caught-up"

  /// Durable events are records of the log and carry `seq`; a watch with `since=` misses none of them. The others
  /// are delivered once, to the clients that watch.
  package var isDurable: Bool {
    switch self {
    case .message, .edit, .retract, .reaction, .state, .read, .draft, .conversation, .roster, .room, .invitation,
      .voiceRequest, .readBy, .emoticonUsed, .device, .encryption, .decrypted:
      true
    case .connection, .presence, .member, .members, .typing, .transfer, .resection, .storage, .caughtUp: false
    }
  }

  /// One sentence.
  package var summary: String {
    switch self {
    case .message:
      """
      A message was sent or received. `"notice":true`: the user wants to be notified of it, and no client has its \
      conversation in focus (`focus`); only in live events, never in those that `since=` or `as=` deliver again.
      """
    case .edit:
      """
      A message has another text, more is known of its files (uploaded or fetched), one that was changed while it \
      waited has left encrypted, or a change of mine that did not arrive was taken back; `message` is as it stands now. \
      `instead_of`: messages that turned out to be texts of this one, and are none any more.
      """
    case .retract: "A message was taken back."
    case .reaction: "The reactions to a message changed."
    case .state:
      """
      A message of mine reached a state, failed (`failure`), was cancelled, or may have arrived (`in_doubt`): then it \
      is sent again, unless it is `held`. `time`, if its room has shown others before it: where it stands from now on.
      """
    case .read:
      "The shared read position moved, forward or back (`unread-from`); what arrived up to `id` is read; 0: nothing is."
    case .draft: "The shared draft changed; empty: cleared."
    case .conversation:
      """
      What is set of a conversation changed: by `notify`, `pin` or `archive`, by the end of `until=`, or because a \
      message took it out of the archive. The conversation is as it stands now.
      """
    case .roster: "A contact changed, asks to subscribe, or was removed (`\"subscription\":\"remove\"`)."
    case .invitation:
      "An invitation to a room came, with its `password` if it has one; `direct`: not through the room. `rooms` lists the room as `invited`."
    case .voiceRequest:
      "Somebody who may not speak in a room asks for it; `jid` if the room shows it. `voice` answers, and `requests` of the room lists those that wait."
    case .readBy:
      "Somebody else in a room of at most 20 has displayed all up to message `id` (XEP-0333): `read_by` of messages."
    case .room: "A room has another state, nick, topic, role or affiliation of mine, or configuration."
    case .member:
      """
      Another occupant of a room joined, left or changed: `change` is `joined`, `left`, `nick`, `role`, `affiliation`, \
      `status`, `kicked` or `banned`; `was` is the earlier nick, role or affiliation, `by` the actor.
      """
    case .members:
      """
      More than 20 presences came from a room in a second: instead of `member` events, how many occupants `joined` and \
      `left` in each second, and the `count` of all.
      """
    case .emoticonUsed:
      "An emoticon moved to the front of the recent ones. Watchers of a single account receive it, too."
    case .device:
      "A device that reads encrypted messages is `new` or `gone`, or its `trust` or its key (`key-changed`) is another."
    case .encryption: "It was set whether messages of a conversation are encrypted (`encrypt`)."
    case .decrypted: "A message that was unreadable has its text; `message` is as it stands now."
    case .connection: "An account's connection changed, or the presence that you set for it (`presence`)."
    case .presence:
      """
      A contact's presence changed: that of its resource with the highest priority. Or you blocked the contact \
      (`"blocked":true`), or unblocked it: then that member is absent. \
      With `"presence_known":false`, `unavailable` is no more than that nothing is known (`contact`).
      """
    case .typing:
      """
      A contact's state in a conversation changed. A contact that is `composing` is so until its next message, until it \
      goes offline, or for 30 seconds; then the next event says what it does. In a room of at most 20 occupants it is that \
      of one of them, whose `nick` is there, too.
      """
    case .transfer:
      """
      File `index` of message `id` is being uploaded or fetched: `done` of `total` bytes have moved; without `total`, the \
      server has not said it. At most four a second, and the last one of a file has all of it.
      """
    case .resection:
      """
      Sections between two messages changed, because a late one was put in its place (`from`, `to`), or because \
      `snap-interval` changed or messages were forgotten (neither). Ask again.
      """
    case .storage:
      """
      The disk is `full` or `failing`, and nothing can be stored (`state`, `reason`, `since`, as in the answer of \
      `status`), or storing works again (`ok`). Watchers of a single account receive it, too.
      """
    case .caughtUp: "Everything after `since` up to `seq` has been delivered; what follows is live."
    }
  }

  /// A line, without tag.
  package var example: String {
    switch self {
    case .message: #"{"event":"message","seq":8120,"message":{"id":8120,"conversation":"bob@example.org"}}"#
    case .edit:
      #"{"event":"edit","seq":8121,"conversation":"bob@example.org","id":8120,"message":{"id":8120,"text":"hello"}}"#
    case .retract:
      #"{"event":"retract","seq":8121,"conversation":"bob@example.org","id":8120,"message":{"id":8120,"text":""}}"#
    case .reaction:
      #"{"event":"reaction","seq":8121,"conversation":"bob@example.org","id":8120,"message":{"id":8120,"text":"hi"}}"#
    case .state: #"{"event":"state","seq":8121,"conversation":"bob@example.org","id":8119,"state":"sent"}"#
    case .read: #"{"event":"read","seq":8122,"conversation":"bob@example.org","id":8120}"#
    case .draft: #"{"event":"draft","seq":8123,"conversation":"bob@example.org","text":""}"#
    case .conversation:
      #"{"event":"conversation","seq":8123,"conversation":{"jid":"bob@example.org","notify":"always","pinned":true}}"#
    case .roster: #"{"event":"roster","seq":8124,"contact":{"jid":"bob@example.org","subscription":"both"}}"#
    case .invitation:
      #"{"event":"invitation","seq":8125,"room":"team@rooms.example.org","from":"bob@example.org","reason":"lunch"}"#
    case .voiceRequest:
      #"{"event":"voice-request","seq":8125,"room":"team@rooms.example.org","nick":"bob","jid":"bob@example.org"}"#
    case .readBy: #"{"event":"read-by","seq":8126,"conversation":"team@rooms.example.org","id":8120,"nick":"bob"}"#
    case .room: #"{"event":"room","seq":8125,"room":{"jid":"team@rooms.example.org","state":"joined","nick":"alice"}}"#
    case .member:
      #"{"event":"member","room":"team@rooms.example.org","change":"joined","member":{"nick":"bob","role":"participant"}}"#
    case .members: #"{"event":"members","room":"team@rooms.example.org","joined":31,"left":2,"count":412}"#
    case .emoticonUsed: #"{"event":"emoticon-used","seq":8125,"code":":rocket:"}"#
    case .device:
      #"{"event":"device","seq":8126,"jid":"bob@example.org","change":"new","device":{"jid":"bob@example.org","id":27183}}"#
    case .encryption: #"{"event":"encryption","seq":8127,"conversation":"bob@example.org","encrypt":"always"}"#
    case .decrypted:
      #"{"event":"decrypted","seq":8128,"conversation":"bob@example.org","id":8120,"message":{"id":8120,"text":"hi"}}"#
    case .connection: #"{"event":"connection","account":"home","state":"online","reason":""}"#
    case .presence: #"{"event":"presence","jid":"bob@example.org","show":"away","status":"at lunch"}"#
    case .typing:
      #"{"event":"typing","conversation":"bob@example.org","from":"bob@example.org/phone","state":"composing"}"#
    case .transfer:
      #"{"event":"transfer","conversation":"bob@example.org","id":8120,"index":0,"done":65536,"total":1048576}"#
    case .resection: #"{"event":"resection","conversation":"bob@example.org","from":8101,"to":8120}"#
    case .storage:
      #"{"event":"storage","state":"full","reason":"nothing can be stored: …","since":"2026-11-20T09:10:00.000Z"}"#
    case .caughtUp: #"{"event":"caught-up","seq":8124}"#
    }
  }
}
