import Clocks
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
    if settings.editing == .vi, desk.context == .conversation, keys.keys.isEmpty, !desk.surface.isCopyView,
      let open = desk.talk?.key
    {
      var isTaken = false
      write(open) { isTaken = composer.vi.press(key, &$0) }
      if isTaken { return }
    }
    if desk.surface.isCopyView, desk.popups.isEmpty, key == Key(.enter) { return inCopyView("o") }
    switch keys.press(key, in: desk.context) {
    case .action(let action): act(action)
    case .prefix: break
    case .none where key == Key(.character("c"), .control): say("\(keyName(.quit)) leaves confab.")
    case .none: if let letter = key.letter { type(letter) }
    }
  }

  /// A letter: into the pop-up, into the input, or it opens the switcher.
  private func type(_ letter: String) {
    if case .confirm(_, let intent)? = desk.popups.last?.kind { return answer(letter, intent) }
    if !desk.popups.isEmpty { return edit { $0.input.insert(letter) } }
    if desk.viewer != nil { return typeInViewer(letter) }
    if desk.keyboard != nil { return desk.keyboard?.edit { $0.input.insert(letter) } ?? () }
    if desk.surface.isCopyView { return inCopyView(letter) }
    if let key = desk.talk?.key, !desk.isInList { return write(key) { $0.input.insert(letter) } }
    push(letter == "/" ? .prompt(.command) : .switcher, text: letter)
  }

  /// Answers a question.
  private func answer(_ letter: String, _ intent: Intent) {
    switch letter.lowercased() {
    case "y": perform(intent)
    case "n": closePopup()
    default: break
    }
  }

  /// Without an input, letters are the keys of a pager; a number is that of a link.
  private func inCopyView(_ letter: String) {
    if let digit = letter.first, ("0"..."9").contains(digit) { return desk.surface.copyView?.type(digit) ?? () }
    defer { desk.surface.copyView?.forgetTyped() }
    if let target = desk.surface.copyView?.chosen, letter == "o" || letter == "y" {
      return perform(letter == "o" ? target.intent : .copy(target.target))
    }
    switch letter {
    case "q": leaveCopyView()
    case "k": scrollTalk(-1)
    case "j": scrollTalk(1)
    case " ": act(.pageDown)
    case "b": act(.pageUp)
    case "g": act(.firstMessage)
    case "G": act(.lastMessage)
    case "n": goToHit(1)
    case "N": goToHit(-1)
    default: break
    }
  }

  /// A paste reaches the input from wherever the keys are, and is never a key.
  private func paste(_ text: String) {
    let text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    if !desk.popups.isEmpty {
      return edit { $0.input.insert(String(text.map { $0.isNewline ? " " : $0 })) }
    }
    desk.viewer = nil
    if desk.talk == nil, let key = desk.list.chosen { open(key) }
    guard let key = desk.talk?.key else { return say("Open a conversation first: F2.") }
    desk.isInList = false
    write(key) { $0.input.insert(text) }
    for paths in TypedPath.alone(composer[key].editor.input.text) { actions.append(.lookAt(paths, key)) }
    let lines = text.count { $0 == "\n" } + 1
    if lines > 1 { say("\(lines) lines pasted; \(keyName(.send)) sends them as one message.") }
  }

  func keyName(_ action: Action) -> String { keys.map.keys(of: action).first?.text ?? "/" + action.rawValue }

  /// Changes the query of the pop-up.
  func edit(_ body: (inout InputEditor) -> Void) {
    guard !desk.popups.isEmpty else { return }
    body(&desk.popups[desk.popups.count - 1].editor)
    desk.popups[desk.popups.count - 1].reset()
  }

  /// Changes the input of a conversation: the draft is shared later, the contact is told that somebody writes.
  func write(_ key: ConversationKey, _ body: (inout InputEditor) -> Void) {
    var field = composer[key]
    let before = field.editor.input.letters
    body(&field.editor)
    if field.editor.input.letters != before {
      field.changedAt = now.instant
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
    if !desk.popups.isEmpty {
      desk.popups[desk.popups.count - 1].move(lines)
    } else if desk.viewer != nil {
      desk.viewer?.turn(lines.signum())
    } else if desk.keyboard != nil, emoticonBox?.contains(position) == true {
      desk.keyboard?.turn(lines.signum())
    } else if let pane = desk.panes.talk(at: position.column) {
      scroll(pane, lines)
    } else {
      desk.list.move(lines.signum())
    }
  }

  private func press(at position: Frame.Position) {
    if !desk.popups.isEmpty {
      guard let box = PopupBox(desk.surface, desk.popups[desk.popups.count - 1]), let row = box.row(at: position) else {
        return closePopup()
      }
      desk.popups[desk.popups.count - 1].point(at: row)
      return choose()
    }
    if desk.viewer != nil { return }
    if desk.keyboard != nil { return pressOnKeyboard(at: position) }
    if let pane = desk.panes.talk(at: position.column) {
      desk.isInList = false
      _ = desk.talks.focus(pane.key)
      return pressOnMessage(pane, at: position)
    }
    guard position.column < desk.panes.listWidth else { return }
    let index = desk.list.top + (position.line - desk.surface.headerLines) / FrameBuilder.listRowLines
    guard position.line >= desk.surface.headerLines, desk.list.order.indices.contains(index) else { return }
    desk.list.select(desk.list.order[index])
    openRow()
  }

  /// A click on a link, a mention or a topic asks what to do with it; elsewhere it selects the message.
  private func pressOnMessage(_ place: PaneLayout.Talk, at position: Frame.Position) {
    guard let pane = desk.talks[place.key], let window = model.windows[place.key] else { return }
    let view = pane.view
    var line = position.line - desk.surface.headerLines - view.visible.padding + view.visible.line
    guard position.line < desk.surface.headerLines + bodyLines(place) else { return }
    for index in view.visible.range where window.rows.indices.contains(index) {
      let height = pane.transcript.height(of: index)
      guard line >= height else {
        guard line >= 0 else { return }
        let column = position.column - place.column
        if let target = pane.transcript.target(at: line, column: column, of: index, in: place.key) {
          return push(.target(target))
        }
        return desk.talks.change(place.key) { $0.choose(window.rows[index].id) } ?? ()
      }
      line -= height
    }
  }
}

extension Key {
  /// What the key types; nil if it is no letter.
  var letter: String? {
    guard case .character(let letter) = code, modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
    return String(letter)
  }
}
