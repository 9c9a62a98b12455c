extension VerbTable {
  /// Verbs that concern what clients share of a conversation.
  static let reading: [VerbRow] = [
    VerbRow(
      .read, "Moves the shared read position forward to a message, or to the newest.",
      details: """
        What had arrived when the message did is read, wherever it stands: a front end names the largest `id` that it has \
        shown, of messages without `history`.

        If the sender asked for a marker (XEP-0333) and may see your presence, and the account's `markers` is not \
        `nobody`, the sender gets a marker, at once or after the next login. A marker from another device of yours \
        moves the position, too, as do a message that you write there and its chat state `active` (XEP-0085). \
        A retracted message is not unread. `all=yes` reads everything in all conversations, of all accounts or of that of \
        `account=`.
        """,
      options: [OptionRow(.all, .yesOrNo, default: "no", "Everything in all conversations; without a JID.")],
      arguments: [
        ArgumentRow(.jid, .jid, excludedBy: .all), ArgumentRow(.id, .id, optional: true, excludedBy: .all),
      ],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      finalLine: #"{"ok":true,"unread":0,"mentions":0}"#, example: "read bob@example.org 8120"),
    VerbRow(
      .unreadFrom,
      "Moves the shared read position back before a message: it, what follows and what arrived later is unread again.",
      details: """
        The event is `read`, with the new position, or 0. No marker is sent, and a marker from another \
        device of yours moves the position forward again only for messages that had not been read before. A message \
        that is unread already changes nothing. Messages that were fetched as history can be unread, too, if they follow.
        """,
      arguments: [ArgumentRow(.jid, .jid), ArgumentRow(.id, .id)],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      finalLine: #"{"ok":true,"unread":3,"mentions":0}"#, example: "unread-from bob@example.org 8120"),
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
      .notify, "Sets of which messages of a conversation you want to be notified.",
      details: """
        `always` is usual; with `mentions` only messages that name you are a `notice` (in one-to-one conversations none \
        do yet), with `never` none. After `until=` the level that held before holds again, also across restarts. All \
        front ends share the level: `notify` and `notify_until` of a conversation.

        In words, `until=` with a value that begins with a digit is this option; with any other value a text of several \
        lines follows, as with every verb, and the answer is `bad-argument`.
        """,
      options: [OptionRow(.until, .time, "When the level that held before holds again.")],
      arguments: [ArgumentRow(.jid, .jid), ArgumentRow(.level, .choice(["always", "mentions", "never"]))],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      example: "notify bob@example.org never"),
    VerbRow(
      .pin, "Keeps a conversation on top of the lists of all front ends, or no longer.",
      arguments: [ArgumentRow(.jid, .jid), ArgumentRow(.value, .yesOrNo)],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      example: "pin bob@example.org yes"),
    VerbRow(
      .archive, "Puts a conversation away, apart from the lists of all front ends, or takes it back.",
      details: "The next message takes it back, too, unless its `notify` is `never`.",
      arguments: [ArgumentRow(.jid, .jid), ArgumentRow(.value, .yesOrNo)],
      rights: owners, kind: .command, errors: [.notFound, .accountNeeded, .noSpace, .storage],
      example: "archive bob@example.org yes"),
  ]
}
