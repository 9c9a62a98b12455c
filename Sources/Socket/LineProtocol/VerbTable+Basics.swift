extension VerbTable {
  /// Verbs that concern the connection and the daemon itself.
  static let basics: [VerbRow] = [
    VerbRow(
      .help, "Lists the verbs, or shows how one is used.",
      options: [
        OptionRow(
          .format, .choice(["text", "json"]), default: "text", "`json` gives all that the table of verbs says.")
      ],
      arguments: [ArgumentRow(.about, .word, optional: true)],
      rights: everyone, kind: .local, errors: [.notFound],
      dataLines: [#"{"verb":{"name":"ping","usage":"ping","summary":"Checks that the daemon is responding."}}"#],
      example: "help ping"),
    VerbRow(
      .ping, "Checks that the daemon is responding.", rights: everyone, kind: .local, example: "ping"),
    VerbRow(
      .version, "Shows the daemon's version.", rights: everyone, kind: .local,
      finalLine: #"{"ok":true,"version":"0.1.0"}"#, example: "version"),
    VerbRow(
      .quit, "Answers all earlier requests, then closes the connection.",
      rights: everyone, kind: .local, example: "quit", isCommand: false),
    VerbRow(
      .status, "Shows the state of each account.",
      details: """
        States are `online`, `connecting`, `waiting` (for the next try, at `retry_at`), `stopped` (by `disconnect`) \
        and `refused` (a person must act: `reason` says on what). With `for=online` the answer comes when every \
        account asked about is online, or at the timeout.

        The whole log is read at a start without usable derived files, and when the index proves to be damaged. Until \
        that is done, the final line has `reading_log`, the percentage that is read; no account is shown, and most \
        other requests wait. While the disk is full or failing, so that nothing can be stored, the final line has \
        `storage`: its `state` (`full` or `failing`), the `reason` in words, and `since`. If a part of the log cannot \
        be read any more, the final line has `damaged`: the number of damaged `places`, of lost `records`, and of \
        `accounts` whose owner is unknown, and `segment`, `offset` and `record` of the first place.

        If the configuration has hooks, the final line has `hooks`, but not with `for=` and not on a socket that may use \
        some accounts only: an array with the `name` of each and how many \
        events are `pending`, the one that is being run among them (1000: or more). While its command fails, there are \
        `failing_since` and the last `error`. `given_up` has the last event that was given up since the daemon started, \
        or since the hook was changed: its `seq`, the `time` and the `error`.
        """,
      options: [OptionRow(.for, .choice(["online"]), "Waits for this state."), timeout],
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
}
