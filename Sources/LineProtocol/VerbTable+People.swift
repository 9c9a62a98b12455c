extension VerbTable {
  /// Verbs that concern other people than as contacts.
  static let people: [VerbRow] = [
    VerbRow(
      .block, "Blocks a JID or a domain: the server delivers nothing from it any more.",
      details: """
        The server keeps the list (XEP-0191), so it holds for all devices of the account. A bare JID blocks an account, \
        a domain everybody there, a full JID one resource. You look offline to whoever is blocked, and messages to them \
        fail. The contact and the history stay.
        """,
      arguments: [ArgumentRow(.jid, .jid)], rights: owners, kind: .command, errors: blockingErrors,
      example: "block mallory@example.org"),
    VerbRow(
      .unblock, "Takes a JID or a domain off the block list.",
      details: """
        It has to be written as `blocked` lists it: unblocking an account does not undo the block of its domain.
        """,
      arguments: [ArgumentRow(.jid, .jid)], rights: owners, kind: .command, errors: blockingErrors,
      example: "unblock mallory@example.org"),
    VerbRow(
      .blocked, "Lists the blocked JIDs and domains, as the server has them now.", rights: readers, kind: .query,
      errors: blockingErrors, dataLines: [#"{"blocked":{"jid":"mallory@example.org"}}"#], example: "blocked"),
    VerbRow(
      .report, "Blocks a JID and reports it to the operators of your server.",
      details: """
        `reason=` says whether it sends unwanted messages (`spam`) or is abusive in another way (`abuse`). The text is \
        for the operators. The report names the JID and holds no messages, and nothing in it allows the operators to \
        forward it (XEP-0377). Where the server takes no reports (`not-supported`), nothing is blocked either.
        """,
      options: [OptionRow(.reason, .choice(["spam", "abuse"]), default: "spam", "Why it is reported.")],
      arguments: [ArgumentRow(.jid, .jid)], text: .optional, rights: owners, kind: .command,
      errors: [.tooLarge, .badEncoding] + blockingErrors,
      example: "report reason=abuse mallory@example.org insults everybody"),
  ]

  private static let blockingErrors: [ErrorCode] = [.notSupported, .notConnected, .accountNeeded, .timeout, .failed]
}
