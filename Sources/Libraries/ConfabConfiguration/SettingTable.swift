/// All keys: the reader, its errors, the example and the manual page are made from this table.
package enum SettingTable {
  /// In the order of the example and the manual page.
  package static let keys: [SettingKey] = daemon + account + socket + hook

  /// The key of that name in a section.
  package static func key(_ name: String, in section: SettingSection) -> SettingKey? { index[section]?[name] }

  /// The names that a section may have.
  package static func names(in section: SettingSection) -> [String] {
    keys.filter { $0.section == section }.map(\.name)
  }

  private static let index: [SettingSection: [String: SettingKey]] =
    Dictionary(grouping: keys, by: \.section).mapValues { rows in
      Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

  private static let daemon: [SettingKey] = [
    SettingKey(
      .daemon, "socket", .socketPath, default: "$RUNTIME_DIRECTORY/socket, else $XDG_RUNTIME_DIR/confab/socket",
      to: \.daemon.socket, help: "The Unix socket for front ends and scripts."),
    SettingKey(
      .daemon, "data", .path, default: "$STATE_DIRECTORY, else $XDG_STATE_HOME/confab (~/.local/state/confab)",
      to: \.daemon.data, help: "The directory that holds the log."),
    SettingKey(
      .daemon, "snap-interval", .interval, default: "24h", to: \.daemon.snapInterval,
      help: "A message that is more than this later than the one before it opens a section of its conversation."),
    SettingKey(
      .daemon, "log-level", .logLevel, default: "info", to: \.daemon.logLevel,
      help: "The lowest level of messages that go to the journal."),
    SettingKey(
      .daemon, "dns-server", .dnsServer, default: "the system's", each: \.daemon.dnsServers,
      help: "A DNS server to use instead of the system's."),
    SettingKey(
      .daemon, "allow-uid", .user, default: "the daemon's own and root", each: \.access.users,
      help: "Another user who may use the socket."),
    SettingKey(
      .daemon, "socket-group", .group, default: nil, to: \.group, help: "The group whose members may use the socket."),
    SettingKey(
      .daemon, "max-connections", .count(1...65_536), default: "1536", to: \.daemon.limits.connections,
      help: "The most connections of all sockets together."),
    SettingKey(
      .daemon, "max-connections-per-uid", .count(1...65_536), default: "1280", to: \.daemon.limits.connectionsPerUser,
      help: "The most connections of one user."),
    SettingKey(
      .daemon, "max-requests", .count(1...65_536), default: "1024", to: \.daemon.limits.requests,
      help: "The most unanswered requests of one connection; further requests wait."),
    SettingKey(
      .daemon, "max-output", .size(4096...(64 << 20)), default: "256K", to: \.daemon.limits.output,
      help: "The most unread bytes of one connection; the daemon answers no more until the client reads."),
    SettingKey(
      .daemon, "max-total-output", .size((1 << 20)...(1024 << 20)), default: "16M", to: \.daemon.limits.totalOutput,
      help: "The most unread bytes of all connections; above it, each connection has only its share."),
    SettingKey(
      .daemon, "on-stop", .stopPolicy, default: "detach at SIGTERM, close at SIGINT", to: \.daemon.onStop,
      help: "Whether a stop leaves the stream to be resumed by the next start (detach), or closes it (close)."),
    SettingKey(
      .daemon, "cache-size", .fileSize, default: "256M", to: \.daemon.files.cacheSize,
      help: "How much of fetched files is kept; those that were fetched longest ago go first."),
    SettingKey(
      .daemon, "fetch-max", .fileSize, default: "64M", to: \.daemon.files.largestFetched,
      help: "The largest file that is fetched."),
    SettingKey(
      .daemon, "fetch-private", .yesOrNo, default: "no", to: \.daemon.files.fetchesPrivate,
      help: "Whether files are fetched from addresses that are not globally reachable, as those of a local network."),
    SettingKey(
      .daemon, "spool-size", .fileSize, default: "1G", to: \.daemon.files.spoolSize,
      help: "How much of files may wait to be uploaded; beyond it no more are taken."),
    SettingKey(
      .daemon, "strangers-floor", .fileSize, default: "64M", to: \.daemon.strangersFloor,
      help:
        "With less free space, texts of strangers (neither in the roster nor written to) are left in the server's archive."
    ),
    SettingKey(
      .daemon, "strip-metadata", .yesOrNo, default: "yes", to: \.daemon.files.stripsMetadata,
      help: "Whether JPEGs are sent without what cameras and programs write in them: where and when they were taken."),
  ]

  private static let account: [SettingKey] = [
    SettingKey(.account, "jid", .address, default: nil, to: \.account.jid, help: "The account's address."),
    SettingKey(
      .account, "password", .password, default: nil, to: \.account.password,
      help: "The password itself; then only its owner may be able to read the configuration."),
    SettingKey(
      .account, "password-file", .path, default: nil, to: \.account.passwordFile,
      help: "A file with the password in one line."),
    SettingKey(
      .account, "password-command", .command, default: nil, to: \.account.passwordCommand,
      help: "A command for /bin/sh that prints the password in its first line, within 60 seconds."),
    SettingKey(
      .account, "server", .server, default: "looked up in DNS", to: \.account.server,
      help: "Where to connect; the certificate is still checked against the address's domain."),
    SettingKey(
      .account, "tls", .tls, default: "auto", to: \.account.tls,
      help: "How TLS begins; auto tries both ways. A connection without TLS is never used."),
    SettingKey(
      .account, "proxy", .proxy, default: "none", to: \.account.proxy,
      help: "A SOCKS5 proxy such as Tor; it resolves all names, and the daemon sends no DNS queries."),
    SettingKey(
      .account, "ca-file", .path, default: "the system's", to: \.account.caFile,
      help: "The certificate authorities to trust instead of the system's, in PEM."),
    SettingKey(
      .account, "resource", .resource, default: "a stable random one", to: \.account.resource,
      help: "The resource, which names this client among the account's clients."),
    SettingKey(
      .account, "plain", .plain, default: "refuse", to: \.account.plain,
      help:
        "Whether the password itself may be sent (SASL PLAIN, inside TLS) to a server that never offered a stronger mechanism."
    ),
    SettingKey(
      .account, "archive-first-sync", .archiveSpan, default: "30d", to: \.account.archiveFirstSync,
      help: "How far back the first sync fetches the server's archive; later ones fetch everything new."),
    SettingKey(
      .account, "receipts", .receiptPolicy, default: "contacts", to: \.account.receipts,
      help: "Whom to send delivery receipts to: `contacts` (those subscribed to your presence) or `nobody`."),
    SettingKey(
      .account, "markers", .receiptPolicy, default: "contacts", to: \.account.markers,
      help: "Whom to send read markers to: `contacts` (those subscribed to your presence) or `nobody`."),
    SettingKey(
      .account, "idle-time", .receiptPolicy, default: "contacts", to: \.account.idleTime,
      help:
        "Who learns since when no front end has shown a conversation, after 5 minutes: `contacts` (those subscribed to your presence) or `nobody`."
    ),
    SettingKey(
      .account, "in-doubt", .inDoubtPolicy, default: "resend", to: \.account.inDoubt,
      help: "Whether messages that may have arrived are sent again, marked in_doubt, or wait for release or cancel."),
    SettingKey(
      .account, "outbox-max-age", .interval, default: "none", to: \.account.outboxMaxAge,
      help: "A message that cannot be sent within this time fails (see expires= of send)."),
    SettingKey(
      .account, "encryption", .encryption, default: "auto", to: \.account.encryption,
      help:
        "Which messages are encrypted end to end (OMEMO): `auto` (those to contacts whose devices can read them, and all behind the first one), `always` (they wait, or fail) or `never`."
    ),
    SettingKey(
      .account, "trust", .trust, default: "blind", to: \.account.trust,
      help:
        "Which devices messages are encrypted to: `blind` (all, until one of the contact's is verified), `first` (those of the first message) or `manual` (those that you trust)."
    ),
  ]

  private static let socket: [SettingKey] = [
    SettingKey(.socket, "path", .socketPath, default: nil, to: \.socket.path, help: "The path of the socket."),
    SettingKey(.socket, "rights", .rights, default: nil, to: \.rights, help: "What clients of the socket may do."),
    SettingKey(
      .socket, "account", .accountName, default: "all", each: \.socket.accounts,
      help: "The name of an account that clients of the socket may use; with several, each request names one."),
    SettingKey(
      .socket, "to", .recipient, default: "everybody", each: \.socket.recipients,
      help: "Whom a socket with the right send may write to: a bare JID with all its resources, or a full one."),
    SettingKey(
      .socket, "encryption", .encryption, default: "that of the conversation", to: \.socket.encryption,
      help: "Overrides the encryption of what is sent by the socket: `always`, `never`, or `auto`."),
    SettingKey(
      .socket, "rate", .rate, default: "unlimited", to: \.socket.rate,
      help: "How many messages a socket with the right send may send in a time."),
    SettingKey(
      .socket, "allow-uid", .user, default: "those of [daemon]", each: \.access.users,
      help: "Another user who may use the socket."),
    SettingKey(
      .socket, "socket-group", .group, default: "those of [daemon]", to: \.group,
      help: "The group whose members may use the socket."),
  ]

  private static let hook: [SettingKey] = [
    SettingKey(
      .hook, "on", .hookEvents, default: nil, to: \.hook.events,
      help:
        "The events that start the command, separated by commas: those of `watch` that are stored; `mention` and `notice` (messages that name you, and that you want to be notified of); `online` and `offline`."
    ),
    SettingKey(
      .hook, "in", .conversations, default: "everywhere", to: \.hook.conversations,
      help: "The people and rooms whose events start the command, separated by spaces or commas."),
    SettingKey(
      .hook, "command", .command, default: nil, to: \.hook.command,
      help: "A command for /bin/sh that gets the event as JSON in one line on its standard input."),
    SettingKey(
      .hook, "timeout", .runTime, default: "1m", to: \.hook.timeout,
      help: "How long one run may take; after that it is killed and counts as failed."),
    SettingKey(
      .hook, "give-up", .interval, default: "1h", to: \.hook.giveUp,
      help: "How long a failing event is repeated, at growing intervals, before it is skipped."),
  ]
}
