extension VerbTable {
  /// Verbs that follow what happens.
  static let watching: [VerbRow] = [
    VerbRow(
      .watch, "Event lines from here on, or from an earlier number.",
      details: """
        Answered at once with where it starts; then event lines, each with `event` and the watch's `tag`, never between \
        the lines of one answer: the durable ones after `since`, each with `seq`, then `{"event":"caught-up","seq":N}`, \
        then live ones. `since` above the greeting's `last`, or another log's UUID in `log=`, is `other-log`. One watch \
        on a connection.

        With `as=` it starts behind what was acknowledged last by that name (`ack`): what was told and not acknowledged \
        is told again, to whoever comes by that name, whether the consumer ended or the daemon. A new name starts at \
        `since`, or now; for one that is known `since` says nothing. One at a time: for a second one the name is `busy`. \
        A socket with the right `read` may watch without `as=`.
        """,
      options: [
        OptionRow(.since, .sequence, default: "now", "Durable events after this number first."),
        OptionRow(.log, .word, "The UUID of the log that `since` is of; checked against this one's."),
        OptionRow(.as, .key, "The name by which this consumer acknowledges."),
        OptionRow(.in, .jid, "Only events of this conversation."),
        OptionRow(
          .kinds, .choices(EventKind.allCases.map(\.rawValue)), "Only these events; `caught-up` always comes."),
      ],
      rights: readers, kind: .query,
      errors: [.alreadyWatching, .otherLog, .notFound, .notAllowed, .busy, .limit, .noSpace, .storage],
      finalLine: #"{"ok":true,"seq":8123}"#, example: "watch since=8123 kinds=message,state",
      commandOptions: [
        CommandOptionRow(
          .reconnect, "When the connection ends, waits for the daemon and continues after the last event.")
      ]),
    VerbRow(
      .unwatch, "Ends the watch of this connection.", rights: readers, kind: .local, errors: [.notFound],
      example: "unwatch", isCommand: false),
    VerbRow(
      .ack, "Says that everything up to an event is dealt with.",
      details: """
        From then on a watch by that name starts behind it, durably. It may come over any connection. A number before \
        the last one changes nothing; one beyond what was delivered by that name is `bad-argument`. (Until somebody \
        has watched by it since the daemon's start, that is all there was at the start.)
        """,
      options: [OptionRow(.as, .key, required: true, "The name of a `watch`.")],
      arguments: [ArgumentRow(.seq, .integer(0...Int.max))], rights: owners, kind: .command,
      errors: [.notFound, .noSpace, .storage], example: "ack as=backup 8120"),
    VerbRow(
      .cursors, "The names of consumers, and what each has acknowledged.", rights: readers, kind: .query,
      dataLines: [#"{"cursor":{"name":"backup","seq":8120}}"#], example: "cursors"),
    VerbRow(
      .forget, "Forgets the name of a consumer.",
      details: """
        A watch that goes on by it goes on without a name. There may be \(Limits.cursors) names; each is kept until it \
        is forgotten.
        """,
      options: [OptionRow(.as, .key, required: true, "The name.")], rights: owners, kind: .command,
      errors: [.notFound, .noSpace, .storage], example: "forget as=backup"),
  ]

  /// Verbs that concern contacts.
  static let contacts: [VerbRow] = [
    VerbRow(
      .roster, "The contacts, and who asks to become one.",
      details: """
        `ask` is RFC 6121's (`subscribe`: we asked); who asks us has `"request":true` until `accept` or `deny`.
        """,
      rights: readers, kind: .query,
      dataLines: [
        """
        {"contact":{"jid":"bob@example.org","name":"Bob","groups":["Friends"],"subscription":"both",\
        "presence":[{"resource":"phone","show":"away","status":"at lunch"}]}}
        """
      ],
      example: "roster"),
    VerbRow(
      .groups, "The groups of contacts.", rights: readers, kind: .query,
      dataLines: [#"{"group":{"name":"Friends","contacts":12,"unread":2}}"#], example: "groups"),
    VerbRow(
      .add, "Adds a contact or changes it, and asks for its presence.",
      options: [
        OptionRow(.name, .text, "What to call the contact."), OptionRow(.group, .text, "The group to put it in."),
      ],
      arguments: [ArgumentRow(.jid, .jid)], rights: owners, kind: .command,
      errors: [.notConnected, .accountNeeded, .failed, .noSpace, .storage],
      example: "add name=Bob group=Friends bob@example.org"),
    VerbRow(
      .remove, "Removes a contact and ends both subscriptions; the history stays.",
      arguments: [ArgumentRow(.jid, .jid)], rights: owners, kind: .command,
      errors: [.notFound, .notConnected, .accountNeeded, .failed, .noSpace, .storage],
      example: "remove bob@example.org"),
    VerbRow(
      .accept, "Lets a contact see my presence.", arguments: [ArgumentRow(.jid, .jid)], rights: owners, kind: .command,
      errors: [.notFound, .notConnected, .accountNeeded, .noSpace, .storage], example: "accept bob@example.org"),
    VerbRow(
      .deny, "Refuses or takes back the sight of my presence.", arguments: [ArgumentRow(.jid, .jid)], rights: owners,
      kind: .command,
      errors: [.notFound, .notConnected, .accountNeeded, .noSpace, .storage], example: "deny bob@example.org"),
  ]
}
