import Screen

/// The emoticon keyboard.
extension Application {
  func openKeyboard() {
    guard desk.talk != nil, !desk.isInList else { return say("Open a conversation first.") }
    desk.keyboard = EmoticonKeyboard()
  }

  func closeKeyboard() {
    desk.keyboard = nil
    model.closeEmoticons()
  }

  /// Asks for what the keyboard shows, and takes it over.
  func settleKeyboard() {
    if case .react = desk.popups.last?.kind, let query = desk.popups.last?.query, !query.isEmpty {
      model.need(.matches(query))
    }
    guard desk.talk != nil, desk.keyboard != nil else { return desk.keyboard = nil }
    desk.keyboard?.update(model.emoticons)
    for list in desk.keyboard?.needs ?? [] { model.need(list) }
  }

  /// Whether the keyboard takes the action.
  func actOnKeyboard(_ action: Action) -> Bool {
    switch action {
    case .back, .emoticon: closeKeyboard()
    case .up, .down: desk.keyboard?.moveDown(action == .up ? -1 : 1)
    case .left, .right: desk.keyboard?.moveAcross(action == .left ? -1 : 1)
    case .pageUp, .pageDown: desk.keyboard?.turn(action == .pageUp ? -1 : 1)
    case .complete, .otherPane: desk.keyboard?.goToTab(action == .complete ? 1 : -1, model.emoticons)
    case .open: chooseEmoticon()
    case .deleteBack where desk.keyboard?.query.isEmpty == true: if let key = desk.talk?.key { deleteBack(key) }
    case .quit, .redraw, .suspend: return false
    case .help, .switcher, .search, .contacts, .accounts:
      closeKeyboard()
      return false
    default: desk.keyboard?.edit { _ = $0.edit(action) }
    }
    return true
  }

  /// Writes the chosen emoticon at the cursor; the keyboard stays for the next one.
  private func chooseEmoticon() {
    guard let key = desk.talk?.key, let chosen = desk.keyboard?.chosen else { return }
    switch chosen {
    case .emoticon(let emoticon):
      write(key) { $0.input.insert(emoticon.written) }
      model.useEmoticon(emoticon.code)
    case .delete: deleteBack(key)
    case .empty: break
    }
  }

  /// Deletes the letter before the cursor, or the whole code of an emoticon.
  func deleteBack(_ key: ConversationKey) {
    write(key) { editor in
      guard let range = editor.input.range(endingWith: knownCodes) else { return _ = editor.edit(.deleteBack) }
      _ = editor.input.delete(range)
    }
  }

  /// Deletes the letter at the cursor, or the whole code of an emoticon.
  func deleteForward(_ key: ConversationKey) {
    write(key) { editor in
      guard let range = editor.input.range(beginningWith: knownCodes) else { return _ = editor.edit(.deleteForward) }
      _ = editor.input.delete(range)
    }
  }

  private var knownCodes: [String] { ((model.emoticons.recent ?? []) + model.emoticons.matches.found).map(\.code) }

  /// Finds out whether what stands beside the cursor is a code, before it is deleted.
  func settleCodes() {
    guard desk.popups.isEmpty, desk.keyboard == nil, !desk.isInList, let key = desk.talk?.key else { return }
    if let code = composer[key].editor.input.possibleCode { model.need(.matches(code)) }
  }

  // MARK: The mouse

  /// A click while the keyboard is open: on a tab, on an emoticon, or outside of it.
  func pressOnKeyboard(at position: Frame.Position) {
    guard let keyboard = desk.keyboard, let box = emoticonBox, box.contains(position) else { return closeKeyboard() }
    if let cell = box.cell(at: position) {
      desk.keyboard?.choose(cell)
      if keyboard.content(cell, page: keyboard.page) != .empty { chooseEmoticon() }
    } else if let index = box.tab(
      at: position, EmoticonKeyboard.tabs(model.emoticons).map(\.title), layout(width: box.width))
    {
      desk.keyboard?.go(to: EmoticonKeyboard.tabs(model.emoticons)[index].tab)
    }
  }

  /// Where the keyboard stands; nil if there is no room for it.
  var emoticonBox: EmoticonBox? {
    guard let pane = desk.talk.flatMap({ desk.panes[$0.key] }) else { return nil }
    return EmoticonBox(pane, bottom: desk.surface.paneLines - FrameBuilder.inputRows(self, pane))
  }
}

extension TextInput {
  /// The letters before the cursor, if they are one of these codes.
  func range(endingWith codes: [String]) -> Range<Int>? {
    codes.lazy.map(Array.init).compactMap { code in
      let start = cursor - code.count
      return start >= 0 && letters[start..<cursor].elementsEqual(code) ? start..<cursor : nil
    }.first
  }

  /// The letters behind the cursor, if they are one of these codes.
  func range(beginningWith codes: [String]) -> Range<Int>? {
    codes.lazy.map(\.count).first { count in
      cursor + count <= letters.count && codes.contains(String(letters[cursor..<cursor + count]))
    }.map { cursor..<cursor + $0 }
  }

  /// A word before the cursor, or else behind it, with the marks of a code: `:name:` or `[name]`.
  var possibleCode: String? {
    for (open, close) in [(":", ":"), ("[", "]")] as [(Character, Character)] {
      if cursor > 0, letters[cursor - 1] == close {
        let name = letters[..<(cursor - 1)].suffix(Self.longestCode)
        if let start = name.lastIndex(of: open), let code = code(start..<cursor) { return code }
      }
      if cursor < letters.count, letters[cursor] == open {
        let name = letters[(cursor + 1)...].prefix(Self.longestCode)
        if let end = name.firstIndex(of: close), let code = code(cursor..<end + 1) { return code }
      }
    }
    return nil
  }

  private static let longestCode = 64

  private func code(_ range: Range<Int>) -> String? {
    let code = letters[range]
    return code.count > 2 && !code.contains(where: \.isWhitespace) ? String(code) : nil
  }
}
