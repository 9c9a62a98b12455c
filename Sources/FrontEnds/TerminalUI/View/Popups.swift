import LineProtocol

/// Pop-ups over each other; the last one has the keys.
package struct Popups: Equatable, Sendable {
  private(set) var all: [Picker] = []

  package var isEmpty: Bool { all.isEmpty }
  package var last: Picker? { all.last }

  mutating func push(_ kind: Picker.Kind, text: String = "") { all.append(Picker(kind, text: text)) }

  mutating func close() { _ = all.popLast() }

  mutating func closeAll() { all = [] }

  /// Closes those that are about a message.
  mutating func closeAll(about id: UInt64) { all.removeAll { $0.kind.messages.contains(id) } }

  /// Changes the last one.
  mutating func change(_ body: (inout Picker) -> Void) {
    guard !all.isEmpty else { return }
    body(&all[all.count - 1])
  }

  /// Changes the query of the last one.
  mutating func edit(_ body: (inout InputEditor) -> Void) {
    change {
      body(&$0.editor)
      $0.reset()
    }
  }

  // MARK: Keys

  /// - Parameters:
  ///   - page: items that a page has.
  ///   - slash: completes commands.
  mutating func act(_ action: UserAction, page: Int, _ slash: SlashCommand) -> KeyOutcome {
    let isTree = last?.kind == .contacts && last?.query.isEmpty == true
    switch action {
    case .back: close()
    case .up, .down: change { $0.move(action == .up ? -1 : 1) }
    // In a text they move its cursor.
    case .lineStart where last?.query.isEmpty == true: change { $0.move(-$0.items.count) }
    case .lineEnd where last?.query.isEmpty == true: change { $0.move($0.items.count) }
    case .pageUp, .pageDown: change { $0.move(action == .pageUp ? -page : page) }
    case .open: return choose()
    case .right where isTree: return unfold()
    case .left where isTree: change { $0.fold() }
    case .complete where last?.kind == .prompt(.command): complete(slash)
    case .search where last?.otherScope != nil, .complete where last?.otherScope != nil: return searchElsewhere()
    case .otherPane, .complete: return last?.chosen?.more.map(KeyOutcome.intent) ?? .taken
    case .help, .switcher, .search, .contacts, .accounts:
      closeAll()
      return .passed
    case .quit, .redraw, .suspend, .lastNotice: return .passed
    default: edit { _ = $0.edit(action) }
    }
    return last?.chosen?.intent == .findMore ? .intent(.findMore) : .taken
  }

  /// A letter answers a question, or goes into the query.
  mutating func type(_ letter: String) -> KeyOutcome {
    guard case .confirm(_, let intent)? = last?.kind else {
      edit { $0.input.insert(letter) }
      return .taken
    }
    switch letter.lowercased() {
    case "y": return .intent(intent)
    case "n": return .closed
    default: return .taken
    }
  }

  private mutating func complete(_ slash: SlashCommand) {
    guard let query = last?.query, let common = slash.completion(query) else { return }
    edit { $0.input.set(common) }
  }

  /// Unfolds what is at the cursor; of a contact the sections are asked for.
  private mutating func unfold() -> KeyOutcome {
    let intent = last?.chosen?.intent
    change { $0.unfold() }
    if case .open(let key, _)? = intent { return .intent(.askSections(key)) }
    return .taken
  }

  /// Looks for the query in all conversations instead of one, or the other way round.
  mutating func searchElsewhere() -> KeyOutcome {
    guard let picker = last, let scope = picker.otherScope else { return .taken }
    close()
    push(.search(scope), text: picker.query)
    return choose()
  }

  /// The search that the letters ask for, and nobody has begun; nil: there is none.
  var unsearched: Picker? {
    guard let picker = last, case .search = picker.kind, !picker.query.isEmpty, picker.query != picker.searched else {
      return nil
    }
    return picker
  }

  /// Enter: searches, answers, or does what is at the cursor.
  mutating func choose() -> KeyOutcome {
    guard let picker = last else { return .passed }
    if let picker = unsearched, case .search(let scope) = picker.kind {
      change {
        $0.searched = picker.query
        $0.reset()
      }
      return .intent(.search(picker.query, scope.conversation))
    }
    if picker.kind == .prompt(.command) { return chooseCommand(picker) }
    if case .prompt(let prompt) = picker.kind {
      close()
      return .intent(.answer(prompt, picker.query))
    }
    return picker.chosen?.intent.map(KeyOutcome.intent) ?? .taken
  }

  /// Does the command that is typed; of a name that is typed in part, the one at the cursor is meant.
  private mutating func chooseCommand(_ picker: Picker) -> KeyOutcome {
    var command = picker.query
    if case .command(let chosen)? = picker.chosen?.intent, !picker.query.contains(" ") {
      let hasArguments = CommandList.rows.contains { "/\($0.name) " == chosen && !$0.arguments.isEmpty }
      if hasArguments, picker.query + " " != chosen {
        edit { $0.input.set(chosen) }
        return .taken
      }
      command = String(chosen.dropLast())
    }
    close()
    return .intent(.answer(.command, command))
  }
}

extension Picker.Kind {
  /// The messages of which the pop-up shows something, or does something with.
  var messages: [UInt64] {
    switch self {
    case .react(_, let id), .forward(let id, _), .answer(_, let id?): [id]
    case .targets(let targets): targets.map(\.message)
    case .target(let target): [target.message]
    case .files(let files): files.map(\.message)
    case .file(let file), .prompt(.saveFile(let file)): [file.message]
    case .confirm(_, .request(let request, _)): request.id(.id).map { [$0] } ?? []
    default: []
    }
  }
}
