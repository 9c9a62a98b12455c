extension VerbTable {
  /// Verbs that send and follow messages.
  static let messages: [VerbRow] = [
    VerbRow(
      .send, "Sends a message; `ok` means that it is on stable storage and will be sent.",
      details: """
        A message to an unknown bare JID is queued, too; the server's error makes it `failed`. A message to a full \
        JID goes to that resource and belongs to the bare JID's conversation. A message to the account's own JID is \
        `delivered` once it has come back.

        `sent`: the server has acknowledged the message. `delivered`: a client of the recipient has (XEP-0184). \
        `displayed`: it was read there (XEP-0333). Many clients report neither of the last two, so wait for them \
        with a `timeout`. With `wait=` the answer comes when that state is reached. On `timeout` and `failed` the \
        answer has `id` and `state`; the message stays stored, and after a `timeout` it is still sent.

        `key=` is an idempotency key of the account, kept for 30 days, at most the newest \(Limits.keys). The same \
        key never sends twice: the answer has the first message's `id`, its present `state` and `"repeated":true`. \
        The same key with another JID or text is `key-mismatch`. A random key makes it safe to repeat a request \
        whose answer was lost. Each `[socket NAME]` of the configuration has keys of its own.

        `expires=` limits how long the message may wait to be sent. After that it is not handed to the server \
        (again), online or not, and becomes `failed` with the condition `expired`; a copy that the server already \
        has may still arrive. `outbox-max-age` of the configuration is the same for all messages of an account. \
        `hold=` keeps the message back for a time; until it is sent, `cancel` takes it back. Both times count from \
        when the message was stored, across restarts.

        A socket with the right `send` may be limited to certain JIDs (`not-allowed`, with `"argument":"to"`), and \
        to a number of messages in a time (`limit`, with `retry_after`, a duration).
        """,
      options: [
        OptionRow(.wait, .choice(deliveryStates), "Answers only when the message has reached this state."),
        timeout,
        OptionRow(.key, .key, "Makes it safe to repeat the request."),
        OptionRow(.expires, .duration, "How long the message may wait to be sent; longer than `hold`."),
        OptionRow(.hold, .duration, "How long the message is kept back."),
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
      .wait, "Waits until a message of mine has reached a state, or a later one.",
      details: """
        The order is `queued`, `sent`, `delivered`, `displayed`. If the message failed, the error is `failed`, with \
        `state`; if it is not mine, `bad-argument`. A socket with the right `send` may wait for messages that it \
        sent itself, and finds no others (`not-found`).
        """,
      options: [OptionRow(.for, .choice(deliveryStates), required: true, "The state to wait for."), timeout],
      arguments: [ArgumentRow(.id, .id)],
      rights: everyone, kind: .query, overtaking: .always,
      errors: [.notFound, .timeout, .failed],
      finalLine: #"{"ok":true,"state":"sent"}"#, example: "wait for=sent 8120"),
    VerbRow(
      .cancel, "Takes back a message of mine that has not been sent.",
      details: """
        `ok` means that the message was never sent and never will be; it stays in the history as `cancelled`. A \
        message that was sent, or may have been, is `not-found`, with its `state`. A message that is kept back \
        because it is in doubt (`in-doubt = hold`) is not sent again, whether it arrived before or not. Cancelling \
        twice has no further effect.
        """,
      arguments: [ArgumentRow(.id, .id)],
      rights: owners, kind: .command, errors: [.notFound, .noSpace, .storage],
      finalLine: #"{"ok":true,"id":8120,"state":"cancelled"}"#, example: "cancel 8120"),
    VerbRow(
      .release, "Sends a message that is kept back.",
      details: """
        A message with `hold=` is sent before its time is over. A message in doubt, if the account has `in-doubt = \
        hold`, is sent again with the same ids. It is queued after all waiting messages. A message that is not kept \
        back is `not-found`.
        """,
      arguments: [ArgumentRow(.id, .id)],
      rights: owners, kind: .command, errors: [.notFound, .noSpace, .storage],
      finalLine: #"{"ok":true,"id":8120,"state":"queued"}"#, example: "release 8120"),
    VerbRow(
      .typing, "Reports to a contact what you are doing in the conversation.",
      details: """
        `composing`: you are typing. `paused`: you have stopped. `active`, `inactive`, `gone`: you attend to the \
        conversation, look elsewhere, have left it. The state is sent to contacts that may see your presence or have \
        sent a state themselves, and not twice in a row; for others the answer is `ok`, and nothing is sent. `paused` \
        is sent 30 seconds after the last `composing`, and when the client that sent it disconnects. Nothing of it is \
        stored.
        """,
      arguments: [
        ArgumentRow(.jid, .jid),
        ArgumentRow(.state, .choice(["composing", "paused", "active", "inactive", "gone"])),
      ],
      rights: owners, kind: .command, errors: [.notConnected, .accountNeeded, .notFound],
      example: "typing bob@example.org composing"),
  ]

  /// Verbs that show what was said, and what goes with a conversation.
  static let conversations: [VerbRow] = [
    VerbRow(
      .conversations, "Lists the conversations, newest first.",
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
      .history, "Shows messages of a conversation, oldest first.",
      details: """
        Without a position the newest `limit` messages; at most one position. `before` and `after` leave the message \
        itself out. `around` gives floor(`limit`/2) messages before it, then the message and those after it; a short \
        side is not made up on the other. `since` <= time < `until_time` filters first and cannot be combined with \
        `row`; a position may be a message that the filter hides. Rows count from 0 at the oldest.

        In the final line `count` counts the whole conversation, `first_row` is the row of the first message shown, \
        and `more_before` and `more_after` hold within the filters. `seq` is the state that the answer shows: `watch \
        since=` with this number continues without a gap. Messages in a damaged part of the log are skipped: the \
        page is filled up with the next messages, but a page by `row` leaves them out.
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
      .sections, "Lists the newest sections of a conversation, oldest first.",
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
        The text is searched as it is written, spaces included, also inside words, in every script, regardless of \
        case (Unicode's full case folding: `STRASSE` finds `Straße`) and of how characters are composed. `hits` has \
        the matches of a message, at most 100: pairs of beginning and end, in Unicode scalars from 0. The newest \
        message is the last one in the order of conversations: by `time`, then by the archive's order, then by `id`.

        `since` <= time < `until_time`. `from=` is the author, the account's own JID for my messages. `more_before` \
        says that there are older matches: `before=` with the `id` of the last one shown continues there. `seq` is \
        the state that the answer shows. Searches skip missing and damaged segments; `unreadable` says how many \
        bytes of them are lost or cannot be read from the disk.

        A search may take long, so other requests overtake it. Each connection runs one search at a time, and all \
        connections together eight; a search ends with its connection. A connection that has eight unanswered \
        searches is not read from until one is answered.
        """,
      options: [
        OptionRow(.in, .jid, "Only in the conversation with this JID."),
        OptionRow(.from, .jid, "Only what this JID wrote."),
        OptionRow(.since, .time, "Only messages of this time or later."),
        OptionRow(.untilTime, .time, "Only messages before this time."),
        limit,
        OptionRow(.before, .id, "Only messages before this one."),
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
        If the sender asked for a marker (XEP-0333) and may see your presence, and the account's `markers` is not \
        `nobody`, the sender gets a marker, at once or after the next login. A marker from another device of yours \
        moves the position, too. `all=yes` reads everything in all conversations, of all accounts or of that of \
        `account=`.
        """,
      options: [OptionRow(.all, .yesOrNo, default: "no", "Everything in all conversations; without a JID.")],
      arguments: [
        ArgumentRow(.jid, .jid, excludedBy: .all), ArgumentRow(.id, .id, optional: true, excludedBy: .all),
      ],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      finalLine: #"{"ok":true,"unread":0,"mentions":0}"#, example: "read bob@example.org 8120"),
    VerbRow(
      .unread, "Counts the unread messages.",
      options: [OptionRow(.in, .jid, "Only in this conversation.")],
      rights: readers, kind: .query, errors: [.notFound, .accountNeeded],
      finalLine: #"{"ok":true,"unread":2,"mentions":0}"#, example: "unread in=bob@example.org"),
    VerbRow(
      .draft, "Shows the shared draft of a conversation, or sets it.",
      details: """
        Without a text the answer has the draft. A text replaces it; an empty text (in words a trailing space, in \
        JSON `"text":""`) clears it. A socket with the right `read` may only show it.
        """,
      arguments: [ArgumentRow(.jid, .jid)], text: .optional,
      rights: readers, kind: .command,
      errors: [.tooLarge, .badEncoding, .notAllowed, .accountNeeded, .noSpace, .storage],
      finalLine: #"{"ok":true,"text":"I was about to say"}"#, example: "draft bob@example.org I was about to say"),
    VerbRow(
      .forgetHistory, "Hides all messages of a conversation from every answer, for good.",
      details: """
        Its draft is cleared. Later messages are shown as usual, and queued ones are still sent. The hidden messages \
        stay in the log until `confab log scrub`, run while the daemon is stopped, removes them. Live watchers get a \
        `resection` without `from` and `to`.
        """,
      arguments: [ArgumentRow(.jid, .jid)],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      example: "forget-history bob@example.org"),
  ]
}
