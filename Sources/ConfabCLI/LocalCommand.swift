import Settings

/// The commands that are `confab`'s own and no verbs of the socket: they work with and without a daemon.
package enum LocalCommand: String, CaseIterable, Sendable {
  case doctor, log, setup

  /// An option of one of them.
  package struct Option: Sendable {
    /// Where a shell finds the values that it completes.
    package enum Values: Equatable, Sendable {
      case unknown, files, jids
      case words([String])
    }

    /// Without its hyphens.
    package let name: String
    /// What its value stands for; nil where it has none.
    package let value: String?
    /// For people, a sentence.
    package let meaning: String
    package var values = Values.unknown

    /// `--config FILE`
    package var usage: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
  }

  /// One sentence.
  package var summary: String {
    switch self {
    case .doctor: "Looks at all that the daemon needs, and says what is wrong and how to mend it."
    case .log: "Reads the log itself, or writes to it: verify, dump, export, import, scrub."
    case .setup: "Sets an account up: asks for address and password, logs in, writes the configuration."
    }
  }

  /// Paragraphs, one a line.
  package var details: String {
    switch self {
    case .doctor:
      """
      Configuration, permissions, disk, clock, names, ports, certificates, the daemon with its accounts, and its service: \
      a line each, `ok`, `warning` or `WRONG`, and what to do. It works with and without a running daemon, and disturbs \
      none. Nothing is logged in to. The exit status is 1 where something is wrong; warnings alone are 0. With `--json`, \
      one object a line: `check`, `result` (`ok`, `warning` or `wrong`), `text`, and where there is one `account` and \
      `advice`.
      """
    case .log:
      """
      With or without a daemon, `verify` says which record is broken, if one is; `dump` shows the records; `export` the \
      messages, as the socket does, with some members more: `resource` (mine: by which it was sent from here), `stanza_id` \
      (the stanza's own `id`, where it is no `origin_id` of mine), `archive_id` (the one that the account's archive gave) and \
      `depth` (its place among those of one time in the archive). Its times are UTC; those of `export --text`, and its days, \
      are in the time zone of the process (`TZ`), as `confab history` shows them. Where accounts of one name have several \
      JIDs, as after a change of the configuration, `account` is the JID but for the newest; `import` takes either.
      `import --jsonl FILE` takes messages as `export --jsonl` prints them, from standard input where FILE is `-`, \
      into the log of a daemon that does not run. Needed are `conversation`, `time` and `text`, and `from` or `mine`; \
      what is `null` is not there. Without `mine`, what is `from` the account's own JID is mine; without `from`, it is \
      the account's where `mine` is true, else the conversation's. A line is wrong where `from` is somebody else's, or \
      not what `mine` says. Messages that are there already are passed over: those of one `archive_id` in a \
      conversation; of one sender and `origin_id`, or one sender, `stanza_id` and text where one of the two came late \
      or out of an archive; and where one of them says no id, of one sender (by whatever resource), time and text. \
      Where such a one is mine and the log knows no more than that it was sent, its `state` is added. What \
      `forget-history` hid is not there. By these ids the daemon, too, knows what its server's archive shows it later. \
      Mine are never sent again: what was `queued` is `failed` then, until a later export says what became of it. A \
      `key` is shown, and does not keep `send` from sending again.
      Addresses are prepared as the daemon does it; what is none makes a line wrong. A line that is wrong is told by \
      its number, and the others go on. The exit status of `import` is 0 where all is in the log then, 1 where a line \
      was wrong or something failed, 64 where the command line is wrong or the log has no such account, and 75 where a \
      daemon has the log. Each of these commands exits with 74 where standard output cannot be written. `scrub` takes \
      out of the log what `forget-history` hid, and a daemon must not run for it either. Files that root writes into \
      another user's data directory belong to that user, so that the daemon can open them.
      """
    case .setup:
      """
      On a terminal it asks, and the password is not shown; else address and password are the first two lines of \
      standard input. The login is tried before anything is written: where it fails, everything is as it was. Then the \
      account is added to the configuration, with the password in a file of its own, which only you can read; an account \
      that is there is only replaced with `--replace`. At the end a message goes to yourself and comes back. The exit \
      status is 1 where something failed, which the last line says, and 3 where the message has not come back in time.
      """
    }
  }

  /// What stands behind its name in a line of usage, besides options; empty where nothing does.
  package var arguments: [String] { self == .log ? ["verify", "dump", "export", "import", "scrub"] : [] }

  package var options: [Option] {
    switch self {
    case .doctor: [Self.config]
    case .log:
      [
        Self.config,
        Option(
          name: "data", value: "DIR", meaning: "The data directory; else the one of the configuration.", values: .files),
        Option(name: "jsonl", value: nil, meaning: "A JSON object a line."),
        Option(name: "text", value: nil, meaning: "For people."),
        Option(
          name: "in", value: "JID", meaning: "For `export`: the messages of this conversation alone.", values: .jids),
        Option(
          name: "account", value: "NAME", meaning: "For `import`: the account of messages that name none."
        ),
        Option(
          name: "jid", value: "JID",
          meaning: "For `import`: makes that account with this JID, where there is none of its name."),
      ]
    case .setup: [Self.config] + Self.ofSetup + Self.ofAccount
    }
  }

  private static let config = Option(
    name: "config", value: "FILE", meaning: "The configuration; else where confabd looks for it.", values: .files)

  private static let ofSetup = [
    Option(name: "name", value: "NAME", meaning: "What the account is called in the configuration; else `home`."),
    Option(name: "replace", value: nil, meaning: "Replace the account of that name where there is one."),
    Option(name: "enable-service", value: nil, meaning: "Enable and start the user's service without asking."),
    Option(name: "no-service", value: nil, meaning: "Leave the service alone without asking."),
  ]

  /// The keys of an account that say more than who it is.
  private static let ofAccount = SettingTable.names(in: .account).filter { !identity.contains($0) }.compactMap { name in
    SettingTable.key(name, in: .account).map {
      Option(
        name: name, value: "VALUE", meaning: "The key `\(name)`: \($0.help)",
        values: name == "ca-file" ? .files : .unknown)
    }
  }

  /// The names of `ofAccount`, which go into the configuration as they are.
  static let accountKeys = ofAccount.map(\.name)

  private static let identity: Set = ["jid", "password", "password-file", "password-command"]
}

/// A local command with its options, as the command line has them.
package struct LocalRequest: Equatable, Sendable {
  package var command: LocalCommand
  /// Values by the options' names; empty for those that have none.
  package var options: [String: String] = [:]

  package init(_ command: LocalCommand, _ options: [String: String] = [:]) {
    (self.command, self.options) = (command, options)
  }

  func has(_ name: String) -> Bool { options[name] != nil }
}
