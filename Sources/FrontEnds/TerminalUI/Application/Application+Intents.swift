import Clocks
import ConfabClient
import LineProtocol
import Screen

/// Effects of intents, whatever they come from.
extension Application {
  func perform(_ intent: Intent) {
    switch intent {
    case .open(let key, let name):
      screen.popups.closeAll()
      open(key, name: name)
    case .beside(let key, let name):
      screen.popups.closeAll()
      open(key, name: name, beside: true)
    case .show(let key, let id):
      screen.popups.closeAll()
      show(key, id)
    case .popup(let kind): push(kind)
    case .prompt(let prompt, let text): push(.prompt(prompt), text: text)
    case .find(let text, let key):
      screen.popups.closeAll()
      push(.search(SearchScope(key)), text: text)
      take(screen.popups.choose())
    case .search(let text, let key): model.find(text, in: key)
    case .searchElsewhere: take(screen.popups.searchElsewhere())
    case .findMore: model.findMore()
    case .askSections(let key): model.askSections(key)
    case .closePopup: screen.popups.close()
    case .fold(let path): screen.popups.change { $0.toggle(path) }
    case .act(let action):
      screen.popups.closeAll()
      act(action)
    case .actOnMessage(let action, let words): actOnMessage(action, words)
    case .go(let id, let key): load(screen.focused?.go(to: id), key)
    case .unfold(let id): screen.focused?.toggleFold(id)
    case .write(let purpose): begin(purpose)
    case .correct(let row): correct(row)
    case .cancel(let row): if let key = screen.focused?.key { model.cancel(row, in: key) }
    case .sendAbout(let text, let purpose): if let key = screen.focused?.key { send(text, to: key, purpose) }
    case .type(let cell): type(cell)
    case .send(let text): if let key = screen.focused?.key { transmit(text, key) }
    case .enter(let request, let label, let key):
      model.ask(request, .join(key, label))
      perform(.open(key, name: ""))
    case .sendTo(let key, let text):
      perform(.open(key, name: ""))
      transmit(text, key)
    case .respell(let word, let other): respell(word, other)
    case .recall(let text):
      screen.popups.closeAll()
      if let key = screen.focused?.key { write(key) { $0.input.set(text) } }
    case .writeAgain(let text): writeAgain(text)
    case .request(let request, let label):
      screen.popups.close()
      if case .confirm = screen.popups.last?.kind { screen.popups.close() }
      if request.verb == .remove, case .contact = screen.popups.last?.kind { screen.popups.close() }
      model.command(request, label)
      // Behind the request, so that the answer has what it changes.
      if request.verb == .ignore, let room = screen.concerned { model.askIgnored(of: room) }
    case .group(let key, let group, let isIn): setGroup(key, group, isIn: isIn)
    case .befriend(let key): befriend(key)
    case .switchTo(let text):
      screen.popups.closeAll()
      push(.switcher, text: text)
    case .help(let text): push(.help, text: text)
    case .ask(let request):
      model.query(request)
      push(.answer(request.verb.rawValue, request.id(.id)))
    case .react(let key, let id, let emoji):
      screen.popups.closeAll()
      model.react(emoji, to: id, in: key)
    case .reactOnceFound(let key, let id, let query):
      screen.popups.closeAll()
      screen.awaitedReaction = AwaitedReaction(key: key, message: id, query: query)
    case .forward(let id, let key, let text): forward(id, to: key, text: text)
    case .browse(let link): browse(link)
    case .copy(let text):
      screen.popups.closeAll()
      actions.append(.copy(text))
      say("Copied \(ShownLine.clean(text, limit: 60))")
    case .sendFiles(let paths, let key): sendFiles(paths, "", to: key)
    case .sendAgain(let message, let key):
      if let (paths, text) = model.outgoing.files(of: message) { sendFiles(paths, text, to: key) }
    case .folder(let path, let key): openFolder(path, key)
    case .sendFileWords(let words): sendFiles(words)
    case .saveFileWords(let words):
      guard !screen.isInList, let messages else { return say("Open the conversation first.") }
      perform(messages.saving(words))
    case .fetch(let file, let key): fetch(file, key)
    case .stopFetching(let message, let files, let key): stopFetching(message, files, key)
    case .fetchAvatar(let key): fetchAvatar(of: key)
    case .showAll(let message, let key): showAll(message, key)
    case .view(let file): openViewer(file)
    case .hide(let file):
      screen.popups.closeAll()
      screen.pictures.remove(file.message, file.index)
    case .answer(let prompt, let text): answer(prompt, text)
    case .room(let intent): perform(intent)
    case .ownDevices: pushOwnDevices()
    case .refreshDevices(let key):
      model.askDevices(of: key, isFresh: true)
      say("Asking the server …")
    case .confirm(let question, let intent): push(.confirm(question, intent))
    case .command(let text): begin(text)
    case .say(let text): say(text)
    case .quit: leave()
    case .quitAnyway: quit()
    case .reload:
      isReadingSettings = true
      actions.append(.readSettings)
    case .colours(let colours): show(colours)
    case .terminal(let program):
      screen.popups.closeAll()
      actions += [.terminal(program), .connect]
    case .connect:
      screen.popups.closeAll()
      actions.append(.connect)
    }
  }

  // MARK: Pop-ups

  func push(_ kind: Picker.Kind, text: String = "") {
    screen.popups.push(kind, text: text)
    switch kind {
    case .sections(let key): model.askSections(key)
    case .accounts where model.link == .connected: model.refreshAccounts()
    case .device(.list(let key)): lookAtDevices(of: key)
    default: break
    }
  }

  private func answer(_ prompt: Picker.Prompt, _ text: String) {
    // An empty text clears a topic or a field.
    if case .room(let question, let key) = prompt { return answer(question, key, text) }
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let first = words.first else { return }
    switch prompt {
    case .addContact:
      guard let jid = TypedAddress.bare(first) else {
        say(SlashCommand.unknown(first, .add))
        return push(.prompt(prompt), text: text)
      }
      var request = Request(.add, arguments: [.jid: .string(jid)])
      if words.count > 1 { request.options[.name] = .string(words[1]) }
      if model.book.isAmbiguous(jid) { return push(.adding(request)) }
      request.account = model.book.only(jid)?.accountName
      model.command(request, "add \(jid)")
      say("\(jid) was asked\(request.account.map { ", by \($0)" } ?? "").")
    case .rename(let key):
      var request = Request(.add, options: [.name: .string(text)], arguments: [.jid: .string(key.jid)])
      request.account = key.accountName
      model.command(request, "rename \(key.jid)")
    case .group(let key): setGroup(key, text, isIn: true)
    case .jumpToDate(let key):
      guard let time = times.read(text.trimmingSpaces)
      else {
        say("No date: \(text)")
        return push(.prompt(prompt), text: text)
      }
      model.jump(to: time, in: key)
    case .saveFile(let file): perform(file.fetching(.save(text)))
    case .verify(let key): verify(text, key)
    case .room: break
    case .command where text.hasPrefix("/"): perform(slash.intent(text))
    case .command:
      say("A command begins with a slash.")
      push(.prompt(prompt), text: text)
    }
  }

  /// The menu of groups stays, and shows what came of it.
  private func setGroup(_ key: ConversationKey, _ group: String, isIn: Bool) {
    let request = Request(
      isIn ? .add : .remove, options: [.group: .string(group)], arguments: [.jid: .string(key.jid)],
      account: key.accountName)
    let (verb, way) = isIn ? ("put", "into") : ("take", "out of")
    let name = ShownLine.clean(group, limit: 60)
    model.command(request, "\(verb) \(model.name(of: key)) \(way) the group \(name)")
  }

  private func befriend(_ key: ConversationKey) {
    screen.popups.close()
    for (verb, words) in [(Verb.add, "ask"), (.accept, "accept")] {
      model.command(
        Request(verb, arguments: [.jid: .string(key.jid)], account: key.accountName), "\(words) \(key.jid)")
    }
  }

  /// The account of new conversations and contacts: that of the conversation that is open, or at the cursor; empty while there
  /// is one account only.
  var newAccount: String {
    guard model.accounts.count > 1 else { return "" }
    if let key = screen.concerned, !key.account.isEmpty { return key.account }
    return environment.account.isEmpty ? model.accounts.first?.name ?? "" : environment.account
  }

  /// Tries other colours, until the settings are read again.
  private func show(_ colours: UISettings.Colours) {
    settings.colours = colours
    let hasFew = [.dark, .light].contains(colours) && screen.surface.capabilities.depth < .palette
    let doubt = hasFew ? " This terminal has too few colours for them, so its own are shown." : ""
    say(
      "Colours: \(colours.rawValue).\(doubt) To keep them, write colours = \(colours.rawValue) below [ui] in tui.conf.")
  }

  // MARK: Messages

  /// Does something with the selected message, or the newest one that it may concern.
  private func actOnMessage(_ action: UserAction, _ words: String) {
    guard !screen.isInList, let messages else { return say("Open the conversation first.") }
    screen.focused?.deselect()
    perform(messages.intent(action, words: words))
  }

  private func begin(_ purpose: WritingPurpose) {
    guard let key = screen.focused?.key else { return }
    composer.write(purpose, in: key)
    screen.focused?.deselect()
  }

  private func correct(_ row: MessageRow) {
    guard let key = screen.focused?.key else { return }
    composer.correct(row, in: key)
    screen.focused?.deselect()
  }

  private func forward(_ id: UInt64, to key: ConversationKey, text: String?) {
    screen.popups.closeAll()
    screen.focused?.deselect()
    let arguments: NamedValues<ArgumentName> = [.id: .id(id), .jid: .string(key.jid)]
    model.command(
      Request(.forward, arguments: arguments, text: text, account: key.accountName), "forward to \(key.jid)")
    say("Forwarded to \(model.name(of: key)).")
  }

  // MARK: The input

  /// Writes an emoticon at the cursor, or deletes what is before it.
  private func type(_ cell: EmoticonKeyboard.Cell) {
    guard let key = screen.focused?.key else { return }
    switch cell {
    case .emoticon(let emoticon):
      write(key) { $0.input.insert(emoticon.written) }
      model.useEmoticon(emoticon.code)
    case .delete: write(key) { $0.deleteBack(model.emoticons.knownCodes) }
    case .empty: break
    }
  }

  /// Puts another word in the place of the one that was asked about.
  private func respell(_ word: String, _ other: String) {
    screen.popups.closeAll()
    if let key = screen.focused?.key { write(key) { $0.input.respell(word, other) } }
  }

  private func writeAgain(_ text: String) {
    guard let key = screen.focused?.key else { return }
    write(key) { $0.input.set(text) }
    screen.focused?.deselect()
    say("Nobody got it. Its text is in the input again.")
  }

  // MARK: Elsewhere

  /// A link begins with its scheme, so that no program takes it for an option.
  private func browse(_ link: String) {
    screen.popups.closeAll()
    actions.append(.run(["xdg-open", link]))
    say("Opening \(link)")
  }

  /// Puts the begin of a command where it can be typed on: into an empty input, else into a pop-up.
  private func begin(_ command: String) {
    screen.popups.closeAll()
    guard let key = screen.focused?.key, composer[key].editor.input.isEmpty else {
      return push(.prompt(.command), text: command)
    }
    screen.isInList = false
    write(key) { $0.input.set(command) }
  }

  /// Searches in the open conversation first, from the list in all of them.
  func beginSearch() { push(.search(SearchScope(screen.isInList ? nil : screen.focused?.key))) }

  /// The hit of the search before or behind the one that is shown.
  func goToHit(_ step: Int) {
    guard let search = model.search, !search.hits.isEmpty else { return beginSearch() }
    let shown = screen.focused?.selected
    let index = shown.flatMap { id in search.hits.firstIndex { $0.id == id } }.map { $0 + step } ?? 0
    guard search.hits.indices.contains(index) else {
      if index >= search.hits.count { model.findMore() }
      return say("No more hits.")
    }
    let row = search.hits[index]
    let account = model.accounts.count > 1 ? row.account : ""
    show(ConversationKey(account: account, jid: row.conversation), row.id)
    say("Hit \(index + 1) of \(search.hits.count)\(search.hasMore ? "+" : ""), the newest first.")
  }
}
