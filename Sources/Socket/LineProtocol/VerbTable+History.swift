extension VerbTable {
  /// Verbs that concern what was said.
  static let history: [VerbRow] = [
    VerbRow(
      .conversations, "Lists the conversations, newest first.",
      details: """
        Conversations are ordered by their newest message; a message dated in the future does not count until then. \
        `more_before` says that more conversations follow the last one shown: `before=` with its JID continues there. \
        Anybody can begin a conversation: with `known=yes` those of strangers, who are neither in the roster nor were \
        ever written to, are left out, and with `known=no` there are no others. A room that you are in is known.
        """,
      options: [
        OptionRow(.group, .word, "Only with the contacts of this group."),
        OptionRow(.known, .yesOrNo, "Only with people in the roster or written to, or only with others."),
        OptionRow(.before, .jid, "Only conversations after the one with this JID."), limit,
      ],
      rights: readers, kind: .query, errors: [.notFound, .accountNeeded],
      dataLines: [
        """
        {"conversation":{"jid":"bob@example.org","name":"Bob","kind":"chat","unread":2,"mentions":0,"count":412,\
        "last":{"id":8120},"draft":"","read":8101,"known":true,"notify":"always","pinned":false,"archived":false}}
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

        Of a room's archive (XEP-0313) one page is fetched at the first join, and older ones when somebody reads so far \
        back: a page that would begin with the first message here waits until older ones have come. While the room \
        cannot be asked, the page has what is here, and `more_before` says that the archive may have more.
        """,
      options: [
        limit,
        OptionRow(.before, .id, "The page that ends before this message."),
        OptionRow(.after, .id, "The page that begins after this message."),
        OptionRow(.around, .id, "The page around this message."),
        OptionRow(.row, .integer(0...Int.max), "The page that begins with this row."),
        OptionRow(.since, .time, "Only messages of this time or later."),
        OptionRow(.untilTime, .time, "Only messages before this time."),
        OptionRow(.ignored, .yesOrNo, default: "no", "Also messages of ignored occupants of a room (`ignore`)."),
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
        CommandOptionRow(.spoilers, "Shows the texts behind spoilers, and not only their hints."),
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
      .forgetHistory, "Hides all messages of a conversation from every answer, for good.",
      details: """
        A domain means the conversations with the domain itself and with all strangers there, who are neither in the \
        roster nor were ever written to; `kept` counts the conversations with others there. `forgotten` counts the \
        conversations that had something new to hide; nothing is written for the others. Their drafts are cleared, \
        and the nicknames of strangers who ask to see my presence. JIDs and domains without a conversation are accepted \
        too: `confab log scrub` then erases what else the log has of them, such as nicknames, statuses of presences and \
        stanzas that were not understood. Later messages are shown as usual. \
        Queued ones are still sent, and can be cancelled by their ids as long as they wait. The hidden messages stay in \
        the log until `confab log scrub`, run while the daemon is stopped, removes them. Live watchers get a `resection` without \
        `from` and `to`. On a full disk it uses the room that is kept in reserve.
        """,
      arguments: [ArgumentRow(.jid, .jid)],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      finalLine: #"{"ok":true,"forgotten":1,"kept":0}"#,
      example: "forget-history bob@example.org"),
  ]
}
