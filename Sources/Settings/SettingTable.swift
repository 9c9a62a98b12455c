/// All keys: what the reader accepts, its errors, the example and the manual come from here.
package enum SettingTable {
  /// In the order in which people read them.
  package static let keys: [SettingKey] = daemon + account + socket

  /// The key of that name in a section.
  package static func key(_ name: String, in section: SettingSection) -> SettingKey? { index[section]?[name] }

  /// The names that a section may have in this version.
  package static func names(in section: SettingSection) -> [String] {
    keys.filter { $0.section == section && $0.isSupported }.map(\.name)
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
      help: "The least important messages that go to the journal."),
    SettingKey(
      .daemon, "dns-server", .dnsServer, default: "the system's", each: \.daemon.dnsServers,
      help: "A DNS server to ask instead of the system's."),
    SettingKey(
      .daemon, "allow-uid", .user, default: "the daemon's own and root", each: \.access.users,
      help: "Another user who may use the socket."),
    SettingKey(
      .daemon, "socket-group", .group, default: nil, to: \.group, help: "The group whose members may use the socket."),
    SettingKey(
      .daemon, "max-connections", .count(1...65_536), default: "1536", to: \.daemon.limits.connections,
      help: "Connections of all sockets together."),
    SettingKey(
      .daemon, "max-connections-per-uid", .count(1...65_536), default: "1280", to: \.daemon.limits.connectionsPerUser,
      help: "Connections of one user."),
    SettingKey(
      .daemon, "max-requests", .count(1...65_536), default: "1024", to: \.daemon.limits.requests,
      help: "Requests of one connection that are taken up and not answered; the next ones wait."),
    SettingKey(
      .daemon, "max-output", .size(4096...(64 << 20)), default: "256K", to: \.daemon.limits.output,
      help: "Bytes that wait to be read by one connection; until it reads, nothing more is made for it."),
    SettingKey(
      .daemon, "max-total-output", .size((1 << 20)...(1024 << 20)), default: "16M", to: \.daemon.limits.totalOutput,
      help: "Bytes that wait to be read by all connections; beyond, each has only its share."),
    SettingKey(
      .daemon, "on-stop", .stopManner, default: "detach at SIGTERM, close at SIGINT", to: \.daemon.onStop,
      help: "Whether a stop leaves the stream for a while, to be resumed, or closes it."),
  ]

  private static let account: [SettingKey] = [
    SettingKey(.account, "jid", .address, default: nil, to: \.account.jid, help: "The account's address."),
    SettingKey(
      .account, "password", .password, default: nil, to: \.account.password,
      help: "The password itself; the configuration must then be readable by its owner alone."),
    SettingKey(
      .account, "password-file", .path, default: nil, to: \.account.passwordFile,
      help: "A file that holds the password in one line."),
    SettingKey(
      .account, "password-command", .command, default: nil, to: \.account.passwordCommand,
      help: "A command for /bin/sh whose first line of output is the password; it has 60 seconds."),
    SettingKey(
      .account, "server", .server, default: "what the DNS says", to: \.account.server,
      help: "Where to connect; the certificate is still checked against the address's domain."),
    SettingKey(
      .account, "tls", .tls, default: "auto", to: \.account.tls,
      help: "How TLS begins: auto tries both ways. There is no plaintext."),
    SettingKey(
      .account, "proxy", .proxy, default: "none", to: \.account.proxy,
      help: "A SOCKS5 proxy such as Tor; it looks names up, and DNS is asked for nothing."),
    SettingKey(
      .account, "ca-file", .path, default: "the system's", to: \.account.caFile,
      help: "The certificate authorities to trust, in PEM, instead of the system's."),
    SettingKey(
      .account, "resource", .resource, default: "a stable random one", to: \.account.resource,
      help: "The name of this client among the account's."),
    SettingKey(
      .account, "plain", .plain, default: "refuse", to: \.account.plain,
      help: "Whether the password itself may be sent (SASL PLAIN, inside TLS) to a server that never offered more."),
    SettingKey(
      .account, "archive-first-sync", .archiveSpan, default: "30d", to: \.account.archiveFirstSync,
      help: "How far back the server's archive is fetched the first time; later on, whatever came meanwhile is."),
    SettingKey(
      .account, "receipts", .told, default: "contacts", to: \.account.receipts,
      help: "Who hears that a message has come, if he asks: contacts who see your presence, or nobody."),
    SettingKey(
      .account, "markers", .told, default: "contacts", to: \.account.markers,
      help: "Who hears that you have read a message, if he asks: contacts who see your presence, or nobody."),
    SettingKey(
      .account, "in-doubt", .doubtManner, default: "resend", to: \.account.inDoubt,
      help: "Whether messages that may have been delivered go again, marked in_doubt, or wait for release or cancel."),
    SettingKey(
      .account, "outbox-max-age", .interval, default: "none", to: \.account.outboxMaxAge,
      help: "A message that could not be sent in this time fails (see expires= of send)."),
  ]

  private static let socket: [SettingKey] = [
    SettingKey(.socket, "path", .socketPath, default: nil, to: \.socket.path, help: "Where it is."),
    SettingKey(.socket, "rights", .rights, default: nil, to: \.rights, help: "What may be asked on it."),
    SettingKey(
      .socket, "to", .recipient, default: "everybody", each: \.socket.recipients,
      help: "Who may be written to on a socket with the right send: a bare JID with all its resources, or a full one."),
    SettingKey(
      .socket, "rate", .rate, default: "without end", to: \.socket.rate,
      help: "How many messages may be sent in what time on a socket with the right send."),
    SettingKey(
      .socket, "allow-uid", .user, default: "who may use [daemon]'s", each: \.access.users,
      help: "Another user who may use it."),
    SettingKey(
      .socket, "socket-group", .group, default: "who may use [daemon]'s", to: \.group,
      help: "The group whose members may use it."),
  ]
}
