import ConfabConfiguration
/// The commands of `confab` itself, which are not verbs of the socket and work with and without a daemon.
package enum LocalCommand: String, CaseIterable, Sendable {
  case doctor, `import`, log, setup

  /// An option of one of them.
  package struct Option: Sendable {
    /// The source of the values that a shell completes.
    package enum Values: Equatable, Sendable {
      case unknown, files, jids
      case words([String])
    }

    /// Without its hyphens.
    package let name: String
    /// The placeholder of its value; nil if it has none.
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
    case .doctor: "Checks all that the daemon needs, and says what is wrong and what to do."
    case .import: "Imports the history of another client."
    case .log: "Reads or changes the log directly: verify, dump, export, import, scrub."
    case .setup: "Sets up an account: asks for address and password, logs in, writes the configuration."
    }
  }

  /// Paragraphs, one a line.
  package var details: String {
    switch self {
    case .doctor:
      """
      Checks configuration, permissions, disk, clock, names, ports, certificates, the daemon with its accounts, and \
      its service. Each check prints a line: `ok`, `warning` or `WRONG`, and what to do. It works with and without a \
      running daemon, disturbs none and logs in to no account. The exit status is 1 if something is wrong, and 0 \
      with warnings alone. With `--json`, one object a line: `check`, `result` (`ok`, `warning` or `wrong`), `text`, \
      and `account` and `advice` if there is one.
      """
    case .import:
      """
      Adds the history of `gajim`, `dino`, `profanity`, `poezio`, `mcabber`, `pidgin`, `psi` or `weechat` to the log, \
      while the daemon is stopped. The client may run. `PATH` is its file or directory; without it the command looks \
      where that client keeps its history. All of it is read before anything is imported. `--check` says what would be \
      added, and imports nothing.
      Messages of an account that the history names go to the account with that JID; all others need `--account`. \
      Messages that the log has already are skipped, by their ids, else by author, text and time, at most a minute \
      apart; so a history may be imported again, before or after the daemon has fetched the server's archive. What \
      cannot be read is reported with its file and line (of a database: the row's number), and the rest is imported.
      Logs of `psi`, `weechat` and old ones of `pidgin` have local times without a zone: they are read in the zone of \
      the machine, or in `--zone`. Logs of `weechat` and `poezio` have nicks alone: yours is the local part of your \
      JID, or what `--nick` says.
      Imported messages are never sent, and start no notices. The exit status is 0 if all of the history is in the \
      log, 1 if something could not be read, failed or belongs to no account of the log, 64 if the command line is wrong \
      or nothing of the history belongs to an account of the log, and 75 if a daemon uses the log.
      """
    case .log:
      """
      All of these read the log directly, with or without a daemon; `import` and `scrub` need the daemon to be \
      stopped. `verify` names broken records, and `dump` shows all records. Each command exits with 74 if standard \
      output cannot be written. Files that root writes into another user's data directory belong to that user, so \
      that the daemon can open them.
      `export` prints the messages as the socket does, with additional members: `resource` (mine: the resource that \
      sent it), `stanza_id` (the stanza's own `id`, unless it is my `origin_id`), `archive_id` (from the account's \
      archive), `depth` (its place among messages of the same time in the archive), `reply_id` (the id in the stanza \
      of a reply), `versions` (what stood there before each edit) and `edit_ids` (the ids in the stanzas of the edits). \
      Its times are UTC; `export --text` prints \
      times and days in the time zone of the process (`TZ`), like `confab history`. If accounts of one name have \
      several JIDs, as after a change of the configuration, `account` is the JID for all but the newest; `import` \
      takes either.
      `import --jsonl FILE` adds messages in the form that `export --jsonl` prints, from standard input if FILE is \
      `-`. Each line needs `conversation`, `time` and `text`, and `from` or `mine`; `null` is the same as absent. \
      Without `mine`, a message `from` the account's own JID is mine. Without `from`, the author is the account if \
      `mine` is true, else the conversation's JID. A line is wrong if `from` is a third JID or contradicts `mine`, \
      or if an address is invalid. A wrong line is reported by its number, and the others are imported.
      A conversation counts as read up to my last message in it, or to where the file says; with `--read` up to its end.
      `import` skips messages that the log already has: those with the same `archive_id` in a conversation; with the \
      same sender and `origin_id`; with the same sender, `stanza_id` and text, if one of the two came late or from \
      an archive; and, if one of the two has no id, with the same sender (any resource), time and text. If the log \
      only knows that such a message of mine was sent, its `state` is added. Messages hidden by `forget-history` do \
      not count. The daemon uses the same ids to recognise imported messages in its server's archive.
      Imported messages of mine are never sent again: a `queued` one becomes `failed`, until a later export reports \
      its state. An imported `key` is shown, but does not keep `send` from sending again. The exit status of \
      `import` is 0 if all messages are in the log, 1 if a line was wrong or something failed, 64 if the command \
      line is wrong or the log has no such account, and 75 if a daemon uses the log.
      `scrub` removes from the log what `forget-history` hid.
      """
    case .setup:
      """
      On a terminal it asks, and does not show the password; otherwise address and password are the first two lines \
      of standard input. It tries the login first: if the login fails, nothing is changed. Then it adds the account \
      to the configuration, with the password in a file of its own that only you can read. An existing account is \
      replaced only with `--replace`. At the end it sends a message to yourself and waits for it. The exit status is \
      1 if something failed, as the last line says, and 3 if the message has not come back in time.
      """
    }
  }

  /// The words after its name in a line of usage, besides options.
  package var arguments: [String] {
    switch self {
    case .log: ["verify", "dump", "export", "import", "scrub"]
    case .import: ["gajim", "dino", "profanity", "poezio", "mcabber", "pidgin", "psi", "weechat"]
    case .doctor, .setup: []
    }
  }

  package var options: [Option] {
    switch self {
    case .doctor: [Self.config]
    case .import: [Self.config] + Self.ofImport
    case .log:
      [
        Self.config,
        Option(
          name: "data", value: "DIR", meaning: "The data directory, instead of the configured one.", values: .files),
        Option(name: "jsonl", value: nil, meaning: "Prints one JSON object a line."),
        Option(name: "text", value: nil, meaning: "Prints text for people."),
        Option(
          name: "in", value: "JID", meaning: "For `export`: only the messages of this conversation.", values: .jids),
        Option(
          name: "account", value: "NAME", meaning: "For `import`: the account of messages without one."
        ),
        Option(
          name: "jid", value: "JID",
          meaning: "For `import`: creates that account with this JID, if there is none of its name."),
        Option(name: "read", value: nil, meaning: "For `import`: all messages of the file count as read."),
      ]
    case .setup: [Self.config] + Self.ofSetup + Self.ofAccount
    }
  }

  private static let config = Option(
    name: "config", value: "FILE", meaning: "The configuration, instead of the one that confabd finds.", values: .files)

  private static let ofImport = [
    Option(name: "data", value: "DIR", meaning: "The data directory, instead of the configured one.", values: .files),
    Option(name: "account", value: "NAME", meaning: "The account for messages that name none or an unknown one."),
    Option(name: "jid", value: "JID", meaning: "Creates the account of --account with this JID if it does not exist."),
    Option(name: "zone", value: "ZONE", meaning: "The zone of local times: `Europe/Berlin`, or `+02:00`."),
    Option(
      name: "nick", value: "NICK=JID", meaning: "The JID of a nick, for logs that have only nicks; may be repeated."),
    Option(name: "check", value: nil, meaning: "Prints what would be imported; imports nothing."),
    Option(name: "read", value: nil, meaning: "Marks all imported messages as read."),
  ]

  private static let ofSetup = [
    Option(name: "name", value: "NAME", meaning: "The name of the account in the configuration, instead of `home`."),
    Option(name: "replace", value: nil, meaning: "Replaces an existing account of that name."),
    Option(name: "enable-service", value: nil, meaning: "Enables and starts the user's service without asking."),
    Option(name: "no-service", value: nil, meaning: "Does not ask about the service, and leaves it alone."),
  ]

  /// The keys of an account except address and password.
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
