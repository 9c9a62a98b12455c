/// Receives the messages and errors of a history from its reader.
protocol HistorySink {
  mutating func take(_ message: ForeignMessage) throws(HistoryFailure)

  /// Reports a part that cannot be read; the reader continues after it.
  mutating func reject(_ place: ForeignPlace, _ reason: String)

  /// Counts an entry that is not a message: a status, a join, an empty text.
  mutating func pass()
}

/// Facts that a history lacks, from the command line or the log.
struct HistorySurroundings {
  /// Converts local times to UTC.
  var clock: HistoryClock
  /// The bare JID of the account for histories that name none.
  var owner: String?
  /// JIDs by nick, for logs that have only nicks.
  var nicks: [String: String] = [:]
  /// True if the log knows the bare JID as a room's.
  var isRoom: (String) -> Bool = { _ in false }
  /// The user's home directory.
  var home: String?

  /// True if a nick of a log is the account's own: by the table of nicks, else the local part of its JID.
  func isOwn(_ nick: String, _ own: String?) -> Bool {
    if let jid = nicks[nick] { return jid == own }
    guard let own else { return false }
    return nick == own || nick == own.prefix { $0 != "@" }
  }
}

/// A client whose history can be imported.
struct ForeignClient: Sendable {
  /// A place where the client keeps its history.
  enum Place: Sendable {
    /// Below the user's home directory.
    case home(String)
    /// Below an XDG directory: its variable, the directory below home without it, and the rest.
    case xdg(String, String, String)

    func path(_ environment: [String: String]) -> String? {
      func value(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
      switch self {
      case .home(let rest): return value("HOME").map { $0 + "/" + rest }
      case .xdg(let name, let usual, let rest):
        return (value(name) ?? value("HOME").map { $0 + "/" + usual }).map { $0 + "/" + rest }
      }
    }
  }

  /// The name on the command line.
  let name: String
  let places: [Place]
  /// Reads a file or a directory of the client.
  let read: @Sendable (String, HistorySurroundings, inout any HistorySink) throws(HistoryFailure) -> Void

  static let all = [
    ForeignClient(
      name: "gajim", places: [.xdg("XDG_DATA_HOME", ".local/share", "gajim/logs.db")], read: GajimHistory.read),
    ForeignClient(
      name: "dino", places: [.xdg("XDG_DATA_HOME", ".local/share", "dino/dino.db")], read: DinoHistory.read),
    ForeignClient(
      name: "profanity", places: [.xdg("XDG_DATA_HOME", ".local/share", "profanity/database")],
      read: ProfanityHistory.read),
    ForeignClient(
      name: "poezio", places: [.xdg("XDG_DATA_HOME", ".local/share", "poezio/logs")], read: PoezioHistory.read),
    ForeignClient(name: "mcabber", places: [.home(".mcabber/histo")], read: McabberHistory.read),
    ForeignClient(name: "pidgin", places: [.home(".purple/logs/jabber")], read: PidginHistory.read),
    ForeignClient(name: "psi", places: [.xdg("XDG_DATA_HOME", ".local/share", "psi")], read: PsiHistory.read),
    ForeignClient(
      name: "weechat",
      places: [.xdg("XDG_DATA_HOME", ".local/share", "weechat/logs"), .home(".weechat/logs")],
      read: WeechatHistory.read),
  ]

  /// The names of all clients, for messages and help.
  static var names: String { all.map(\.name).joined(separator: ", ") }

  static func named(_ name: String) -> ForeignClient? { all.first { $0.name == name } }
}
