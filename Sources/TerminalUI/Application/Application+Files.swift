/// Files: sending, fetching, and what can be done with those of messages.
extension Application {
  /// The files of a message, or of the messages on the screen, the newest message first.
  func showFiles(_ rows: [MessageRow], _ key: ConversationKey) {
    let files = rows.reversed().flatMap { $0.files(in: key) }
    if files.isEmpty { return say("No file is here.") }
    push(files.count == 1 ? .file(files[0]) : .files(files))
  }

  /// - Parameter words: the paths, and the text that goes with the files; empty: the files are chosen from a list.
  func sendFiles(_ words: String) {
    guard !desk.isInList, let key = desk.talk?.key else { return say("Open the conversation first.") }
    guard !words.isEmpty else { return openFolder(desk.folder?.path ?? "~", key) }
    guard let (paths, text) = TypedPath.all(of: words) else { return say("Type /file and the paths of the files.") }
    guard paths.count <= TypedPath.most else { return say("A message has at most \(TypedPath.most) files.") }
    sendFiles(paths, text, to: key)
  }

  func sendFiles(_ paths: [String], _ text: String, to key: ConversationKey) {
    desk.popups = []
    if TypedPath.alone(composer[key].editor.input.text).contains(paths) { _ = composer.take(key) }
    if let window = model.windows[key] { load(desk.talk?.goToEnd(window), key) }
    model.send(files: paths, text, to: key, key: environment.token)
  }

  /// Paths that were pasted or dropped are those of files: asks whether these are to be sent.
  func offer(_ paths: [String], _ key: ConversationKey) {
    guard desk.talk?.key == key, desk.popups.isEmpty,
      TypedPath.alone(composer[key].editor.input.text).contains(paths)
    else { return }
    let files = paths.count == 1 ? "the file \(paths[0])" : "these \(paths.count) files"
    push(.confirm("Send \(files) to \(name(of: key))", .sendFiles(paths, key)))
  }

  /// Shows a folder in place of the one that is shown.
  func openFolder(_ path: String, _ key: ConversationKey) {
    if case .folder = desk.popups.last?.kind { closePopup() }
    desk.folder = nil
    actions.append(.list(path))
    push(.folder(path, key))
  }

  /// - Parameter words: the number of the file, if the message has several, and the path.
  func saveFile(_ words: String) {
    guard !desk.isInList, let key = desk.talk?.key, let window = model.windows[key] else {
      return say("Open the conversation first.")
    }
    let chosen = desk.talk?.selected.flatMap(window.index(of:)).map { window.rows[$0] }
    let files = (chosen ?? window.rows.last { !$0.files(in: key).isEmpty })?.files(in: key) ?? []
    switch SaveCommand(words, files) {
    case .file(let target, let path): perform(target.fetching(.save(path)))
    case .failure(let reason): say(reason)
    }
  }

  /// Files of a message that are on their way, or were not got or sent, by their indices.
  func fileStates(_ row: MessageRow) -> [Int: FileState] {
    let files = row.details.attachments
    guard !files.isEmpty else { return [:] }
    guard row.hasUnsentFiles else { return model.fetches.states(of: row.id) }
    let way = model.outgoing.files(of: row.id) == nil ? "/file" : keyName(.files)
    let state = FileState.notSent("Not sent; \(way) sends \(files.count == 1 ? "it" : "them") again")
    return Dictionary(uniqueKeysWithValues: files.indices.map { ($0, state) })
  }

  func fetch(_ file: WantedFile, _ key: ConversationKey) {
    desk.popups = []
    guard model.link == .connected else { return say("Without the daemon nothing can be fetched.") }
    say("Fetching \(file.file.title) …")
    model.fetch(file, in: key)
  }

  /// The person waits for these files of a message no longer.
  func stopFetching(_ message: UInt64, _ files: some Sequence<Int>, _ key: ConversationKey) {
    desk.popups = []
    desk.viewer?.stopWaiting()
    model.stopFetching(message, files, in: key)
    say("Stopped.")
  }
}
