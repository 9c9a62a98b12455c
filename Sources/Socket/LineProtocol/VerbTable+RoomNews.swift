extension VerbTable {
  private static let room = ArgumentRow(.room, .jid)

  /// Verbs that say what is news in rooms.
  static let roomNews: [VerbRow] = [
    VerbRow(
      .ignore, "Ignores an occupant of a room, or does so no more.",
      details: """
        Messages that come from an ignored occupant are kept with `"ignored":true`: they are not unread, no mention and no \
        notice, and `history` leaves them out unless `ignored=yes`. The room is not told. The occupant is known by its \
        id (XEP-0421) if the room announces ids, else by its JID if the room shows it, else by its nick until it leaves. \
        An occupant who is not there is `not-found`; `no` takes the nick that it had.
        """,
      arguments: [room, ArgumentRow(.nick, .word), ArgumentRow(.value, .yesOrNo)], rights: owners, kind: .command,
      errors: [.notFound, .limit, .accountNeeded, .noSpace, .storage],
      example: "ignore team@rooms.example.org mallory yes"),
    VerbRow(
      .ignored, "Lists the ignored occupants of a room, or of all.",
      details: "With `jid` or `occupant` by which each is known, if it is not the nick alone.",
      arguments: [ArgumentRow(.room, .jid, optional: true)], rights: readers, kind: .query, errors: [.accountNeeded],
      dataLines: [#"{"ignored":{"room":"team@rooms.example.org","nick":"mallory","occupant":"dd72603d"}}"#],
      example: "ignored team@rooms.example.org"),
    VerbRow(
      .noise, "Sets whose joins, leaves and changes of nick stand in the history of a room.",
      details: """
        Such a message has `"type":"event"`, the `change` (`joined`, `left`, `nick`, `kicked` or `banned`), the `member`, \
        and `was`, `by` and `reason` as the event `member`; its `text` is empty, and `plain` says it in words. It is \
        never unread, a notice or a mention. `smart`: of those who spoke in the 5 minutes before, or speak in the 30 \
        minutes after. `never` is the default.
        """,
      arguments: [room, ArgumentRow(.level, .choice(["never", "smart", "always"]))], rights: owners, kind: .command,
      errors: [.notFound, .accountNeeded, .noSpace, .storage], example: "noise team@rooms.example.org smart"),
    VerbRow(
      .mentionWords, "Shows or sets words that are mentions in rooms, beside your nicks.",
      details: """
        A message in a room is a mention (`"mention":true`) if a line of it that is no quotation has one of these words \
        or a nick of mine as a word, in capitals or not; scripts without spaces have it anywhere. So is one with a mark \
        of me by its sender's client (XEP-0372), if the room announces ids of occupants or shows JIDs. The words are \
        those of all accounts, and of messages that come from now on: at most 100, of 256 bytes each; in JSON they may \
        have spaces, and an empty array clears them, as `clear=yes` does. Without words the answer has the present ones.
        """,
      options: [OptionRow(.clear, .choice(["yes"]), "Removes all words.")],
      arguments: [ArgumentRow(.words, .words, optional: true)], rights: owners, kind: .command,
      errors: [.noSpace, .storage], finalLine: #"{"ok":true,"words":["deploy","小明"]}"#,
      example: "mention-words deploy 小明"),
  ]
}
