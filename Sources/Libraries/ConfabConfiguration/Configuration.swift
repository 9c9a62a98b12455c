package import Clocks

/// The configuration file, read and checked (confab.conf(5)). If two are equal, a reload changes nothing.
package struct Configuration: Equatable, Sendable {
  package var daemon = DaemonSettings()
  /// In the order of the file; names are unique.
  package var accounts: [AccountSettings] = []
  /// The `[socket NAME]` sections in the order of the file; names and paths are unique.
  package var sockets: [SocketSettings] = []
  /// The `[hook NAME]` sections in the order of the file; names are unique.
  package var hooks: [HookSettings] = []

  package init() {}

  /// Every socket that is served, the main one first.
  ///
  /// - Parameter path: the path of the main socket; nil if it does not matter.
  package func servedSockets(main path: String? = nil) -> [SocketSettings] {
    var main = SocketSettings(path: path)
    main.access = daemon.access
    return [main] + sockets
  }
}

/// `[daemon]`.
package struct DaemonSettings: Equatable, Sendable {
  /// Path of the Unix socket; nil: the default of docs/PROTOCOL.md, "Connection".
  package var socket: String?
  /// The users of the main socket, and of each socket section that names none.
  package var access = SocketAccess()
  package var limits = ConnectionLimits()
  /// Path of the data directory; nil: the default.
  package var data: String?
  /// The gap that cuts sections.
  package var snapInterval = Interval.hours(24)
  package var logLevel = LogLevel.info
  /// nil: as the signal says.
  package var onStop: StopPolicy?
  /// IP addresses as `address` or `address:port`, IPv6 in brackets, in the order of the file; empty: the system's.
  package var dnsServers: [String] = []
  package var files = FileSettings()
  /// With less free space, texts of strangers are left in the server's archive.
  package var strangersFloor = 64 << 20

  package init() {}
}

/// How much of the daemon front ends can take up; what is beyond is turned away or waits.
package struct ConnectionLimits: Equatable, Sendable {
  /// Connections of all sockets together, and of one user.
  package var connections = 1536
  package var connectionsPerUser = 1280
  /// The limit of unanswered requests of one connection.
  package var requests = 1024
  /// Bytes waiting to be written to one connection, and to all.
  package var output = 256 << 10
  package var totalOutput = 16 << 20

  package init() {}
}

/// `[account NAME]`.
package struct AccountSettings: Equatable, Sendable {
  package var name: String
  /// The address as written, of the form `local@domain`; prepared by the engine. No two accounts have the same.
  package var jid: String
  /// One of this, `passwordFile` and `passwordCommand` is there; `password(files:commands:)` gives what it says.
  package var password: Secret?
  /// An absolute path.
  package var passwordFile: String?
  /// A command line for the shell.
  package var passwordCommand: String?
  /// Overrides the look-up of SRV records.
  package var server: HostPort?
  package var tls = TLSMode.auto
  /// Connects instead of the daemon and resolves all names.
  package var proxy: Proxy?
  /// Replaces the system's certificate authorities.
  package var caFile: String?
  package var resource: String?
  package var plain = PlainLogin.refuse
  package var archiveFirstSync = ArchiveSpan.since(.days(30))
  /// The contacts that get receipts (XEP-0184) and markers (XEP-0333).
  package var receipts = ReceiptPolicy.contacts
  package var markers = ReceiptPolicy.contacts
  /// The people who learn since when nobody has been there (XEP-0319).
  package var idleTime = ReceiptPolicy.contacts
  package var inDoubt = InDoubtPolicy.resend
  /// A message that was not sent by then fails; nil: it waits.
  package var outboxMaxAge: Interval?
  /// The messages that are encrypted end to end, where the conversation does not say it.
  package var encryption = EncryptionSetting.auto
  /// The devices to which messages are encrypted.
  package var trust = TrustPolicy.blind

  package init(name: String, jid: String) {
    self.name = name
    self.jid = jid
  }

  /// True if both log in the same way at the same server, so that a stream of one can be resumed by the other.
  package func hasSameLogin(as other: Self) -> Bool {
    var copy = other
    (copy.archiveFirstSync, copy.receipts, copy.markers) = (archiveFirstSync, receipts, markers)
    (copy.idleTime, copy.inDoubt, copy.outboxMaxAge) = (idleTime, inDoubt, outboxMaxAge)
    (copy.encryption, copy.trust) = (encryption, trust)
    return copy == self
  }
}

/// `in-doubt =`: the policy for messages that may have been delivered.
package enum InDoubtPolicy: String, CaseIterable, Sendable {
  /// They go again, under the same ids.
  case resend
  /// They are held until a user releases or cancels them.
  case hold
}

/// `encryption =`: which messages are encrypted end to end (XEP-0384).
package enum EncryptionSetting: String, CaseIterable, Sendable {
  /// Messages to contacts with a device that can read them, and all behind the first encrypted one.
  case auto
  case always
  case never
}

/// `trust =`: the devices to which messages are encrypted, beside those that were trusted by command.
package enum TrustPolicy: String, CaseIterable, Sendable {
  /// All, until one of the contact's is verified.
  case blind
  /// Devices that were there for the first message.
  case first
  /// None.
  case manual
}

/// `receipts =`, `markers =` and `idle-time =`: who gets them.
package enum ReceiptPolicy: String, CaseIterable, Sendable {
  /// Contacts who are subscribed to our presence.
  case contacts
  case nobody
}

/// `archive-first-sync`: how much of an archive is fetched the first time.
package enum ArchiveSpan: Hashable, Sendable {
  case none
  /// Messages that are no older than this.
  case since(Interval)
  case all
}

/// `server = HOST[:PORT]`; an IPv6 address stands in brackets, which are not part of `host`.
package struct HostPort: Hashable, Sendable {
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`, checked in shape; nil for anything else.
  package init?(_ text: String, defaultPort: UInt16) {
    guard let place = Endpoint.parse(text, defaultPort: defaultPort) else { return nil }
    self = place
  }
}

/// `tls =`: there is no plaintext.
package enum TLSMode: String, CaseIterable, Sendable {
  case auto, starttls, direct
}

/// `on-stop =`: what becomes of streams when the daemon stops.
package enum StopPolicy: String, CaseIterable, Sendable {
  /// They are left to be resumed, where the server allows that.
  case detach
  case close
}

/// `plain =`: whether a login may send the password itself.
package enum PlainLogin: String, CaseIterable, Sendable {
  case refuse, allow
}

/// `log-level =`, the most talkative last; the raw value is the priority that journald knows (`<3>`).
package enum LogLevel: Int, CaseIterable, Comparable, Sendable {
  case critical = 2
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  /// The name in the configuration.
  package var name: String {
    switch self {
    case .critical: "critical"
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
