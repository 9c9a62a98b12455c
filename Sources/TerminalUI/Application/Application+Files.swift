/// Files: sending, fetching, and what can be done with those of messages.
extension Application {
  /// The files of a message, or of the messages on the screen, the newest message first.
  func showFiles(_ rows: [MessageRow], _ key: ConversationKey) {
    let files = rows.reversed().flatMap { $0.files(in: key) }
    if files.isEmpty { return say("No file is here.") }
    push(files.count == 1 ? .file(files[0]) : .files(files))
  }

  /// - Parameter words: the path, and the text that goes with the file.
  func sendFile(_ words: String) {
    guard !desk.isInList, let key = desk.talk?.key else { return say("Open the conversation first.") }
    guard let (path, text) = TypedPath.first(of: words) else { return say("Type /file and the path of the file.") }
    sendFile(path, text, to: key)
  }

  func sendFile(_ path: String, _ text: String, to key: ConversationKey) {
    desk.popups = []
    if TypedPath.alone(composer[key].editor.input.text) == path { _ = composer.take(key) }
    if let window = model.windows[key] { load(desk.talk?.goToEnd(window), key) }
    model.send(files: [path], text, to: key, key: environment.token)
  }

  /// A path that was pasted or dropped is one of a file: asks whether it is to be sent.
  func offer(_ path: String, _ key: ConversationKey) {
    guard desk.talk?.key == key, desk.popups.isEmpty, TypedPath.alone(composer[key].editor.input.text) == path else {
      return
    }
    push(.confirm("Send the file \(path) to \(name(of: key))", .sendFile(path, key)))
  }

  /// - Parameter words: the number of the file, if the message has several, and the path.
  func saveFile(_ words: String) {
    guard !desk.isInList, let key = desk.talk?.key, let window = model.windows[key] else {
      return say("Open the conversation first.")
    }
    let chosen = desk.talk?.selected.flatMap(window.index(of:)).map { window.rows[$0] }
    let files = (chosen ?? window.rows.last { !$0.files(in: key).isEmpty })?.files(in: key) ?? []
    guard !files.isEmpty else { return say("The message has no file.") }
    let number = Int(words.prefix { $0 != " " })
    let rest = number == nil ? words : String(words.drop { $0 != " " }.drop { $0 == " " })
    guard let (path, more) = TypedPath.first(of: rest), more.isEmpty else {
      return say("Type /save and a path; of several files the number stands in front: /save 2 PATH.")
    }
    guard files.indices.contains((number ?? 1) - 1) else { return say("The message has no file \(number ?? 1).") }
    guard number != nil || files.count == 1 else {
      return say("The message has \(files.count) files: /save NUMBER PATH.")
    }
    perform(files[(number ?? 1) - 1].fetching(.save(path)))
  }

  func fetch(_ file: WantedFile, _ key: ConversationKey) {
    desk.popups = []
    guard model.link == .connected else { return say("Without the daemon nothing can be fetched.") }
    say("Fetching \(file.file.title) …")
    model.fetch(file, in: key)
  }
}
