import ConfabClient
import LineProtocol
import Screen

/// The box of a pop-up: in the middle, or all of a small screen.
struct PopupBox: Equatable {
  let column: Int
  let line: Int
  let width: Int
  let height: Int
  /// True if the box has a frame; on small screens, which it fills, it has none.
  let isFramed: Bool
  private let top: Int

  /// nil if the screen has no room for it.
  init?(_ surface: Surface, _ picker: Picker) {
    guard surface.columns >= 10, surface.lines >= 4 else { return nil }
    let isSmall = surface.columns < 60 || surface.lines < Surface.smallLines
    isFramed = !isSmall
    width = isSmall ? surface.columns : min(surface.columns - 4, 100)
    let wanted = max(picker.items.count, 1) + 3
    let most = isSmall ? surface.paneLines : surface.lines - 4
    height = isSmall || picker.isFolder ? most : min(most, max(wanted, picker.hasInput ? 5 : 4))
    column = (surface.columns - width) / 2
    line = isSmall ? 0 : max(0, (surface.lines - height) / 3)
    top = picker.top
  }

  var innerColumn: Int { isFramed ? column + 1 : column }
  var innerWidth: Int { isFramed ? width - 2 : width }

  /// Lines for items: between the title, the query and the hints.
  var rows: Int { max(0, height - 3) }

  /// The item at a position of the screen.
  func row(at position: Frame.Position) -> Int? {
    let row = position.line - line - 2
    guard (column..<(column + width)).contains(position.column), (0..<rows).contains(row) else { return nil }
    return top + row
  }
}

extension Picker {
  /// True if letters go to a query.
  var hasInput: Bool {
    switch kind {
    case .confirm, .contact, .adding, .groups, .mute, .spelling, .answer, .wrongSettings, .notice, .accounts,
      .firstSteps,
      .targets,
      .target,
      .files, .file, .device:
      false
    case .room(let popup): popup.hasInput
    default: true
    }
  }

  /// The list of files, with a preview at its right.
  var isFolder: Bool { if case .folder = kind { true } else { false } }

  /// - Parameter name: how the other side of a conversation is called.
  func title(_ name: (ConversationKey) -> String) -> String {
    switch kind {
    case .switcher: "Open a conversation: type a part of its name"
    case .beside: "Open a second conversation: type a part of its name"
    case .help: "Keys and commands: type a word"
    case .accounts: "Accounts"
    case .firstSteps: "First steps"
    case .contacts: "Contacts: type a part of a name"
    case .contact(let key): name(key) == key.jid ? key.jid : "\(name(key))  \(key.jid)"
    case .adding(let request): "Add \(request.string(.jid) ?? "") to the contacts of"
    case .groups(let key): "Groups of \(name(key))"
    case .sections: "Sections"
    case .search(let scope): scope.conversation.map { "Search in \(name($0))" } ?? "Search all messages"
    case .mute(let key): "Notices of \(name(key))"
    case .react: "React: choose, or type a name to search"
    case .forward(_, let text): "Forward “\(ShownLine.clean(text, limit: 40))” to: type a part of a name"
    case .targets: "Links, mentions and topics"
    case .target(let target): target.title
    case .files: "Files"
    case .folder(let path, _): "Send a file of \(path)"
    case .file(let target): "\(target.file.title): \(target.file.facts)"
    case .room(let popup): popup.title(name)
    case .device(let popup): popup.title(name)
    case .sent: "Sent before: type a part of it"
    case .spelling(let word, _): "Other spellings of \(word)"
    case .answer("versions", _): "Versions before the edits"
    case .answer(let verb, _): "/" + verb
    case .notice: "The last notice"
    case .wrongSettings(let lines): "Mistakes in tui.conf: \(lines.count)"
    case .prompt(let prompt): prompt.title
    case .confirm(let question, _): question + "?"
    }
  }

  /// Hints about the keys.
  var hints: String {
    switch kind {
    case .contacts:
      [
        "Enter opens", chosen?.path.isEmpty == false ? "Right unfolds" : "", chosen?.more == nil ? "" : "Tab more",
        "Esc back",
      ]
      .filter { !$0.isEmpty }.joined(separator: " · ")
    case .prompt(.command): "Enter chooses · Tab completes · Esc back"
    case .folder: "Enter sends, or opens a folder · type a part of a name · Esc back"
    case .targets: "Enter opens · Tab copies · Esc back"
    case .search(let scope):
      [
        (query.isEmpty ? items.isEmpty : query != searched) ? "Enter searches" : "Enter opens",
        scope.other.map { $0.conversation == nil ? "Tab all" : "Tab here" } ?? "", "Esc back",
      ]
      .filter { !$0.isEmpty }.joined(separator: " · ")
    case .room(let popup): popup.hints
    case .prompt: "Enter answers · Esc back"
    case .answer, .wrongSettings, .notice: "Esc back"
    case .confirm: "y yes · n no · Enter chooses · Esc back"
    default: "Enter chooses · Esc back"
    }
  }
}
