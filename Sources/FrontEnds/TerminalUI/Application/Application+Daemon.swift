package import Clocks
import ConfabClient

/// Takes events of the daemon, and does what follows from them.
extension Application {
  func take(_ event: ModelEvent) {
    switch event {
    case .ready:
      screen.viewer?.askAgain()
      screen.pictures.avatars.askAgain()
      for pane in screen.conversations.panes { load(pane.view.awaitedPage, pane.view.key) }
      checkMessages(of: nil)
    case .otherLog:
      clearDesk()
      composer.keepHere()
      say("The daemon has another log now." + (composer.keepsTexts ? " What was not sent is in its input again." : ""))
    case .ownersKnown: shareAllDrafts()
    case .otherOwners(let old, let new): move(old, to: new)
    case .stranger(let reason): say(reason)
    case .message(let key, let row): arrive(key, row)
    case .notice(let key, let row): tell(key, row)
    case .changed(let key, let row, .failure):
      if screen.panes[key] == nil { say("\(model.name(of: key)): \(row.failureWords())") }
    case .changed(let key, let row, _), .current(let key, let row): follow(row, key)
    case .doubtful(let key): checkMessages(of: key)
    case .forgotten(let key, let id): letGo(id, key, "forgotten")
    case .undelivered(let key, let reason): say("\(model.name(of: key)): \(MessageRow.failureWords(reason))")
    case .invited(let key, let person, let reason):
      say(model.invitationWords(key, by: person, reason, goTo: screen.isInList ? appearance.keyName(.top) : ""))
    case .notJoined(let key, let reason): notJoined(key, reason)
    case .askedToSpeak(let key, let nick):
      say(model.voiceRequestWords(key, nick))
    case .device(let key, let sentence): tellDevice(key, sentence)
    case .removed(let key): say("You are not in \(model.name(of: key)) any more: \(model.rooms[key]?.reason ?? "")")
    case .stored, .asked, .roomChanged: break
    case .accepted(let contact): say(model.acceptedWords(contact.key))
    case .takenBack(let key, let text): composer.giveBack(text, to: key)
    case .refused(let message, let reason):
      composer.giveBack(message.typed, to: message.conversation, message.purpose)
      checkMessages(of: message.conversation)
      say("Not sent: \(reason)")
    case .fetched(let file, let key): file.use.isDrawing ? draw(file, key) : actions.append(.keep(file))
    case .avatar(let key, let hash): takeAvatar(hash, of: key)
    case .failed(let reason):
      screen.viewer?.stopWaiting()
      say(reason)
    case .loaded(let purpose): loaded(purpose)
    case .draft(let key, let text): composer.take(draft: text, of: key, at: now.instant)
    case .found(let key, let id):
      load(screen.conversations.change(key) { view in id.map { view.go(behind: $0) } ?? view.goToStart() }, key)
      if id == nil { say("Nothing is older; this is the first message.") }
      if let id, id == model.conversations[key]?.last?.id {
        say("Nothing was said since then; this is the newest message.")
      }
    }
  }

  private func clearDesk() {
    screen.conversations.closeAll()
    screen.pictures.removeAll()
    screen.viewer = nil
    screen.awaitedReaction = nil
    screen.popups.closeAll()
    goToList()
  }

  /// Other accounts: the open conversation is opened again, if its owner is still there.
  private func move(_ old: AccountOwners, to new: AccountOwners) {
    let open = screen.isInList ? nil : screen.focused?.key
    clearDesk()
    composer.move { old.key($0, among: new) }
    say("The accounts were changed.")
    if let key = open.flatMap({ old.key($0, among: new) }) { self.open(key) }
  }

  private func arrive(_ key: ConversationKey, _ row: MessageRow) {
    if row.isMine { return composer.sent(row.text, in: key) }
    guard !row.isEvent, !row.isIgnored else { return }
    _ = screen.conversations.change(key) { $0.take(new: row.id) }
  }

  private func loaded(_ purpose: SocketQuestions.Purpose) {
    switch purpose {
    case .rows(let key, let page, _):
      guard let window = model.windows[key] else { return }
      if case .before = page { return }
      if case .after = page { return }
      _ = screen.conversations.change(key) { $0.arrive(window) }
    // The answer failed: its pop-up has nothing to show.
    case .form(let key) where model.rooms.form?.isWhole == false: closeRoomPopup(key)
    case .service(let key) where model.rooms.service?.isWhole == false: closeRoomPopup(key)
    case .look(let key) where model.rooms.listed == nil: closeRoomPopup(key)
    // Without the list beside it, a conversation does not show what most commands change.
    case .command(let label) where !["add ", "forward "].contains(where: label.hasPrefix): say("Done: \(label).")
    default: break
    }
  }

  /// A notice: the bell, the terminal's own, a command of the user's.
  private func tell(_ key: ConversationKey, _ row: MessageRow) {
    // The daemon knows of one conversation in focus; a second one may be beside it.
    guard !seen.contains(where: { $0.key == key }) else { return }
    let name = model.conversations[key].map { $0.name.isEmpty ? key.jid : $0.name } ?? key.jid
    let notice = NoticeGate.Notice(
      title: name, text: settings.notices.hasText ? noticeWords(row, key) : "a new message", message: row.id)
    let pause = Interval.seconds(Int64(settings.notices.pauseSeconds))
    if let due = gate.add(notice, pause: pause, at: now.instant) { give(due) }
  }

  /// In a room with who says it.
  private func noticeWords(_ row: MessageRow, _ key: ConversationKey) -> String {
    let speaker = model.rooms[key] == nil ? nil : row.nick
    return speaker.map { "\($0): \(row.preview)" } ?? row.preview
  }

  private func give(_ notice: NoticeGate.Notice) {
    let title = ShownLine.clean(notice.title, limit: 100)
    let text = ShownLine.clean(notice.text, limit: 300)
    if settings.notices.hasBell { actions.append(.bell) }
    if settings.notices.sequence != .none { actions.append(.notice(title: title, text: text)) }
    let command = TypedPath.command(settings.notices.command, home: environment.home)
    if !command.isEmpty { actions.append(.run(command + [title, text])) }
  }

  /// Other spellings of a word that was asked about.
  func offer(_ suggestions: [String], for word: String) {
    guard screen.popups.isEmpty, !screen.isInList, screen.focused != nil else { return }
    if suggestions.isEmpty { return say("No other spelling of \(word) is known.") }
    push(.spelling(word, suggestions))
  }

  // MARK: After each event

  /// True if rows of the list stay in place: the person moves among them, or reads further below.
  private var isListFrozen: Bool {
    screen.isInList && screen.popups.isEmpty && (screen.list.isScrolled || attendance.person.isBusy(at: now.instant))
  }

  /// Brings the parts in line with each other, and does what time asks for.
  func settle() {
    let pause = Interval.seconds(Int64(settings.notices.pauseSeconds))
    if let due = gate.release(pause: pause, at: now.instant) { give(due) }
    if let notice, notice.until <= now.instant { self.notice = nil }
    screen.list.update(model, settings, isFrozen: isListFrozen)
    settlePanes()
    openWanted()
    settleEmoticons()
    settleViewer()
    if typedSearch.settle(screen.popups.unsearched?.query, at: now.instant) { take(screen.popups.choose()) }
    settleOccupants()
    settlePopup()
    settlePreview()
    settleAvatars()
    screen.list.settle(height: listRows)
    checkSpelling()
    for pane in screen.panes.areas { settle(pane) }
    let seen = self.seen
    let focus = seen.first { $0.key == screen.focused?.key }
    for request in attendance.update(focus?.key, seen: seen, at: now.instant) { model.tell(request) }
    shareDrafts()
  }

  /// The conversations that somebody sees at the moment.
  private var seen: [ReaderAttendance.Seen] {
    guard attendance.person.isThere(at: now.instant), screen.viewer == nil else { return [] }
    return screen.panes.areas.map {
      ReaderAttendance.Seen(key: $0.key, last: lastArrivedShown($0), row: model.conversations[$0.key])
    }
  }

  private func settlePopup() {
    guard let picker = screen.popups.last else { return }
    let width = PopupBox(screen.surface, picker)?.innerWidth ?? screen.surface.columns
    let lines = pickerItems(width: width - screen.previewColumns(appearance)).lines(picker)
    screen.popups.change { $0.update(lines) }
    let height = screen.popups.last.flatMap { PopupBox(screen.surface, $0)?.rows } ?? 0
    screen.popups.change { $0.settle(height: height) }
  }

  private func pickerItems(width: Int) -> PickerItems {
    PickerItems(
      model: model, keymap: keys.map, words: environment.words, date: environment.date, now: now.wall,
      account: newAccount, folder: screen.folder, sent: composer.sent, isDrawn: { [self] in isDrawn($0) },
      context: appearance.layout(width: width))
  }

  /// Asks for what the emoticon keyboard shows, and whether what is beside the cursor is a code, before it is deleted.
  private func settleEmoticons() {
    settleReaction()
    if case .react = screen.popups.last?.kind, let query = screen.popups.last?.query, !query.isEmpty {
      model.need(.matches(query))
    }
    if screen.focused == nil { screen.keyboard = nil }
    if screen.keyboard != nil, model.emoticons.packs?.isEmpty == true {
      closeKeyboard()
      say(Self.noEmoticons)
    }
    screen.keyboard?.update(model.emoticons)
    for list in screen.keyboard?.needs ?? [] { model.need(list) }
    guard screen.popups.isEmpty, screen.keyboard == nil, screen.awaitedReaction == nil, !screen.isInList,
      let key = screen.focused?.key
    else { return }
    let input = composer[key].editor.input
    if let text = input.possibleCode ?? input.emoticonQuery { model.need(.matches(text)) }
  }

  /// Sends the reaction that was chosen by its name, once it is found.
  private func settleReaction() {
    guard let awaited = screen.awaitedReaction else { return }
    model.need(.matches(awaited.query))
    guard model.link != .connected || model.emoticons.matches.text == awaited.query else { return }
    screen.awaitedReaction = nil
    let items = pickerItems(width: screen.surface.columns)
    let found = items.reactions(to: awaited.message, in: awaited.key, awaited.query).compactMap(\.intent)
    guard case .react(let key, let id, let emoji)? = found.first else {
      return say("Nothing found for “\(awaited.query)”: no reaction was sent.")
    }
    model.react(emoji, to: id, in: key)
  }

  private static let noEmoticons =
    "No packs of emoticons are installed. Put some into ~/.local/share/confab/emoticons and restart the daemon."

  /// Asks about the words of the input that has the keys.
  private func checkSpelling() {
    guard !settings.spelling.isEmpty, !screen.isInList, let key = screen.focused?.key else { return }
    let input = composer[key].editor.input
    guard input.letters.first != "/" || SlashCommand.text(input.text) != nil else { return }
    let words = composer.spelling.unasked(in: input)
    if !words.isEmpty { actions.append(.checkSpelling(words, settings.spelling)) }
  }

  private func settle(_ pane: PaneLayout.Area) {
    let key = pane.key
    guard let window = model.windows[key], let old = screen.conversations[key] else { return }
    screen.surface.copyView?.number(window.rows, in: key)
    old.transcript.show(SceneBuilder(app: self).scene(old.view, window, width: pane.width))
    showHit(pane, window)
    guard let geometry = geometry(pane) else { return }
    _ = screen.conversations.change(key) { $0.settle(window, geometry) }
    guard let view = screen.conversations[key]?.view else { return }
    let visible = view.visible.range.clamped(to: 0..<window.rows.count)
    let screenful = max(10, bodyLines(pane))
    if window.isStale, window.asked == nil {
      model.refresh(key, around: view.anchor.follows ? nil : view.anchor.item)
    } else {
      model.prefetch(key, visible: visible, screenful: screenful)
      model.trim(key, visible: visible, keep: 4 * screenful)
      showOwnPictures(of: window.rows[visible], in: key)
    }
  }

  /// Unfolds the message that a search has led to, if the hit is in what is folded away, and scrolls to it.
  private func showHit(_ pane: PaneLayout.Area, _ window: RowWindow) {
    guard let id = screen.conversations.change(pane.key, { $0.takeArrival() }) ?? nil,
      let transcript = screen.conversations[pane.key]?.transcript,
      transcript.hasHits(id), let index = window.index(of: id)
    else { return }
    if transcript.firstHitLine(of: index) == nil {
      _ = screen.conversations.change(pane.key) { $0.unfold(id) }
      if let view = screen.conversations[pane.key]?.view {
        transcript.show(SceneBuilder(app: self).scene(view, window, width: pane.width))
      }
    }
    let height = bodyLines(pane)
    if let line = transcript.firstHitLine(of: index), line >= height {
      _ = screen.conversations.change(pane.key) { $0.place(id, line: line, height: height) }
    }
  }

  /// The message that arrived last of those of which a line is on the screen.
  private func lastArrivedShown(_ pane: PaneLayout.Area) -> UInt64? {
    guard let conversation = screen.conversations[pane.key], let window = model.windows[pane.key], window.isLoaded,
      !window.isStale,
      let last = conversation.transcript.lastShown(conversation.view.visible, height: bodyLines(pane))
    else { return nil }
    let shown = conversation.view.visible.range.lowerBound...max(last, conversation.view.visible.range.lowerBound)
    return window.rows.indices.contains(last) ? window.rows[shown].lastArrived : nil
  }

  private func shareDrafts() {
    for (key, field) in composer.fields {
      if let due = field.shareAt, due <= now.instant { shareDraft(key) }
      if let due = composer.followDue(of: key), due <= now.instant { composer.follow(key) }
      tell(key) { $0.tick(at: now.instant) }
    }
  }

  /// When `deadline` is due; nil: nothing waits for time.
  package var deadline: Instant? {
    let waiting = composer.fields.flatMap { key, field in
      [field.shareAt, field.typing.pauseDue, composer.followDue(of: key)].compactMap(\.self)
    }
    let others = [
      notice?.until, gate.due, attendance.readDue(after: now.instant), attendance.person.leaves(after: now.instant),
      screen.list.addedAbove > 0 ? attendance.person.rests(after: now.instant) : nil,
      countdown, answers.due, typedSearch.due,
      model.presencesDue.map { now.instant.advanced(by: $0 - now.wall) },
    ]
    return (waiting + others.compactMap(\.self)).min()
  }

  /// When a message that is kept back shows another time.
  private var countdown: Instant? {
    let changes = screen.panes.areas.flatMap { pane -> [Int64] in
      guard let view = screen.conversations[pane.key]?.view, let window = model.windows[pane.key] else { return [] }
      let shown = window.rows[view.visible.range.clamped(to: 0..<window.rows.count)]
      return shown.compactMap { $0.countdown(at: now.wall.milliseconds / 1000)?.secondsShown }
    }
    return changes.min().map { now.instant.advanced(by: .seconds($0)) }
  }
}
