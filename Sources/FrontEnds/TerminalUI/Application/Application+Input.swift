import Clocks
import ConfabClient
import Screen

/// Keys, pastes, the mouse: to the pop-up, to an action, or into the input.
extension Application {
  func take(_ input: InputEvent) {
    switch input {
    case .key(let key):
      attendance.person.pressed(at: now.instant)
      notice = nil
      press(key)
    case .paste(let bytes):
      attendance.person.pressed(at: now.instant)
      paste(String(decoding: bytes, as: UTF8.self))
    case .mouse(let mouse): click(mouse)
    case .focus(let has): attendance.person.focus(has)
    case .reply: break
    }
  }

  private func press(_ key: Key) {
    if settings.editing == .vi, screen.context == .conversation, keys.keys.isEmpty, !screen.surface.isCopyView,
      let open = screen.focused?.key
    {
      var isTaken = false
      write(open) { isTaken = composer.vi.press(key, &$0) }
      if isTaken { return }
    }
    if screen.surface.isCopyView, screen.context != .popup, key == Key(.enter) { return type("o") }
    switch keys.press(key, in: screen.context) {
    case .action(let action): act(action)
    case .prefix: break
    case .none where key == Key(.character("c"), .control): say("\(appearance.keyName(.quit)) leaves confab.")
    case .none where key.modifiers == .alt && screen.context == .conversation: pressWithAlt(key)
    case .none: if let letter = key.letter { type(letter) }
    }
  }

  /// Terminals send the same for Alt and a letter, and for Esc and that letter right behind it. In a text that is being written
  /// it is a key of another program's: it leads nowhere. A slash begins a command, whatever is written.
  private func pressWithAlt(_ key: Key) {
    guard let letter = Key(key.code).letter else { return }
    if letter != "/", let open = screen.focused?.key, !composer[open].editor.input.isEmpty {
      return say("\(KeySequence([key]).text) does nothing here; \(appearance.keyName(.help)) shows the keys.")
    }
    press(Key(.escape))
    press(Key(key.code))
  }

  /// A letter: to what is in front, into the input, or it opens the switcher.
  private func type(_ letter: String) {
    if let outcome = typeInFront(letter) {
      take(outcome)
    } else if let key = screen.focused?.key, !screen.isInList {
      write(key) { $0.input.insert(letter) }
    } else {
      push(letter == "/" ? .prompt(.command) : .switcher, text: letter)
    }
  }

  /// nil: nothing is in front.
  private func typeInFront(_ letter: String) -> KeyOutcome? {
    if !screen.popups.isEmpty { return screen.popups.type(letter) }
    if let outcome = screen.viewer?.type(letter, model.fetches) { return outcome }
    if screen.keyboard != nil {
      screen.keyboard?.edit { $0.input.insert(letter) }
      return .taken
    }
    return screen.surface.copyView?.type(letter)
  }

  /// A paste reaches the input from wherever the keys are, and is never a key.
  private func paste(_ text: String) {
    let text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    if !screen.popups.isEmpty {
      return screen.popups.edit { $0.input.insert(String(text.map { $0.isNewline ? " " : $0 })) }
    }
    screen.viewer = nil
    if screen.focused == nil, let key = screen.list.chosen { open(key) }
    guard let key = screen.focused?.key else { return say("Open a conversation first: F2.") }
    screen.isInList = false
    write(key) { $0.input.insert(text) }
    for paths in TypedPath.alone(composer[key].editor.input.text) { actions.append(.lookAt(paths, key)) }
    let lines = text.count { $0 == "\n" } + (text.hasSuffix("\n") ? 0 : 1)
    guard lines > 1 else { return }
    let asks = lines > Self.manyLines ? "asks, and " : ""
    say("\(lines) lines pasted; \(appearance.keyName(.send)) \(asks)sends them as one message.")
  }

  /// Changes the input of a conversation: the draft is shared later, the contact is told that somebody writes.
  func write(_ key: ConversationKey, _ body: (inout InputEditor) -> Void) {
    var field = composer[key]
    let before = field.editor.input.letters
    body(&field.editor)
    if field.editor.input.letters != before {
      (field.changedAt, field.isKeptHere) = (now.instant, false)
      field.shareAt = now.instant.advanced(by: Composer.draftPause)
      composer[key] = field
      tellTyping(key)
    } else {
      composer[key] = field
    }
  }

  // MARK: The mouse

  private func click(_ mouse: MouseEvent) {
    guard settings.hasMouse else { return }
    switch mouse.action {
    case .scrollUp: scroll(-3, at: mouse.position)
    case .scrollDown: scroll(3, at: mouse.position)
    case .press(0):
      attendance.person.pressed(at: now.instant)
      press(at: mouse.position)
    case .press, .release, .drag: break
    }
  }

  private func scroll(_ lines: Int, at position: Frame.Position) {
    if !screen.popups.isEmpty {
      screen.popups.change { $0.move(lines) }
    } else if screen.viewer != nil {
      screen.viewer?.turn(lines.signum())
    } else if screen.keyboard != nil, emoticonBox?.contains(position) == true {
      screen.keyboard?.turn(lines.signum())
    } else if screen.panes.occupants.contains(position.column) {
      screen.occupantsTop = FrameBuilder(self).occupantsTop(scrolledBy: lines)
    } else if let pane = screen.panes.area(at: position) {
      scroll(pane, lines)
    } else {
      screen.list.move(lines.signum())
    }
  }

  private func press(at position: Frame.Position) {
    if let picker = screen.popups.last {
      guard let row = PopupBox(screen.surface, picker)?.row(at: position) else {
        return asksAboutChanges() ? () : screen.popups.close()
      }
      screen.popups.change { $0.point(at: row) }
      take(screen.popups.choose())
      return
    }
    if screen.viewer != nil { return }
    if screen.keyboard != nil { return pressOnKeyboard(at: position) }
    if screen.panes.occupants.contains(position.column), let key = screen.occupantsOf {
      if let nick = FrameBuilder(self).nick(at: position.line) { pushOccupant(nick, of: key) }
      return
    }
    if let pane = screen.panes.area(at: position) {
      screen.isInList = false
      _ = screen.conversations.focus(pane.key)
      return pressOnMessage(pane, at: position)
    }
    guard position.column < screen.panes.listWidth else { return }
    let index = screen.list.top + (position.line - screen.surface.headerLines) / FrameBuilder.listRowLines
    guard position.line >= screen.surface.headerLines, screen.list.order.indices.contains(index) else { return }
    screen.list.select(screen.list.order[index])
    openRow()
  }

  /// A click on a link, a mention or a topic asks what to do with it; elsewhere it selects the message.
  private func pressOnMessage(_ area: PaneLayout.Area, at position: Frame.Position) {
    guard let pane = screen.conversations[area.key], let window = model.windows[area.key] else { return }
    let view = pane.view
    let top = area.line + screen.surface.headerLines
    var line = position.line - top - view.visible.padding + view.visible.line
    guard position.line < top + bodyLines(area) else { return }
    for index in view.visible.range where window.rows.indices.contains(index) {
      let height = pane.transcript.height(of: index)
      guard line >= height else {
        guard line >= 0 else { return }
        let column = position.column - area.column
        if let target = pane.transcript.target(at: line, column: column, of: index, in: area.key) {
          return push(.target(target))
        }
        return screen.conversations.change(area.key) { $0.choose(window.rows[index].id) } ?? ()
      }
      line -= height
    }
  }

  /// A click while the keyboard is open: on a tab, on an emoticon, or outside of it.
  private func pressOnKeyboard(at position: Frame.Position) {
    guard let keyboard = screen.keyboard, let box = emoticonBox, box.contains(position) else { return closeKeyboard() }
    if let cell = box.cell(at: position) {
      screen.keyboard?.choose(cell)
      perform(.type(keyboard.content(cell, page: keyboard.page)))
    } else if let index = box.tab(
      at: position, EmoticonKeyboard.tabs(model.emoticons).map(\.title), appearance.layout(width: box.width))
    {
      screen.keyboard?.go(to: EmoticonKeyboard.tabs(model.emoticons)[index].tab)
    }
  }

  /// Place of the keyboard; nil if there is no space for it.
  var emoticonBox: EmoticonBox? {
    guard let pane = screen.focused.flatMap({ screen.panes[$0.key] }) else { return nil }
    return EmoticonBox(pane, bottom: pane.end - FrameBuilder.inputRows(self, pane))
  }
}

extension Key {
  /// The letter that the key types; nil for other keys.
  var letter: String? {
    guard case .character(let letter) = code, modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
    return String(letter)
  }
}
