/// The emoticon keyboard: tabs for those used last and for each pack, pages of a grid, a search. The last cell of each page
/// deletes.
package struct EmoticonKeyboard: Equatable, Sendable {
  package enum Tab: Equatable, Sendable {
    case recent
    case pack(String)
  }

  /// The content of a cell.
  package enum Cell: Equatable, Sendable {
    case emoticon(Emoticon)
    case delete
    case empty
  }

  static let columns = 7
  static let rows = 3
  static let cellCount = columns * rows

  /// nil until it is known whether anything was used before.
  package private(set) var tab: Tab?
  package private(set) var editor = InputEditor()
  package private(set) var shown: [Emoticon] = []
  package private(set) var page = 0
  /// The chosen cell of the page.
  package private(set) var cell = 0
  /// The list that is shown: it does not move while somebody chooses from it.
  private var source: Source?

  private enum Source: Equatable {
    case tab(Tab)
    case search(String)
  }

  package init() {}

  package var query: String { editor.input.text }

  /// The lists that have to be requested.
  var needs: [EmoticonList] {
    let pack: [EmoticonList] = if case .pack(let name) = tab { [.pack(name)] } else { [] }
    return [.packs, .recent] + pack + (query.isEmpty ? [] : [.matches(query)])
  }

  // MARK: What is shown

  /// Takes over what the daemon has given.
  mutating func update(_ emoticons: LoadedEmoticons) {
    if tab == nil, let recent = emoticons.recent, let packs = emoticons.packs {
      let first = packs.first.map { Tab.pack($0.name) }
      tab = recent.isEmpty ? first ?? .recent : .recent
    }
    if !query.isEmpty {
      if emoticons.matches.text == query { show(emoticons.matches.found, as: .search(query)) }
    } else if let tab {
      switch tab {
      case .recent: if let recent = emoticons.recent { show(recent, as: .tab(tab)) }
      case .pack(let name): if let content = emoticons.contents[name] { show(content, as: .tab(tab)) }
      }
    }
  }

  private mutating func show(_ emoticons: [Emoticon], as source: Source) {
    guard source != self.source else { return }
    (self.source, shown, page, cell) = (source, emoticons, 0, 0)
  }

  var isLoading: Bool {
    guard let tab else { return true }
    return source != (query.isEmpty ? .tab(tab) : .search(query))
  }

  package var pageCount: Int { max(1, (shown.count + Self.cellCount - 2) / (Self.cellCount - 1)) }

  /// The cell of a page, by its index in it.
  package func content(_ cell: Int, page: Int) -> Cell {
    if cell == Self.cellCount - 1 { return .delete }
    let index = page * (Self.cellCount - 1) + cell
    return shown.indices.contains(index) ? .emoticon(shown[index]) : .empty
  }

  package var chosen: Cell { content(cell, page: page) }

  // MARK: Keys

  mutating func act(_ action: UserAction, _ emoticons: LoadedEmoticons) -> KeyOutcome {
    switch action {
    case .back, .emoticon: return .closed
    case .up, .down: moveDown(action == .up ? -1 : 1)
    case .left, .right: moveAcross(action == .left ? -1 : 1)
    case .pageUp, .pageDown: turn(action == .pageUp ? -1 : 1)
    case .complete, .otherPane: goToTab(action == .complete ? 1 : -1, emoticons)
    // The keyboard stays for the next one.
    case .open: return .intent(.type(chosen))
    case .deleteBack where query.isEmpty: return .intent(.type(.delete))
    case .quit, .redraw, .suspend: return .passed
    case .help, .switcher, .search, .contacts, .accounts: return .left
    default: edit { _ = $0.edit(action) }
    }
    return .taken
  }

  // MARK: Choosing

  mutating func edit(_ body: (inout InputEditor) -> Void) {
    body(&editor)
    if query.isEmpty { source = nil }
  }

  mutating func turn(_ step: Int) {
    page = min(max(0, page + step), pageCount - 1)
    fill(towards: -1)
  }

  /// To the cell beside; at an edge of the page to the next page.
  mutating func moveAcross(_ step: Int) {
    guard !shown.isEmpty else { return }
    let column = cell % Self.columns + step
    if (0..<Self.columns).contains(column) {
      cell += step
    } else if (0..<pageCount).contains(page + step) {
      page += step
      cell -= step * (Self.columns - 1)
    }
    fill(towards: step)
  }

  mutating func moveDown(_ step: Int) {
    let index = cell + step * Self.columns
    guard !shown.isEmpty, (0..<Self.cellCount).contains(index) else { return }
    cell = index
    fill(towards: step)
  }

  mutating func choose(_ cell: Int) {
    if content(cell, page: page) != .empty { self.cell = cell }
  }

  /// From an empty cell to the next one that is not.
  private mutating func fill(towards step: Int) {
    while chosen == .empty, cell > 0 { cell += step < 0 ? -1 : 1 }
  }

  // MARK: Tabs

  static func tabs(_ emoticons: LoadedEmoticons) -> [(tab: Tab, title: String)] {
    [(.recent, "Recent")] + (emoticons.packs ?? []).map { (.pack($0.name), $0.title) }
  }

  mutating func go(to tab: Tab) {
    self.tab = tab
    editor = InputEditor()
    source = nil
    (shown, page, cell) = ([], 0, 0)
  }

  mutating func goToTab(_ step: Int, _ emoticons: LoadedEmoticons) {
    let tabs = Self.tabs(emoticons).map(\.tab)
    let index = tabs.firstIndex { $0 == tab } ?? 0
    go(to: tabs[(index + step + tabs.count) % tabs.count])
  }
}
