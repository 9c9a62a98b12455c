import Clocks
import Glyphs
import Screen

/// The sentences of the bars, and what layouts are made with.
extension Application {
  func layout(width: Int) -> LayoutContext {
    var words = environment.words
    words.hasTwelveHours = words.hasTwelveHours || settings.hasTwelveHours
    return LayoutContext(
      width: width,
      isCompact: !settings.hasBubbles || desk.surface.isCopyView || desk.surface.columns < Surface.bubbleColumns,
      widths: desk.surface.capabilities.widths, emoji: desk.surface.capabilities.isConsole ? .names : settings.emoji,
      scheme: scheme, words: words, symbols: Symbols.of(desk.surface.capabilities),
      unfoldKey: keyName(.unfold), takeBackKey: keyName(.cancelMessage), hasAvatars: avatarCanvas != nil)
  }

  private var scheme: ColourScheme {
    var capabilities = desk.surface.capabilities
    switch settings.colours {
    case .auto: break
    case .dark: capabilities.hasDarkBackground = true
    case .light: capabilities.hasDarkBackground = false
    case .none: capabilities.hasDarkBackground = nil
    }
    var scheme = ColourScheme(for: capabilities)
    for (part, colour) in settings.ownColours {
      scheme[part].foreground = colour.foreground
      if let ground = colour.background { scheme[part].background = ground }
    }
    return scheme
  }

  func name(of key: ConversationKey) -> String {
    if let name = model.contacts[key]?.name, !name.isEmpty { return name }
    if let name = model.conversations[key]?.name, !name.isEmpty { return name }
    return key.jid
  }

  /// Whether a name is that of another contact as well, or an address: then who it is, only the address tells.
  func isImitated(_ name: String, _ key: ConversationKey) -> Bool {
    guard !name.isEmpty, name != key.jid else { return false }
    if name.contains("@") || name.lowercased() == "me" { return true }
    return model.contacts.isTaken(name, besides: key)
  }

  /// `Bob  bob@example.org  available: at work`
  func header(_ key: ConversationKey) -> String {
    let name = name(of: key)
    let contact = model.contacts[key]
    let status = contact?.presence.values.map(\.status).first { !$0.isEmpty }
    let known = contact.map { $0.availability.words + (status.map { ": " + $0 } ?? "") } ?? "not among the contacts"
    let presence = model.link == .connected ? known : ""
    let parts = [
      name, name == key.jid ? "" : key.jid, model.accounts.count > 1 ? key.account : "", muteWords(key), presence,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// `muted until 14:05 (F8 unmutes)`; empty if it is not.
  private func muteWords(_ key: ConversationKey) -> String {
    guard let row = model.conversations[key], row.notify == .never else { return "" }
    let today = environment.date(now.wall)
    let until = row.notifyUntil.map { time in
      let date = environment.date(time)
      let day = date.isSameDay(today) ? "" : environment.words.short(date, today: today) + " "
      return " until " + day + environment.words.time(date)
    }
    return "muted\(until ?? "") (\(keyName(.mute)) unmutes)"
  }

  /// nil if it is not known: of one who is no contact, and without a daemon.
  func availability(_ key: ConversationKey) -> ContactRow.Availability? {
    model.link == .connected ? model.contacts[key]?.availability : nil
  }

  func placeholder(_ key: ConversationKey) -> String {
    "Write to \(name(of: key)); \(keyName(.send)) sends, \(keyName(.newline)) begins a line, / for commands"
  }

  // MARK: The status line

  /// What stands there, and whether it warns.
  var status: (text: String, isAlert: Bool) {
    if !keys.keys.isEmpty { return (keys.keys.map(\.shortText).joined(separator: " ") + " …", false) }
    if let notice { return (notice.text, false) }
    if desk.viewer != nil { return (viewerWords, false) }
    if let copyView = desk.surface.copyView { return (copyView.words, false) }
    if answers.isOverdue {
      return ("The daemon does not answer. What you type stays, and goes out when it does.", true)
    }
    switch model.link {
    case .lost(let reason): return ("No daemon, trying again: \(reason)", true)
    case .connecting: return ("Connecting to the daemon …", false)
    case .connected: break
    }
    if composer.vi.isCommanding, !desk.isInList { return ("vi: command mode; i inserts", false) }
    if !model.storage.isEmpty { return (model.storage, true) }
    let troubled = model.accounts.filter { $0.state != "online" }
    if let account = troubled.first { return (Self.words(account), account.state == "refused") }
    return (charactersLeft ?? unreadWords, false)
  }

  private static func words(_ account: AccountRow) -> String {
    let reason = account.reason.isEmpty ? "" : ": " + account.reason
    return "\(account.jid.isEmpty ? account.name : account.jid) is \(account.state)\(reason)"
  }

  private var unreadWords: String {
    let unread = model.conversations.totalUnread
    let requests = model.contacts.requests.count + model.contacts.requestsLeftOut
    let kind = desk.surface.columns < Surface.bubbleColumns ? "request" : "contact request"
    let asking = requests == 0 ? "" : "\(requests) \(kind)\(requests == 1 ? "" : "s"), \(keyName(.contacts))"
    let strangers = model.conversations.strangers.unread
    let others = strangers == 0 ? "" : "\(strangers)\(model.conversations.hasMoreStrangers ? "+" : "") from strangers"
    return [unread == 0 ? "" : "\(unread) unread", others, asking].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Near the limit: how much may still be written.
  private var charactersLeft: String? {
    guard !desk.isInList, let key = desk.talk?.key else { return nil }
    let count = composer[key].editor.input.letters.reduce(0) { $0 + $1.utf8.count }
    let left = model.greeting.textLimit - count
    guard left < model.greeting.textLimit / 10 else { return nil }
    return left >= 0 ? "\(left) bytes left" : "\(-left) bytes too long"
  }

  /// Keys that help to go on; what matters less stands behind.
  var hints: [String] {
    guard !desk.surface.isCopyView else { return [] }
    if desk.viewer != nil { return viewerHints }
    let inTalk: [Action] =
      desk.talk?.selected == nil
      ? [.help, .back, .quit, .nextUnread, .search] : [.help, .reply, .react, .cancelMessage, .forward, .copy]
    let actions: [Action] = desk.isInList ? [.help, .open, .switcher, .quit, .search, .contacts] : inTalk
    let words: [Action: String] = [
      .help: "help", .open: "open", .switcher: "switch", .search: "search", .contacts: "contacts", .quit: "quit",
      .back: "back", .nextUnread: "next unread", .reply: "reply",
      .react: "react", .cancelMessage: "take back", .forward: "forward", .copy: "copy",
    ]
    return actions.map { "\(keyName($0)) \(words[$0] ?? "")" }
  }

  // MARK: The open conversation

  func scene(_ view: ConversationView, _ window: RowWindow, width: Int) -> Transcript.Scene {
    let context = layout(width: width)
    let found = (model.search?.hits ?? []).filter { $0.id == view.selected }.map { ($0.id, $0.hits) }
    let target = view.selectedTarget(window).map { ($0.message, [$0.range]) }
    let (shelf, form) = (desk.pictures, PictureForm(settings.pictures, desk.surface.capabilities))
    return Transcript.Scene(
      window: window, unreadFrom: view.unreadFrom, unreadCount: view.unreadCount, selected: view.selected,
      unfolded: view.unfolded, hits: Dictionary(found + (target.map { [$0] } ?? [])) { $1 },
      fileStates: { [self] in fileStates($0) },
      pictures: { row in form.map { shelf.pictures(of: row.id, on: $0.canvas(of: row, width: width).canvas) } ?? [] },
      avatar: avatarCanvas.flatMap { shelf.avatars.picture(of: view.key, on: $0) },
      tail: tail(view.key, context), copyView: desk.surface.copyView,
      context: context, date: environment.date, now: now.wall,
      isImitated: { [self] row in
        isImitated(row.nick ?? "", ConversationKey(account: row.account, jid: row.conversation))
      },
      name: { [self] jid, account in
        let bare = String(jid.prefix { $0 != "/" })
        let isMine = model.accounts.contains { $0.jid == bare }
        return isMine ? "me" : name(of: ConversationKey(account: account, jid: bare))
      })
  }

  /// What is not stored yet, and who is typing.
  private func tail(_ key: ConversationKey, _ context: LayoutContext) -> [StyledLine] {
    guard let window = model.windows[key] else { return [] }
    let unsent = model.outgoing.all.filter { $0.conversation == key }
    var lines: [StyledLine] = []
    if window.hasMoreAfter {
      // Without a daemon the end does not come, and what was written now is shown all the same.
      guard model.link != .connected, !unsent.isEmpty else { return [] }
      lines.append(RuleLines.missing("newer messages come with the daemon", in: context))
    }
    for message in unsent {
      let text = OneLine(message.typed, width: max(1, context.width - 20), in: context)
      var line = LineBuilder(context)
      line.fill(to: max(0, context.width - text.width - 17))
      line.add(text.glyphs, context.scheme[.queued])
      line.add(.queued, "  not stored yet")
      lines.append(line.line)
    }
    if model.typing.contains(key) { lines.append(RuleLines.typing(name(of: key), in: context)) }
    return lines
  }
}
