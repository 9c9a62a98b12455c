import ConfabClient
import HelperProtocol

/// Files and pictures: sent, fetched, drawn.
extension Application {
  /// - Parameter words: the paths, and the text that goes with the files; empty: the files are chosen from a list.
  func sendFiles(_ words: String) {
    guard !screen.isInList, let key = screen.focused?.key else { return say("Open the conversation first.") }
    guard !words.isEmpty else { return openFolder(screen.folder?.path ?? "~", key) }
    guard let (paths, text) = TypedPath.all(of: words) else { return say("Type /file and the paths of the files.") }
    guard paths.count <= TypedPath.most else { return say("A message has at most \(TypedPath.most) files.") }
    sendFiles(paths, text, to: key)
  }

  func sendFiles(_ paths: [String], _ text: String, to key: ConversationKey) {
    screen.popups.closeAll()
    if TypedPath.alone(composer[key].editor.input.text).contains(paths) { _ = composer.take(key) }
    if let window = model.windows[key] { load(screen.focused?.goToEnd(window), key) }
    model.send(files: paths, text, to: key, key: environment.token)
  }

  /// Paths that were pasted or dropped are those of files: asks whether these are to be sent.
  func offer(_ paths: [String], _ key: ConversationKey) {
    guard screen.focused?.key == key, screen.popups.isEmpty,
      TypedPath.alone(composer[key].editor.input.text).contains(paths)
    else { return }
    let files = paths.count == 1 ? "the file \(paths[0])" : "these \(paths.count) files"
    push(.confirm("Send \(files) to \(model.name(of: key))", .sendFiles(paths, key)))
  }

  /// Shows a folder in place of the one that is shown.
  func openFolder(_ path: String, _ key: ConversationKey) {
    if case .folder = screen.popups.last?.kind { screen.popups.close() }
    screen.folder = nil
    actions.append(.list(path))
    push(.folder(path, key))
  }

  /// A folder is read: for the list that is open, or for a path that is being typed.
  func take(_ listing: FolderListing) {
    guard let path = screen.typedPath, path.folder == listing.path else { return screen.folder = listing }
    screen.typedPath = nil
    guard composer[path.key].editor.input.text == path.text else { return }
    guard listing.failure.isEmpty else { return say(listing.failure) }
    guard let text = path.completed(listing) else { return say("No file of \(path.folder) begins so.") }
    write(path.key) { $0.input.set(text) }
    if text == path.text { say(path.choices(listing)) }
  }

  func fetch(_ file: WantedFile, _ key: ConversationKey) {
    screen.popups.closeAll()
    guard model.link == .connected else { return say("Without the daemon nothing can be fetched.") }
    say("Fetching \(file.file.title) …")
    model.fetch(file, in: key)
  }

  /// The person waits for these files of a message no longer.
  func stopFetching(_ message: UInt64, _ files: [Int], _ key: ConversationKey) {
    screen.popups.closeAll()
    screen.viewer?.stopWaiting()
    model.stopFetching(message, files, in: key)
    say("Stopped.")
  }

  // MARK: Pictures of messages

  /// The file is here: it is drawn for the pane, or the whole screen, as it is now.
  func draw(_ wanted: WantedFile, _ key: ConversationKey) {
    let row = row(wanted.message, key)
    guard let request = canvases.request(wanted.use, of: row, key, height: screen.panes[key].map(bodyLines)) else {
      return say("\(wanted.file.title) cannot be drawn in this terminal; it can be opened or saved.")
    }
    actions.append(.draw(wanted, request, key))
  }

  func take(_ drawing: Drawing?, of wanted: WantedFile, _ request: DrawingRequest, _ key: ConversationKey) {
    if wanted.use == .view { screen.viewer?.stopWaiting() }
    guard let drawing else {
      return say("\(wanted.file.title) cannot be drawn: it is no picture, damaged, or too large.")
    }
    // The canvas may be another one by now.
    guard let canvas = canvases.canvas(wanted.use, of: row(wanted.message, key), key)?.canvas,
      canvas.request(rows: request.rows) == request
    else { return }
    screen.pictures.add(drawing, at: .init(message: wanted.message, index: wanted.index, canvas: canvas))
    if notice?.text.hasPrefix("Fetching ") == true { notice = nil }
  }

  func isDrawn(_ target: FileTarget) -> Bool {
    guard
      let canvas = canvases.canvas(.show, of: row(target.message, target.conversation), target.conversation)?.canvas
    else { return false }
    return screen.pictures.picture(target.message, target.index, on: canvas) != nil
  }

  /// Shows all pictures of a message.
  func showAll(_ message: UInt64, _ key: ConversationKey) {
    let files = row(message, key)?.pictureFiles(in: key) ?? []
    for target in files.filter({ !isDrawn($0) }) { fetch(target.wanted(.show), key) }
  }

  /// Draws the pictures that I have sent, as far as the daemon has them: nothing is fetched for it. One at a time, each once.
  func showOwnPictures(of rows: ArraySlice<MessageRow>, in key: ConversationKey) {
    guard model.link == .connected, !model.awaitsOwnPicture, screen.viewer == nil else { return }
    for row in rows.reversed() where row.isMine && row.details.retraction == nil {
      guard let canvas = canvases.canvas(.show, of: row, key)?.canvas else { continue }
      for target in row.files(in: key) where target.file.isPicture {
        let picture = PictureCache.Key(message: target.message, index: target.index, canvas: canvas)
        guard screen.pictures.isFirstQuestion(about: picture) else { continue }
        return model.askOwnPicture(target.wanted(.show), in: key)
      }
    }
  }

  private func row(_ message: UInt64, _ key: ConversationKey) -> MessageRow? {
    model.windows[key].flatMap { window in window.index(of: message).map { window.rows[$0] } }
  }

  // MARK: The viewer, previews

  func openViewer(_ target: FileTarget) {
    screen.popups.closeAll()
    guard appearance.viewerCanvas != nil else { return say("Pictures cannot be drawn in this terminal.") }
    let rows = model.windows[target.conversation]?.rows ?? []
    screen.viewer = PictureViewer(rows.flatMap { $0.pictureFiles(in: target.conversation) }, at: target)
  }

  /// Asks for the picture that is to be shown.
  func settleViewer() {
    guard let target = screen.viewer?.current else { return }
    guard let canvas = appearance.viewerCanvas else { return screen.viewer = nil }
    guard screen.viewedPicture(appearance) == nil, screen.viewer?.asks(for: canvas) == true else { return }
    model.fetch(target.wanted(.view), in: target.conversation)
  }

  /// Asks for the preview of the file at the cursor.
  func settlePreview() {
    if let action = screen.settlePreview(appearance) { actions.append(action) }
  }

  // MARK: Avatars

  /// Asks for the avatars of the conversations on the screen; no server is asked because of a stranger.
  func settleAvatars() {
    guard model.link == .connected, let canvas = appearance.avatarCanvas else { return }
    let missing = screen.pictures.avatars.show(screen.panes.areas.map(\.key), on: canvas)
    for key in missing { model.askAvatar(of: key, model.conversations[key]?.isKnown == true ? .shown : .ifHere) }
  }

  /// The avatar is here: it is drawn, unless that was done before.
  func takeAvatar(_ hash: String, of key: ConversationKey) {
    screen.pictures.avatars.note(hash, of: key)
    guard !hash.isEmpty, let canvas = appearance.avatarCanvas, !screen.pictures.avatars.isDrawn(hash, on: canvas)
    else { return }
    actions.append(.drawAvatar(hash: hash, canvas.request(rows: AvatarLines.rows)))
  }

  func takeAvatar(_ drawing: Drawing?, hash: String, _ request: DrawingRequest) {
    // The canvas may be another one by now.
    guard let canvas = appearance.avatarCanvas, canvas.request(rows: AvatarLines.rows) == request,
      !screen.pictures.avatars.isDrawn(hash, on: canvas)
    else { return }
    screen.pictures.addAvatar(drawing, hash, on: canvas)
  }

  /// A person wants the avatar, wherever it is.
  func fetchAvatar(of key: ConversationKey) {
    screen.popups.closeAll()
    guard model.link == .connected else { return say("Without the daemon nothing can be fetched.") }
    say("Fetching the avatar of \(model.name(of: key)) …")
    model.askAvatar(of: key, .wanted)
  }
}
