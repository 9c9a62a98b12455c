extension VerbTable {
  /// Verbs that send and follow messages.
  static let messages: [VerbRow] = [
    VerbRow(
      .send, "Sends a message; `ok` means it is on stable storage and will go out.",
      details: """
        A bare JID that nobody knows is queued too: the server's error makes it `failed`. A full JID is sent there and \
        belongs to the bare one's conversation. One to the account's own JID is `delivered` once it has come back.

        `sent` is the server's word. `delivered` is the word of a client of the recipient's (XEP-0184), `displayed` that \
        it was read there (XEP-0333): many clients say neither, so wait for them with a `timeout`. With \
        `wait=` the answer comes when that state is reached; on `timeout` and `failed` it carries `id` and `state`: the \
        message is stored and still goes its way.

        `key=` is an idempotency key of the account, kept 30 days and the newest \(Limits.keys): the same key never \
        sends twice, and answers with the first one's `id`, its present `state` and `"repeated":true`; the same key \
        with another JID or text is `key-mismatch`. A random one makes it safe to repeat a request whose answer was lost. \
        Each `[socket NAME]` of the configuration has keys of its own.

        `expires=` is how long it may wait to be sent: after that it is never handed to the server (any more), and becomes \
        `failed` with the condition `expired`, online or not. What is on its way by then may arrive. `outbox-max-age` of \
        the configuration is the same for all messages of an account. `hold=` keeps it back for so long; until it goes \
        out, `cancel` takes it back. Both times are from when it was stored, and hold over restarts.

        A socket with the right `send` may be for certain JIDs only (`not-allowed`, with `"argument":"to"`), and for so \
        many messages in so much time (`limit`, with `retry_after`, a duration).
        """,
      options: [
        OptionRow(.wait, .choice(deliveryStates), "Answer only when the message has got that far."),
        timeout,
        OptionRow(.key, .key, "Makes a repeat safe."),
        OptionRow(.expires, .duration, "It is not sent later than this; longer than `hold`."),
        OptionRow(.hold, .duration, "It is kept back for so long."),
      ],
      arguments: [ArgumentRow(.to, .jid)], text: .required,
      rights: [.full, .send], kind: .command, overtaking: .with(.wait),
      errors: [
        .tooLarge, .badEncoding, .keyMismatch, .accountNeeded, .notFound, .notAllowed, .limit, .timeout, .failed,
        .noSpace, .storage,
      ],
      finalLine: #"{"ok":true,"id":8120,"state":"queued"}"#,
      example: "send bob@example.org hello"),
    VerbRow(
      .wait, "Waits until a message of mine has got that far or further.",
      details: """
        The order is `queued`, `sent`, `delivered`, `displayed`. `failed` where it failed, with `state`; somebody \
        else's message is `bad-argument`. A socket with the right `send` may wait for what it sent itself, and finds \
        nothing else (`not-found`).
        """,
      options: [OptionRow(.for, .choice(deliveryStates), required: true, "The state to wait for."), timeout],
      arguments: [ArgumentRow(.id, .id)],
      rights: everyone, kind: .query, overtaking: .always,
      errors: [.notFound, .timeout, .failed],
      finalLine: #"{"ok":true,"state":"sent"}"#, example: "wait for=sent 8120"),
    VerbRow(
      .cancel, "Takes a message of mine back that has not gone out.",
      details: """
        `ok` means that it has never gone out and never will; it stays in the history as `cancelled`. One that has left, or \
        may have, is `not-found`, with its `state`. One that is kept back because it is in doubt (`in-doubt = hold`) does \
        not go again, whether it arrived before or not. To take back what is taken back changes nothing.
        """,
      arguments: [ArgumentRow(.id, .id)],
      rights: owners, kind: .command, errors: [.notFound, .noSpace, .storage],
      finalLine: #"{"ok":true,"id":8120,"state":"cancelled"}"#, example: "cancel 8120"),
    VerbRow(
      .release, "Lets a message go out that is kept back.",
      details: """
        One of `hold=` goes before its time is over; one that is in doubt, where the account says `in-doubt = hold`, goes \
        again under the same ids. It stands behind all that waits already. One that is not kept back is `not-found`.
        """,
      arguments: [ArgumentRow(.id, .id)],
      rights: owners, kind: .command, errors: [.notFound, .noSpace, .storage],
      finalLine: #"{"ok":true,"id":8120,"state":"queued"}"#, example: "release 8120"),
  ]

  /// Verbs that show what was said, and what goes with a conversation.
  static let conversations: [VerbRow] = [
    VerbRow(
      .conversations, "The conversations, newest first.",
      details: """
        Conversations are ordered by their newest message; a message dated in the future does not count until then. \
        `more_before` says that more conversations follow the last one shown: `before=` with its JID continues there.
        """,
      options: [
        OptionRow(.group, .word, "Only with the contacts of this group."),
        OptionRow(.before, .jid, "Only conversations after the one with this JID."), limit,
      ],
      rights: readers, kind: .query, errors: [.notFound, .accountNeeded],
      dataLines: [
        """
        {"conversation":{"jid":"bob@example.org","name":"Bob","kind":"chat","unread":2,"mentions":0,"count":412,\
        "last":{"id":8120},"draft":"","read":8101}}
        """
      ],
      finalLine: #"{"ok":true,"more_before":true}"#,
      example: "conversations limit=10"),
    VerbRow(
      .history, "Messages of a conversation, oldest first.",
      details: """
        Without a position the newest `limit`; at most one position. `before` and `after` leave the message itself out; \
        `around` gives floor(`limit`/2) before it, then it and what follows, and a short side is not made up on the \
        other. `since` <= time < `until_time` filters first, and does not go with `row`: a position may be a message that \
        is not shown itself. Rows count from 0 at the oldest. In the final line `count` is the conversation's, `first_row` the row of the first message shown, \
        `more_before` and `more_after` hold within the filters, and `seq` is what the answer shows: \
        `watch since=` that number goes on without a hole. What cannot be read, since the log is damaged, is passed over: \
        a page is filled up with the next messages that can be, but for one by `row`, where it is left out.
        """,
      options: [
        limit,
        OptionRow(.before, .id, "The page that ends before this message."),
        OptionRow(.after, .id, "The page that begins after this message."),
        OptionRow(.around, .id, "The page around this message."),
        OptionRow(.row, .integer(0...Int.max), "The page that begins with this row."),
        OptionRow(.since, .time, "Only messages of this time or later."),
        OptionRow(.untilTime, .time, "Only messages before this time."),
        gap,
      ],
      arguments: [ArgumentRow(.jid, .jid)],
      rights: readers, kind: .query,
      conflicts: [
        (.before, .after), (.before, .around), (.before, .row), (.after, .around), (.after, .row), (.around, .row),
        (.row, .since), (.row, .untilTime),
      ],
      errors: [.notFound, .accountNeeded],
      dataLines: [
        """
        {"message":{"id":8120,"conversation":"bob@example.org","from":"bob@example.org/phone","mine":false,\
        "time":"2026-11-20T09:10:00.123Z","text":"hello","opens_section":true,"section":8120}}
        """
      ],
      finalLine: #"{"ok":true,"count":412,"first_row":362,"more_before":true,"more_after":false,"seq":8123}"#,
      example: "history limit=20 bob@example.org",
      commandOptions: [
        CommandOptionRow(.ids, "Shows the `id` of each message."),
        CommandOptionRow(.seconds, "Shows times to the second."),
      ]),
    VerbRow(
      .sections, "The sections of a conversation, oldest first of the newest.",
      details: "`title` is `YYYY-MM-DD HH:MM` of the section's first message in the daemon's time zone.",
      options: [gap, limit, OptionRow(.before, .id, "The sections older than the one that holds this message.")],
      arguments: [ArgumentRow(.jid, .jid)],
      rights: readers, kind: .query, errors: [.notFound, .accountNeeded],
      dataLines: [
        """
        {"section":{"id":8120,"start":"2026-11-20T09:10:00.123Z","end":"2026-11-20T09:31:00.000Z","count":7,\
        "first":8120,"last":8141,"title":"2026-11-20 09:10"}}
        """
      ],
      example: "sections gap=1h bob@example.org"),
    VerbRow(
      .search, "Finds messages by a part of their text, newest first.",
      details: """
        The text is looked for as it stands, spaces and all, also inside words, in every script, whatever the case (Unicode's \
        full case folding: `STRASSE` finds `Straße`) and however characters are composed. `hits` says where: pairs of where it \
        begins and where it ends, in Unicode scalars from 0; the first 100 of a message. Newest is what stands last in the order \
        of conversations: by `time`, then as the archive has it, then by `id`.

        `since` <= time < `until_time`. `from=` is who wrote it, the account's own JID for mine. `more_before` says that there \
        are older ones: `before=` with the `id` of the last one shown goes on there. `seq` is what the answer shows. What cannot be \
        read, since the log is damaged, is passed over; `unreadable` says how many bytes of it are gone, or the disk does not give. \
        A search may take its time: other requests overtake it. Each connection has one at a time under way, and it ends when the \
        connection does; all connections together have eight. A connection that has asked for eight and has no answer to any \
        yet is heard again when there is one.
        """,
      options: [
        OptionRow(.in, .jid, "Only in the conversation with this JID."),
        OptionRow(.from, .jid, "Only what this JID wrote."),
        OptionRow(.since, .time, "Only messages of this time or later."),
        OptionRow(.untilTime, .time, "Only messages before this time."),
        limit,
        OptionRow(.before, .id, "Only messages that stand before this one."),
      ],
      text: .required,
      rights: readers, kind: .query, overtaking: .always, errors: [.tooLarge, .notFound, .storage],
      dataLines: [
        """
        {"message":{"id":8120,"conversation":"bob@example.org","from":"bob@example.org/phone","mine":false,\
        "time":"2026-11-20T09:10:00.123Z","text":"hello","opens_section":true,"section":8120,"hits":[[1,4]]}}
        """
      ],
      finalLine: #"{"ok":true,"more_before":false,"seq":8123}"#,
      example: "search limit=20 in=bob@example.org ell"),
    VerbRow(
      .read, "Moves the shared read position forward to a message, or to the newest.",
      details: """
        If the sender asked for a marker (XEP-0333), may see your presence, and the account's `markers` does not say \
        `nobody`, the sender gets one: at once or at the next login. A marker from another device of yours moves the \
        position, too. `all=yes` reads everything in all conversations, of all accounts or that of `account=`.
        """,
      options: [OptionRow(.all, .yesOrNo, default: "no", "Everything in all conversations; without a JID.")],
      arguments: [
        ArgumentRow(.jid, .jid, excludedBy: .all), ArgumentRow(.id, .id, optional: true, excludedBy: .all),
      ],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      finalLine: #"{"ok":true,"unread":0,"mentions":0}"#, example: "read bob@example.org 8120"),
    VerbRow(
      .unread, "How many messages are unread.",
      options: [OptionRow(.in, .jid, "Only in this conversation.")],
      rights: readers, kind: .query, errors: [.notFound, .accountNeeded],
      finalLine: #"{"ok":true,"unread":2,"mentions":0}"#, example: "unread in=bob@example.org"),
    VerbRow(
      .draft, "Shows the shared draft of a conversation, or sets it.",
      details: """
        Without a text it answers the draft; with one it sets it; an empty text (in words a trailing space, in JSON \
        `"text":""`) clears it. A socket with the right `read` may only ask.
        """,
      arguments: [ArgumentRow(.jid, .jid)], text: .optional,
      rights: readers, kind: .command,
      errors: [.tooLarge, .badEncoding, .notAllowed, .accountNeeded, .noSpace, .storage],
      finalLine: #"{"ok":true,"text":"I was about to say"}"#, example: "draft bob@example.org I was about to say"),
    VerbRow(
      .forgetHistory, "Hides all messages of a conversation from every answer, for good.",
      details: """
        Its draft is cleared. What comes or is sent afterwards is shown as ever; what waits to be sent is sent. The messages \
        are still in the log: \
        `confab log scrub`, while the daemon is stopped, takes them out of it. Live watchers get a `resection` without `from` \
        and `to`.
        """,
      arguments: [ArgumentRow(.jid, .jid)],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      example: "forget-history bob@example.org"),
  ]
}
