import ConfabClient

/// The line at the bottom: what has to be said, and keys that help to go on.
struct StatusLine {
  let app: Application
  /// False: the notice stands elsewhere, since it is too long.
  let hasNotice: Bool

  /// Text of the line, and whether it warns.
  var content: (text: String, isAlert: Bool) {
    let pending = app.keys.keys
    if !pending.isEmpty { return (pending.map(\.shortText).joined(separator: " ") + " …", false) }
    if hasNotice, let notice = app.notice { return (notice.text, false) }
    if let viewer = app.screen.viewer { return (viewer.words(app.model.fetches), false) }
    if let copyView = app.screen.surface.copyView { return (copyView.words, false) }
    if app.answers.isOverdue {
      return ("The daemon does not answer. What you type stays, and goes out when it does.", true)
    }
    switch app.model.link {
    case .lost(let reason): return ("No daemon, trying again: \(reason)", true)
    case .connecting: return ("Connecting to the daemon …", false)
    case .connected: break
    }
    if app.composer.vi.isCommanding, !app.screen.isInList { return ("vi: command mode; i inserts", false) }
    if !app.model.storage.isEmpty { return (app.model.storage, true) }
    let troubled = app.model.accounts.filter { $0.state != "online" }
    if let account = troubled.first { return (Self.words(account), account.state == "refused") }
    return (charactersLeft ?? unreadWords, false)
  }

  private static func words(_ account: AccountRow) -> String {
    let who = account.jid.isEmpty ? account.name : account.jid
    if account.state == "stopped" { return "\(who) is \(account.words): /connect connects it again" }
    let reason = account.reason.isEmpty ? "" : ": " + account.reason
    return "\(who) is \(account.state)\(reason)"
  }

  /// How I am, unless I am simply available: `away: at lunch`, on narrow screens `away`; of some of several accounts `away (work)`.
  private var presenceWords: String {
    let rows = app.model.accounts.map { (name: $0.name, words: isNarrow ? $0.presenceWord : short($0.presenceWords)) }
    let told = rows.filter { !$0.words.isEmpty }
    if told.count == rows.count, Set(told.map(\.words)).count == 1 { return told[0].words }
    return told.map { "\($0.words) (\($0.name))" }.joined(separator: "  ")
  }

  private func short(_ words: String) -> String { ShownLine.clean(words, limit: Self.presenceLimit) }

  /// Letters of my presence.
  private static let presenceLimit = 30

  private var isNarrow: Bool { app.screen.surface.columns < Surface.bubbleColumns }

  private var unreadWords: String {
    let unread = app.model.conversations.totalUnread
    let requests = app.model.contacts.requests.count + app.model.contacts.requestsLeftOut
    let kind = isNarrow ? "request" : "contact request"
    let asking =
      requests == 0 ? "" : "\(requests) \(kind)\(requests == 1 ? "" : "s"), \(app.appearance.keyName(.contacts))"
    let strangers = app.model.conversations.strangers.unread
    // On narrow screens the list says it, and a hint at the help has room.
    let others =
      strangers == 0 || isNarrow
      ? "" : "\(strangers)\(app.model.conversations.hasMoreStrangers ? "+" : "") from strangers"
    return [presenceWords, unread == 0 ? "" : "\(unread) unread", others, asking].filter { !$0.isEmpty }.joined(
      separator: "  ")
  }

  /// Near the limit: how much may still be written.
  private var charactersLeft: String? {
    guard !app.screen.isInList, let key = app.screen.focused?.key else { return nil }
    let count = app.composer[key].editor.input.letters.reduce(0) { $0 + $1.utf8.count }
    let left = app.model.greeting.textLimit - count
    guard left < app.model.greeting.textLimit / 10 else { return nil }
    return left >= 0 ? "\(left) bytes left" : "\(-left) bytes too long"
  }

  /// To the next hit, from one.
  private var hit: [UserAction] {
    guard let selected = app.screen.focused?.selected else { return [] }
    return app.model.search?.hits.contains { $0.id == selected } == true ? [.nextHit] : []
  }

  /// Keys that help to go on; what matters less is behind.
  var hints: [String] {
    guard !app.screen.surface.isCopyView else { return [] }
    if let viewer = app.screen.viewer { return viewer.hints(app.model.fetches) }
    let returning: [UserAction] = app.screen.focused?.origin == nil ? [] : [.jumpBack]
    let news: [UserAction] = app.model.conversations.totalUnread > 0 ? [.nextUnread] : []
    let inConversation = returning + hit + (app.messages?.offers ?? [.back, .quit] + news + [.search])
    let actions: [UserAction] =
      [.help] + (app.screen.isInList ? [.open, .switcher, .quit, .search, .contacts] : inConversation)
    let words: [UserAction: String] = [
      .help: "help", .open: "open", .switcher: "switch", .search: "search", .contacts: "contacts", .quit: "quit",
      .back: "back", .jumpBack: "where I was", .nextUnread: "next unread", .reply: "reply",
      .react: "react", .correct: "correct", .cancelMessage: "take back", .forward: "forward", .copy: "copy",
      .nextHit: "next hit", .send: app.messages?.openingWord ?? "",
    ]
    return actions.map { "\(app.appearance.keyName($0)) \(words[$0] ?? "")" }
  }
}
