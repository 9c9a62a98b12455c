extension VerbTable {
  /// Verbs that concern the connection and the daemon itself.
  static let basics: [VerbRow] = [
    VerbRow(
      .help, "What verbs there are, or how one is used.",
      options: [
        OptionRow(
          .format, .choice(["text", "json"]), default: "text", "`json` gives the whole row of the table of verbs.")
      ],
      arguments: [ArgumentRow(.about, .word, optional: true)],
      rights: everyone, kind: .local, errors: [.notFound],
      dataLines: [#"{"verb":{"name":"ping","usage":"ping","summary":"Answers, and that is all."}}"#],
      example: "help ping"),
    VerbRow(
      .ping, "Answers, and that is all.", rights: everyone, kind: .local, example: "ping"),
    VerbRow(
      .version, "The daemon's version.", rights: everyone, kind: .local,
      finalLine: #"{"ok":true,"version":"0.1.0"}"#, example: "version"),
    VerbRow(
      .quit, "Answers what was asked before, then closes the connection.",
      rights: everyone, kind: .local, example: "quit", isCommand: false),
    VerbRow(
      .status, "How each account is.",
      details: """
        States are `online`, `connecting`, `waiting` (for the next try, at `retry_at`), `stopped` (by `disconnect`) \
        and `refused` (a person must look: `reason` says at what). With `for=online` the answer comes when every \
        account asked about is online, or at the time-out. After a start that has to read the whole log, since nothing \
        derived from it could be used, the final line has `reading_log`, how much of a hundred has been read; no \
        account is shown and most other requests wait until it is done. While the disk is full or fails, so that \
        nothing can be stored, the final line has `storage`: its `state` (`full` or `failing`), the `reason` in words, \
        and `since` when. Where something of the log cannot be read any more, the final line has `damaged`: in how \
        many `places`, how many `records` are lost, how many `accounts` have lost their owner, and of the first place \
        `segment`, `offset` and `record`.
        """,
      options: [OptionRow(.for, .choice(["online"]), "Wait until it is so."), timeout],
      rights: readers, kind: .query, overtaking: .with(.for), errors: [.timeout, .notFound],
      dataLines: [
        """
        {"account":{"name":"home","jid":"alice@example.org","state":"online","since":"2026-11-20T09:00:00.000Z",\
        "reason":"","server":"xmpp.example.org:5223","tls":"TLSv1.3","sasl":"SCRAM-SHA-256","pinned":"SCRAM-SHA-256",\
        "queued":0,"held":0,"unacked":0,"presence":{"show":"available","status":""},\
        "last_heard":"2026-11-20T09:10:00.123Z"}}
        """
      ],
      example: "status for=online timeout=10s"),
  ]

  /// Verbs that concern the accounts' connections and the configuration.
  static let daemon: [VerbRow] = [
    VerbRow(
      .presence, "Says how I am, durably until changed.",
      arguments: [ArgumentRow(.show, .choice(["available", "away", "xa", "dnd", "chat"]))], text: .optional,
      rights: owners, kind: .command, errors: [.accountNeeded, .notFound, .noSpace, .storage],
      example: "presence away back at ten"),
    VerbRow(
      .connect, "Lets the account connect, at once if it was waiting.", rights: owners, kind: .command,
      errors: [.accountNeeded, .notFound, .noSpace, .storage], example: "connect"),
    VerbRow(
      .disconnect, "Closes the account's stream, durably until `connect`.", rights: owners, kind: .command,
      errors: [.accountNeeded, .notFound, .noSpace, .storage], example: "disconnect"),
    VerbRow(
      .unpin, "Lets the account log in by less than before, and connects it anew.",
      details: """
        The way in which an account logged in is remembered (`pinned` of `status`), and nothing weaker is taken \
        afterwards: a mechanism without channel binding after one with it, a smaller hash function, PLAIN after SCRAM. \
        If every address of the server offers less, the account is `refused`, because an attacker in the middle would \
        change the offer in the same way. Ask the server's operator whether the change is intended, then say `unpin`. \
        A session that is up stays; the next login is remembered instead.
        """,
      rights: owners, kind: .command, errors: [.accountNeeded, .notFound, .noSpace, .storage], example: "unpin"),
    VerbRow(
      .reload, "Reads the configuration again.",
      details: "`changed` names the keys that hold anew, `restart` those that will only after a restart.",
      rights: owners, kind: .command, errors: [.failed],
      finalLine: #"{"ok":true,"changed":["snap-interval"],"restart":["socket"]}"#, example: "reload"),
  ]
}
