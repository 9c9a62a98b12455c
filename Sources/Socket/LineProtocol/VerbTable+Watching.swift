extension VerbTable {
  /// Verbs that concern events, and the consumers of events that have names.
  static let watching: [VerbRow] = [
    VerbRow(
      .watch, "Shows events from now on, or from an earlier number.",
      details: """
        The answer comes at once and says where the watch starts. Event lines follow, each with `event` and the \
        watch's `tag`, never between the lines of one answer: first the durable events after `since`, each with \
        `seq`, then `{"event":"caught-up","seq":N}`, then live ones. A `since` above the greeting's `last`, or the \
        UUID of another log in `log=`, is `other-log`. A connection has one watch at most.

        With `as=` the watch starts after the last event that was acknowledged under this name (`ack`). Events that \
        were delivered but not acknowledged are delivered again to the next watch with the name, whether the \
        consumer ended or the daemon. A new name starts at `since`, or now; for a known name `since` has no effect. \
        One client uses a name at a time; for a second one it is `busy`. A socket with the right `read` may watch \
        only without `as=`.
        """,
      options: [
        OptionRow(.since, .sequence, default: "now", "Starts with the durable events after this number."),
        OptionRow(.log, .word, "The UUID of the log that `since` belongs to; checked against this log's."),
        OptionRow(.as, .key, "The name under which this consumer acknowledges."),
        OptionRow(.in, .jid, "Only events of this conversation."),
        OptionRow(
          .kinds, .choices(EventKind.allCases.map(\.rawValue)), "Only these events, and always `caught-up`."),
      ],
      rights: readers, kind: .query,
      errors: [.alreadyWatching, .otherLog, .accountNeeded, .notFound, .notAllowed, .busy, .limit, .noSpace, .storage],
      finalLine: #"{"ok":true,"seq":8123}"#, example: "watch since=8123 kinds=message,state",
      commandOptions: [
        CommandOptionRow(
          .reconnect, "When the connection ends, waits for the daemon and continues after the last event.")
      ]),
    VerbRow(
      .unwatch, "Ends the watch of this connection.", rights: readers, kind: .local, errors: [.notFound],
      example: "unwatch", isCommand: false),
    VerbRow(
      .focus, "Declares which conversation this client shows to a person who is there.",
      details: """
        While any client has a conversation in focus, its `message` events are no `notice`. Without a JID nobody looks \
        at anything. The focus ends with the connection.
        """,
      arguments: [ArgumentRow(.jid, .jid, optional: true)], rights: owners, kind: .local,
      errors: [.accountNeeded, .notFound], example: "focus bob@example.org", isCommand: false),
    VerbRow(
      .ack, "Acknowledges all events up to a number.",
      details: """
        Later watches with the name start after this event, also after a restart. The acknowledgement may come over \
        any connection on which the name is known (`cursors`). A number before the last one changes nothing; one beyond the events delivered under the name \
        is `bad-argument`. (Before the first watch with the name since the daemon's start, every event up to the \
        start counts as delivered.)
        """,
      options: [OptionRow(.as, .key, required: true, "The name of a `watch`.")],
      arguments: [ArgumentRow(.seq, .integer(0...Int.max))], rights: owners, kind: .command,
      errors: [.accountNeeded, .notFound, .noSpace, .storage], example: "ack as=backup 8120"),
    VerbRow(
      .cursors, "Lists the consumers of events and what each has acknowledged.",
      details: """
        A socket with `account =` has its own names for each of its accounts; sockets without it share one set. A \
        request finds only the names of its set: those of its account, or the shared ones. If the socket has several \
        accounts, `account=` chooses one.
        """,
      rights: readers, kind: .query, errors: [.accountNeeded],
      dataLines: [#"{"cursor":{"name":"backup","seq":8120}}"#], example: "cursors"),
    VerbRow(
      .forget, "Forgets the name of a consumer.",
      details: """
        A watch that uses the name continues without one. Each set of names (`cursors`) has at most \
        \(Limits.cursors); each name is kept until it is forgotten.
        """,
      options: [OptionRow(.as, .key, required: true, "The name.")], rights: owners, kind: .command,
      errors: [.accountNeeded, .notFound, .noSpace, .storage], example: "forget as=backup"),
  ]
}
