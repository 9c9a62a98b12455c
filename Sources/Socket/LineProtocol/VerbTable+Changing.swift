extension VerbTable {
  /// Verbs that change, forward or look behind messages that are here.
  static let changing: [VerbRow] = [
    VerbRow(
      .retract, "Takes back a message of mine, or in a room, as a moderator, somebody else's.",
      details: """
        Everybody who has it is asked to remove it (XEP-0424); nobody can be made to. Its text is in no answer from \
        then on; `confab log dump` still shows it, and `forget-history` with `confab log scrub` erases it. The answer's \
        `state` is that of the request. One that was kept back or never sent is `bad-argument`: see `cancel`. The \
        message of somebody else is `not-allowed`; in a room the room is asked to retract it (XEP-0425), with the text \
        as the reason: `ok` when it has, `failed` with its words, `not-connected` offline, `not-supported` if it lets \
        nobody do so. In a room of another network (irc) nothing can be retracted.
        """,
      arguments: [ArgumentRow(.id, .id)], text: .optional,
      rights: owners, kind: .command,
      errors: [
        .tooLarge, .badEncoding, .notFound, .notAllowed, .accountNeeded, .notConnected, .failed, .timeout,
        .notSupported,
        .limit, .noSpace, .storage,
      ],
      finalLine: #"{"ok":true,"id":8120,"state":"queued"}"#, example: "retract 8120"),
    VerbRow(
      .react, "Reacts to a message with emoji.",
      details: """
        My reactions to the message are these and no others; without any, they are taken back (XEP-0444). The answer's \
        `state` is that of the reaction. If the recipient refuses it, the reactions before it hold again.
        """,
      arguments: [ArgumentRow(.id, .id), ArgumentRow(.emoji, .words, optional: true)],
      rights: owners, kind: .command,
      errors: [.notFound, .accountNeeded, .notSupported, .limit, .noSpace, .storage],
      finalLine: #"{"ok":true,"id":8120,"state":"queued"}"#, example: "react 8120 👍"),
    VerbRow(
      .forward, "Sends a message with another one inside.",
      details: """
        The other one goes with its author, time and files (XEP-0297), and, for clients that do not know that, quoted in \
        the body; a message inside it goes as text. It is sent from the account of the message, unless `account=` names another. \
        One with a file that is not uploaded yet, or came without an address that can be fetched, is `bad-argument`; more than \(Limits.xmlText) bytes of XML are `too-large`.
        """,
      arguments: [ArgumentRow(.id, .id), ArgumentRow(.jid, .jid)], text: .optional,
      rights: owners, kind: .command,
      errors: [.tooLarge, .badEncoding, .notFound, .notAllowed, .accountNeeded, .limit, .failed, .noSpace, .storage],
      finalLine: #"{"ok":true,"id":8121,"state":"queued"}"#, example: "forward 8120 carol@example.org look"),
    VerbRow(
      .versions, "Lists what stood in a message before each edit, oldest first.",
      details: "A retracted message has none.",
      arguments: [ArgumentRow(.id, .id)],
      rights: readers, kind: .query, errors: [.notFound],
      dataLines: [#"{"version":{"text":"helo","time":"2026-11-20T09:10:00.123Z"}}"#], example: "versions 8120"),
  ]
}
