import Clocks
import LineProtocol

/// Pop-ups: opening, choosing, answering.
extension Application {
  func push(_ kind: Picker.Kind, text: String = "") {
    desk.popups.append(Picker(kind, text: text))
    switch kind {
    case .sections(let key): model.askSections(key)
    case .accounts where model.link == .connected: model.refreshAccounts()
    default: break
    }
  }

  func closePopup() { _ = desk.popups.popLast() }

  /// Whether the pop-up takes the action.
  func actInPopup(_ action: Action) -> Bool {
    let last = desk.popups.count - 1
    let page = max(1, (PopupBox(desk.surface, desk.popups[last])?.rows ?? 2) - 1)
    switch action {
    case .back: closePopup()
    case .up: desk.popups[last].move(-1)
    case .down: desk.popups[last].move(1)
    case .pageUp: desk.popups[last].move(-page)
    case .pageDown: desk.popups[last].move(page)
    case .open: choose()
    case .right where desk.popups[last].kind == .contacts && desk.popups[last].query.isEmpty: unfold()
    case .left where desk.popups[last].kind == .contacts && desk.popups[last].query.isEmpty: desk.popups[last].fold()
    case .complete where desk.popups[last].kind == .prompt(.command): completeCommand()
    case .otherPane, .complete: chooseMore()
    case .help, .switcher, .search, .contacts, .accounts:
      desk.popups = []
      return false
    case .quit, .redraw, .suspend: return false
    default: edit { _ = $0.edit(action) }
    }
    if case .search = desk.popups.last?.kind, desk.popups.last?.chosen?.intent == .act(.pageDown) { model.findMore() }
    return true
  }

  /// Unfolds what is at the cursor; of a contact the sections are asked for.
  private func unfold() {
    let last = desk.popups.count - 1
    switch desk.popups[last].chosen?.intent {
    case .open(let key, _)?: model.askSections(key)
    case .fold?: break
    default: return
    }
    desk.popups[last].unfold()
  }

  private func completeCommand() {
    guard let query = desk.popups.last?.query, let common = slash.completion(query) else { return }
    edit { $0.input.set(common) }
  }

  private func chooseMore() {
    if let more = desk.popups.last?.chosen?.more { perform(more) }
  }

  /// Enter in a pop-up: searches, answers, or does what stands at the cursor.
  func choose() {
    guard let picker = desk.popups.last else { return }
    if case .search(let key) = picker.kind, picker.query != picker.searched, !picker.query.isEmpty {
      desk.popups[desk.popups.count - 1].searched = picker.query
      desk.popups[desk.popups.count - 1].reset()
      return model.find(picker.query, in: key)
    }
    if picker.kind == .prompt(.command) { return chooseCommand(picker) }
    if case .prompt(let prompt) = picker.kind {
      closePopup()
      return answer(prompt, picker.query)
    }
    guard let intent = picker.chosen?.intent else { return }
    perform(intent)
  }

  /// Does the command that is typed; of a name that is typed in part, the one at the cursor is meant.
  private func chooseCommand(_ picker: Picker) {
    guard case .command(let chosen)? = picker.chosen?.intent, !picker.query.contains(" ") else {
      return run(picker.query)
    }
    let hasArguments = CommandList.rows.contains { "/\($0.name) " == chosen && !$0.arguments.isEmpty }
    if hasArguments, picker.query + " " != chosen { return edit { $0.input.set(chosen) } }
    run(String(chosen.dropLast()))
  }

  private func run(_ command: String) {
    closePopup()
    answer(.command, command)
  }

  private func answer(_ prompt: Picker.Prompt, _ text: String) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let first = words.first else { return }
    switch prompt {
    case .addContact:
      var request = Request(.add, arguments: [.jid: .string(first)])
      if words.count > 1 { request.options[.name] = .string(words[1]) }
      request.account = newAccount.isEmpty ? nil : newAccount
      model.command(request, "add \(first)")
      say("\(first) was asked.")
    case .rename(let key):
      var request = Request(.add, options: [.name: .string(text)], arguments: [.jid: .string(key.jid)])
      request.account = key.accountName
      model.command(request, "rename \(key.jid)")
    case .jumpToDate(let key):
      guard let time = DateReader(now: now.wall, offset: environment.offset).time(text) else {
        return say("No date: \(text)")
      }
      model.jump(to: time, in: key)
    case .saveFile(let file): perform(file.fetching(.save(text)))
    case .command: perform(text.hasPrefix("/") ? slash.intent(text) : .say("A command begins with a slash."))
    }
  }

  /// The account of new conversations and contacts; empty while there is one only.
  var newAccount: String {
    guard model.accounts.count > 1 else { return "" }
    return environment.account.isEmpty ? model.accounts.first?.name ?? "" : environment.account
  }

  // MARK: Intents

  func perform(_ intent: Intent) {
    switch intent {
    case .open(let key, let name):
      desk.popups = []
      open(key, name: name)
    case .beside(let key, let name):
      desk.popups = []
      open(key, name: name, beside: true)
    case .show(let key, let id):
      desk.popups = []
      show(key, id)
    case .popup(let kind): push(kind)
    case .prompt(let prompt, let text): push(.prompt(prompt), text: text)
    case .find(let text, let key):
      desk.popups = []
      push(.search(key), text: text)
      choose()
    case .closePopup: closePopup()
    case .fold(let path): if !desk.popups.isEmpty { desk.popups[desk.popups.count - 1].toggle(path) }
    case .act(let action):
      if action != .pageDown { desk.popups = [] }
      act(action)
    case .actOnMessage(let action, let words): actOnMessage(action, words: words)
    case .send(let text): if let key = desk.talk?.key { transmit(text, key) }
    case .respell(let word, let other): respell(word, other)
    case .request(let request, let label):
      if !desk.popups.isEmpty { closePopup() }
      if case .confirm = desk.popups.last?.kind { closePopup() }
      model.command(request, label)
    case .ask(let request):
      model.query(request)
      push(.answer(request.verb.rawValue, request.id(.id)))
    case .react(let key, let id, let emoji):
      desk.popups = []
      model.react(emoji, to: id, in: key)
    case .forward(let id, let key): forward(id, to: key)
    case .browse(let link): browse(link)
    case .copy(let text):
      desk.popups = []
      actions.append(.copy(text))
      say("Copied \(text)")
    case .sendFiles(let paths, let key): sendFiles(paths, "", to: key)
    case .sendAgain(let message, let key):
      if let (paths, text) = model.outgoing.files(of: message) { sendFiles(paths, text, to: key) }
    case .folder(let path, let key): openFolder(path, key)
    case .sendFileWords(let words): sendFiles(words)
    case .saveFileWords(let words): saveFile(words)
    case .fetch(let file, let key): fetch(file, key)
    case .stopFetching(let file): stopFetching(file.message, [file.index], file.conversation)
    case .fetchAvatar(let key): fetchAvatar(of: key)
    case .showAll(let message, let key): showAll(message, key)
    case .view(let file): openViewer(file)
    case .hide(let file):
      desk.popups = []
      desk.pictures.remove(file.message, file.index)
    case .answer(let prompt, let text): answer(prompt, text)
    case .confirm(let question, let intent): push(.confirm(question, intent))
    case .command(let text): begin(text)
    case .say(let text): say(text)
    case .quit: leave()
    case .quitAnyway: quit()
    case .reload:
      isReadingSettings = true
      actions.append(.readSettings)
    case .terminal(let program):
      desk.popups = []
      actions += [.terminal(program), .connect]
    case .connect:
      desk.popups = []
      actions.append(.connect)
    }
  }

  /// A link begins with its scheme, so that no program takes it for an option.
  private func browse(_ link: String) {
    desk.popups = []
    actions.append(.run(["xdg-open", link]))
    say("Opening \(link)")
  }

  /// Puts the begin of a command where it can be typed on: into an empty input, else into a pop-up.
  private func begin(_ command: String) {
    desk.popups = []
    guard let key = desk.talk?.key, composer[key].editor.input.isEmpty else {
      return push(.prompt(.command), text: command)
    }
    desk.isInList = false
    write(key) { $0.input.set(command) }
  }

  /// The hit of the search before or behind the one that is shown.
  func goToHit(_ step: Int) {
    guard let search = model.search, !search.hits.isEmpty else { return push(.search(nil)) }
    let shown = desk.talk?.selected
    let place = shown.flatMap { id in search.hits.firstIndex { $0.id == id } }.map { $0 + step } ?? 0
    guard search.hits.indices.contains(place) else {
      if place >= search.hits.count { model.findMore() }
      return say("No more hits.")
    }
    let row = search.hits[place]
    let account = model.accounts.count > 1 ? row.account : ""
    show(ConversationKey(account: account, jid: row.conversation), row.id)
  }
}
