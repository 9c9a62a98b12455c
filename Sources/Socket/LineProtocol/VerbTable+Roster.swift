extension VerbTable {
  /// Verbs that concern contacts.
  static let roster: [VerbRow] = [
    VerbRow(
      .roster, "Lists the contacts and the subscription requests.",
      details: """
        `ask` is RFC 6121's (`subscribe`: you asked). A contact who asks to see your presence has `"request":true` \
        until `accept` or `deny`. At most 1,000 requests wait, and 100 of one domain; `requests_left_out` counts those \
        that came beyond since the login. The server repeats them at the next one.
        """,
      rights: readers, kind: .query,
      dataLines: [
        """
        {"contact":{"jid":"bob@example.org","name":"Bob","groups":["Friends"],"subscription":"both",\
        "presence":[{"resource":"phone","show":"away","status":"at lunch"}]}}
        """
      ],
      finalLine: #"{"ok":true,"requests_left_out":12}"#, example: "roster"),
    VerbRow(
      .groups, "Lists the groups of contacts.", rights: readers, kind: .query,
      dataLines: [#"{"group":{"name":"Friends","contacts":12,"unread":2}}"#], example: "groups"),
    VerbRow(
      .add, "Adds or changes a contact, and asks to see its presence.",
      options: [
        OptionRow(.name, .text, "What to call the contact; without it the name stays."),
        OptionRow(.group, .text, "A group to put it in; it stays in its other groups."),
      ],
      arguments: [ArgumentRow(.jid, .jid)], rights: owners, kind: .command,
      errors: [.notConnected, .accountNeeded, .failed, .noSpace, .storage],
      example: "add name=Bob group=Friends bob@example.org"),
    VerbRow(
      .remove,
      "Removes a contact and ends both subscriptions; the history stays. With `group`, removes it from a group.",
      options: [OptionRow(.group, .text, "Only removes the contact from this group.")],
      arguments: [ArgumentRow(.jid, .jid)], rights: owners, kind: .command,
      errors: [.notFound, .notConnected, .accountNeeded, .failed, .noSpace, .storage],
      example: "remove bob@example.org"),
    VerbRow(
      .accept, "Accepts a subscription request: the contact sees your presence.", arguments: [ArgumentRow(.jid, .jid)],
      rights: owners, kind: .command,
      errors: [.notFound, .notConnected, .accountNeeded, .noSpace, .storage], example: "accept bob@example.org"),
    VerbRow(
      .deny, "Declines a subscription request, or cancels a subscription.", arguments: [ArgumentRow(.jid, .jid)],
      rights: owners,
      kind: .command,
      errors: [.notFound, .notConnected, .accountNeeded, .noSpace, .storage], example: "deny bob@example.org"),
  ]
}
