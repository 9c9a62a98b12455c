import Clocks
import ConfabClient
import JSON
import LineProtocol

/// The choices in a pop-up: a pure function of the model.
struct PickerItems {
  let model: SocketModel
  let keymap: KeyMap
  let words: DateWords
  /// Date of a time in the user's time zone.
  let date: (Timestamp) -> CivilDate
  let now: Timestamp
  /// The account of new conversations; empty while there is only one account.
  let account: String
  /// The folder that was read last; nil: it is being read.
  let folder: FolderListing?
  /// The texts sent before, the newest first.
  let sent: [String]
  /// True if a file is drawn on the screen.
  let isDrawn: (FileTarget) -> Bool
  /// A context as wide as the inside of the pop-up.
  let context: LayoutContext

  /// In the lines that there is room for.
  func lines(_ picker: Picker) -> [PickerItem] {
    let (items, rows) = (items(picker), HelpRows(context: context))
    if items.isEmpty, picker.isNarrowed { return [PickerItem("Nothing found for “\(picker.query)”")] }
    switch picker.kind {
    case .help: return rows.help(items)
    case .answer, .wrongSettings, .notice: return rows.text(items)
    case .contact, .contacts, .adding, .groups, .mute, .spelling, .firstSteps, .confirm, .accounts, .prompt, .targets,
      .target,
      .files, .file, .room, .device:
      return rows.choices(items)
    case .switcher, .beside, .react, .forward, .sections, .search, .folder, .sent: return items
    }
  }

  private func items(_ picker: Picker) -> [PickerItem] {
    let query = picker.query
    switch picker.kind {
    case .switcher: return switcher(query)
    case .beside: return switcher(query).map(\.beside)
    case .help: return help(query)
    case .accounts: return accounts
    case .firstSteps: return firstSteps
    case .contacts: return contacts(picker)
    case .contact(let key): return contact(key)
    case .adding(let request): return accounts(for: request)
    case .groups(let key): return groups(key)
    case .sections(let key): return sections(key, query)
    case .search(let scope): return hits(of: picker.searched, in: scope)
    case .mute(let key):
      return MuteChoice.items(key, isMuted: model.conversations[key]?.notify == .never, now: now, date: date)
    case .react(let key, let id): return reactions(to: id, in: key, query)
    case .forward(let id, _): return switcher(query).map { forwarding($0, id) }
    case .targets(let targets): return self.targets(targets)
    case .target(let target): return choices(of: target)
    case .files(let files): return files.map { PickerItem($0.file.title, $0.file.facts, .popup(.file($0))) }
    case .file(let file): return choices(of: file)
    case .folder(_, let key):
      return ranked(folderItems(key, isNarrowed: !query.isEmpty && !query.hasPrefix(".")), query)
    case .room(let popup): return room(popup, query)
    case .device(let popup): return devices(popup)
    case .sent(let key): return sent(in: key, query)
    case .spelling(let word, let others): return others.map { PickerItem($0, "", .respell(word, $0)) }
    case .answer: return answer
    case .wrongSettings(let lines): return lines.map { PickerItem($0) }
    case .notice(let text): return [PickerItem(text)]
    case .prompt(.command):
      return CommandList.matching(query).map { row in
        PickerItem(row.usage, row.sentence, .command("/\(row.name) "))
      }
    case .prompt: return []
    case .confirm(let question, let intent):
      let (yes, no) = (PickerItem(question, "", intent), PickerItem("No, go back", "", .closePopup))
      return intent.isDestructive ? [no, yes] : [yes, no]
    }
  }

  /// Returns the items that fit the query, best first; without a query all, in their order.
  func ranked(_ items: [PickerItem], _ query: String) -> [PickerItem] {
    guard !query.isEmpty else { return items }
    let scored = items.enumerated().compactMap { index, item in
      Fuzzy.score(query, in: item.title + " " + item.detail).map { (score: $0, index: index, item: item) }
    }
    return scored.sorted { ($1.score, $0.index) < ($0.score, $1.index) }.map(\.item)
  }

  /// Texts of mine, of this run and of the conversation as far as it is loaded, that hold the query.
  private func sent(in key: ConversationKey, _ query: String) -> [PickerItem] {
    let loaded = model.windows[key]?.rows.filter { $0.isMine && $0.details.retraction == nil }.map(\.text) ?? []
    var seen: Set<String> = [""]
    let texts = (sent + loaded.reversed()).filter { seen.insert($0).inserted }
    return texts.filter { query.isEmpty || $0.lowercased().contains(query.lowercased()) }
      .map { PickerItem($0.filter { !$0.isNewline }, "", .recall($0)) }
  }

  private var hasAccounts: Bool { model.accounts.count > 1 }

  /// Words behind a name: the address, unless that is the name.
  func detail(_ key: ConversationKey, _ name: String, _ more: String = "") -> String {
    [title(key, name) == key.title ? "" : key.jid, hasAccounts ? key.account : "", more].filter { !$0.isEmpty }.joined(
      separator: "  ")
  }

  private var answer: [PickerItem] {
    guard model.answer.last?["ok"] != nil else { return [PickerItem("Waiting for the daemon …")] }
    let rows = RowFormat(words, date: date, now: now, presence: model.presenceWords)
    return rows.lines(ofAnswer: model.answer).map { PickerItem($0) }
  }

  // MARK: Switching

  private func switcher(_ query: String) -> [PickerItem] {
    let recent = model.conversations.strangersLast.map { row in
      let unread = row.unread > 0 ? "\(row.unread) unread" : row.isArchived ? "archived" : ""
      return PickerItem(title(row.key, row.name), detail(row.key, row.name, unread), .open(row.key, name: row.name))
    }
    let others = model.contacts.rows.values.filter { model.conversations[$0.key] == nil && !$0.isRequest }
      .sorted { ($0.name, $0.key.jid) < ($1.name, $1.key.jid) }
      .map { PickerItem(title($0.key, $0.name), detail($0.key, $0.name), .open($0.key, name: $0.name)) }
    return ranked(recent + others, query) + address(query).flatMap(newConversations)
  }

  func title(_ key: ConversationKey, _ name: String) -> String {
    name.isEmpty ? model.contacts[key].map { $0.name.isEmpty ? key.jid : $0.name } ?? key.jid : name
  }

  /// The query as an address, where it looks like one.
  func address(_ query: String) -> [String] {
    guard query.contains("@"), let jid = TypedAddress.bare(query.filter { !$0.isWhitespace }) else { return [] }
    return [jid]
  }

  /// Returns a choice for each account to begin a conversation with; the likeliest account first.
  private func newConversations(_ jid: String) -> [PickerItem] {
    let known = model.book.only(jid)
    return accounts(first: known?.account ?? account).map { name in
      let from = name.isEmpty ? "" : "from \(name)"
      let words = [known?.account == name ? "" : "a new conversation", from].filter { !$0.isEmpty }
      return PickerItem(
        "Write to \(jid)", words.joined(separator: ", "), .open(ConversationKey(account: name, jid: jid), name: ""))
    }
  }

  private func accounts(first likely: String) -> [String] {
    hasAccounts ? [likely] + model.accounts.map(\.name).filter { $0 != likely } : [likely]
  }

  private func accounts(for request: Request) -> [PickerItem] {
    accounts(first: account).map { name in
      var request = request
      request.account = name
      let jid = model.accounts.first { $0.name == name }?.jid ?? ""
      return PickerItem(name, jid, .request(request, "add \(request.string(.jid) ?? "") (account \(name))"))
    }
  }

  // MARK: Help, accounts

  private func help(_ query: String) -> [PickerItem] {
    let rows = ActionTable.rows.map { row in
      let keys = keymap.keys(of: row.action).map(\.text).joined(separator: ", ")
      return PickerItem(keys.isEmpty ? "/" + row.action.rawValue : keys, row.sentence, .act(row.action))
    }
    let commands = CommandList.rows.map { PickerItem($0.usage, $0.sentence, .command("/\($0.name) ")) }
    return having(query, rows + commands)
  }

  /// Keeps the items with all words of the query: in sentences scattered letters mean nothing. Items with the first word in
  /// front come first.
  private func having(_ query: String, _ items: [PickerItem]) -> [PickerItem] {
    let words = query.lowercased().split(separator: " ").map { HelpWords.meaning[String($0)] ?? String($0) }
    let found = items.filter { item in words.allSatisfy("\(item.title) \(item.detail)".lowercased().contains) }
    return ranked(found, words.first ?? "")
  }

  private var accounts: [PickerItem] {
    let rows = model.accounts.map { row in
      let isOn = ["online", "connecting", "waiting"].contains(row.state)
      var request = Request(isOn ? .disconnect : .connect)
      request.account = row.name
      let act = Intent.request(request, "\(row.name)")
      let state = [row.state, row.presenceWords].filter { !$0.isEmpty }.joined(separator: ", ")
      let words = row.reason.isEmpty ? state : "\(state): \(row.reason)"
      return PickerItem(
        "\(row.name)  \(row.jid)", words,
        isOn ? .popup(.confirm("Disconnect \(row.jid) until you connect again", act)) : act)
    }
    return rows + [PickerItem("Set up or mend an account …", "", .popup(.firstSteps))]
  }

  private var firstSteps: [PickerItem] {
    let setup = PickerItem("Set up an account", "confab setup", .terminal(["confab", "setup"]))
    let doctor = PickerItem("Find out what is wrong", "confab doctor", .terminal(["confab", "doctor"]))
    guard model.link != .connected else { return [setup, doctor] }
    let start = PickerItem(
      "Start the daemon", "systemctl --user start confabd", .terminal(["systemctl", "--user", "start", "confabd"]))
    return [setup, start, doctor, PickerItem("Connect again", "", .connect)]
  }

  // MARK: Sections, hits

  func sections(_ key: ConversationKey, _ query: String = "") -> [PickerItem] {
    guard let rows = model.sections[key] else { return [PickerItem("Loading …")] }
    let today = date(now)
    let items = rows.reversed().map { row in
      let start = date(row.start)
      return PickerItem(
        words.day(start, today: today) + " " + words.time(start),
        row.count == 1 ? "1 message" : "\(row.count) messages",
        .show(key, row.id))
    }
    return items.isEmpty ? [PickerItem("No messages yet")] : ranked(items, query)
  }

  /// Hits of the last search, if this pop-up asked for it.
  private func hits(of text: String, in scope: SearchScope) -> [PickerItem] {
    guard let search = model.search, search.text == text, search.conversation == scope.conversation else { return [] }
    if let failure = search.failure { return [PickerItem("The search failed: \(failure)")] }
    let today = date(now)
    let rows = search.hits.map { row in
      let key = ConversationKey(account: hasAccounts ? row.account : "", jid: row.conversation)
      let who = row.isMine ? row.author : title(key, model.conversations[key]?.name ?? row.nick ?? "")
      let name = search.conversation == nil ? title(key, model.conversations[key]?.name ?? "") : ""
      let account = search.conversation == nil ? key.account : ""
      var item = excerpt(row)
      item.detail = [name == who ? "" : name, who, account, words.short(date(row.time), today: today)]
        .filter { !$0.isEmpty }.joined(separator: ", ")
      item.intent = .show(key, row.id)
      return item
    }
    if search.isRunning { return rows + [PickerItem("Searching …")] }
    if rows.isEmpty {
      let wider = scope.other?.conversation == nil && scope.other != nil
      return [PickerItem("Nothing found for “\(search.text)”")]
        + (wider ? [PickerItem("Search all messages", "", .searchElsewhere)] : [])
    }
    return rows + (search.hasMore ? [PickerItem("More …", "", .findMore)] : [])
  }

  /// The text around the first hit, on one line, and the hits in it.
  private func excerpt(_ row: MessageRow) -> PickerItem {
    let scalars = row.text.unicodeScalars.prefix(100_000).map { $0 == "\n" ? " " : $0 }
    let first = row.hits.first?.lowerBound ?? 0
    let start = first <= Self.lead || first > scalars.count ? 0 : first - Self.lead / 2
    let part = scalars[start..<min(scalars.count, start + 200)]
    var item = PickerItem((start > 0 ? "…" : "") + String(String.UnicodeScalarView(part)))
    let shift = (start > 0 ? 1 : 0) - start
    item.hits = row.hits.filter { $0.lowerBound >= start && $0.upperBound <= start + part.count }
      .map { $0.lowerBound + shift..<$0.upperBound + shift }
    return item
  }

  /// A text is shown from its beginning if the first hit is no further in than so many scalars.
  private static let lead = 40
}

extension PickerItem {
  /// This choice, opened in a second pane.
  fileprivate var beside: PickerItem {
    guard case .open(let key, let name) = intent else { return self }
    var item = self
    item.intent = .beside(key, name: name)
    return item
  }
}
