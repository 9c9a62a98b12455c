extension VerbTable {
  /// Verbs that concern what clients share of a conversation.
  static let reading: [VerbRow] = [
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
  ]
}
