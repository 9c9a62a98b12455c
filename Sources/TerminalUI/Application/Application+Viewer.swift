import Screen

/// The viewer of pictures.
extension Application {
  /// Opens it at a picture of the selected message, or at the newest one of the conversation.
  func openViewer(_ rows: [MessageRow], _ key: ConversationKey) {
    guard let target = rows.last(where: { !$0.pictureFiles(in: key).isEmpty })?.pictureFiles(in: key).first else {
      return say("No picture is here.")
    }
    openViewer(target)
  }

  func openViewer(_ target: FileTarget) {
    desk.popups = []
    guard viewerCanvas != nil else { return say("Pictures cannot be drawn in this terminal.") }
    let rows = model.windows[target.conversation]?.rows ?? []
    desk.viewer = PictureViewer(rows.flatMap { $0.pictureFiles(in: target.conversation) }, at: target)
  }

  /// All of the screen but the status line.
  var viewerCanvas: PictureCanvas? {
    PictureForm(settings.pictures, desk.surface.capabilities).map {
      PictureCanvas(
        style: $0.style, columns: desk.surface.columns, rows: max(1, desk.surface.lines - 1), cell: $0.cell)
    }
  }

  /// The picture that the viewer shows; nil: it is not drawn yet.
  var viewedPicture: DrawnPicture? {
    guard let target = desk.viewer?.current, let canvas = viewerCanvas else { return nil }
    return desk.pictures.picture(target.message, target.index, on: canvas)
  }

  /// Asks for the picture that is to be shown.
  func settleViewer() {
    guard let target = desk.viewer?.current else { return }
    guard let canvas = viewerCanvas else { return desk.viewer = nil }
    guard viewedPicture == nil, desk.viewer?.asks(for: canvas) == true else { return }
    model.fetch(target.wanted(.view), in: target.conversation)
  }

  /// Whether the viewer takes the action.
  func actInViewer(_ action: Action) -> Bool {
    switch action {
    case .back: desk.viewer = nil
    case .up, .left, .pageUp, .lineUp, .selectUp, .otherPane: desk.viewer?.turn(-1)
    case .down, .right, .pageDown, .lineDown, .selectDown, .complete: desk.viewer?.turn(1)
    case .open: if let target = desk.viewer?.current { push(.file(target)) }
    case .cancelMessage: stopViewed()
    case .quit, .redraw, .suspend: return false
    default: break
    }
    return true
  }

  /// Letters are the keys of a viewer.
  func typeInViewer(_ letter: String) {
    guard let target = desk.viewer?.current else { return }
    switch letter {
    case "n", " ": desk.viewer?.turn(1)
    case "p", "b": desk.viewer?.turn(-1)
    case "s": push(.prompt(.saveFile(target)), text: "~/" + target.file.fileName)
    case "o": perform(target.fetching(.open))
    case "x": stopViewed()
    case "q": desk.viewer = nil
    default: break
    }
  }

  private func stopViewed() {
    guard let target = desk.viewer?.current, isFetching(target) else { return }
    stopFetching(target.message, [target.index], target.conversation)
  }

  private func isFetching(_ target: FileTarget) -> Bool {
    model.fetches.indices(of: target.message).contains(target.index)
  }

  /// The line below the picture.
  var viewerWords: String {
    guard let viewer = desk.viewer else { return "" }
    let current = viewer.current
    let state = model.fetches.states(of: current.message)[current.index]
    let words = viewer.isWaiting ? state?.progress ?? "Fetching" : state?.trouble ?? current.file.facts
    return "\(viewer.place)  \(current.file.title): \(words)"
  }

  var viewerHints: [String] {
    let stop = desk.viewer.map { isFetching($0.current) } == true ? ["x stop"] : []
    return stop + ["n next", "p previous", "s save", "o open", "Enter more", "Esc back"]
  }
}

extension MessageRow {
  /// The pictures among its files.
  func pictureFiles(in key: ConversationKey) -> [FileTarget] {
    files(in: key).filter { $0.file.isPicture && !$0.file.url.isEmpty }
  }
}
