extension VerbTable {
  /// Verbs that concern accounts and the configuration.
  static let connecting: [VerbRow] = [
    VerbRow(
      .presence, "Sets your presence; kept across restarts.",
      arguments: [ArgumentRow(.show, .choice(["available", "away", "xa", "dnd", "chat"]))], text: .optional,
      rights: owners, kind: .command, errors: [.accountNeeded, .notFound, .noSpace, .storage],
      example: "presence away back at ten"),
    VerbRow(
      .connect, "Lets the account connect again; a waiting account tries at once.", rights: owners, kind: .command,
      errors: [.accountNeeded, .notFound, .noSpace, .storage], example: "connect"),
    VerbRow(
      .disconnect, "Closes the account's stream until `connect`, also across restarts.", rights: owners, kind: .command,
      errors: [.accountNeeded, .notFound, .noSpace, .storage], example: "disconnect"),
    VerbRow(
      .unpin, "Accepts a weaker login than before, and connects the account again.",
      details: """
        The daemon remembers how the account logged in (`pinned` of `status`) and takes nothing weaker afterwards: \
        no mechanism without channel binding after one with it, no smaller hash function, no PLAIN after SCRAM. If \
        every address of the server offers less, the account is `refused`, because an attacker in the middle would \
        change the offer in the same way. Ask the server's operator whether the change is intended, then use \
        `unpin`. An open stream stays open; the next login is remembered instead.
        """,
      rights: owners, kind: .command, errors: [.accountNeeded, .notFound, .noSpace, .storage], example: "unpin"),
    VerbRow(
      .reload, "Reads the configuration again.",
      details: """
        `changed` names the keys that took effect, `restart` those that need a restart. Sockets that were removed from their \
        places are made again.
        """,
      rights: owners, kind: .command, errors: [.failed],
      finalLine: #"{"ok":true,"changed":["snap-interval"],"restart":["socket"]}"#, example: "reload"),
  ]
}
