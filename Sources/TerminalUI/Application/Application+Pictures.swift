import Drawings
import Screen

/// Pictures of messages, drawn below their boxes once a person wants to see them.
extension Application {
  /// The file is here: it is drawn for the pane, or the whole screen, as it is now.
  func draw(_ wanted: WantedFile, _ key: ConversationKey) {
    guard let (canvas, rows) = wanted.use == .view ? viewerCanvas.map({ ($0, 1) }) : canvas(of: wanted.message, key)
    else {
      return say("\(wanted.file.title) cannot be drawn in this terminal; it can be opened or saved.")
    }
    let most = desk.panes[key].map { min(Self.mostRows, bodyLines($0) - 5) } ?? Self.mostRows
    actions.append(.draw(wanted, canvas.request(rows: max(3, most / max(1, rows))), key))
  }

  func take(_ drawing: Drawing?, of wanted: WantedFile, _ request: DrawingRequest, _ key: ConversationKey) {
    if wanted.use == .view { desk.viewer?.stopWaiting() }
    guard let drawing else {
      return say("\(wanted.file.title) cannot be drawn: it is no picture, damaged, or too large.")
    }
    let canvas = wanted.use == .view ? viewerCanvas : canvas(of: wanted.message, key)?.canvas
    // The room may be another one by now.
    guard let canvas, canvas.request(rows: request.rows) == request else { return }
    desk.pictures.add(drawing, at: .init(message: wanted.message, index: wanted.index, canvas: canvas))
    notice = nil
  }

  /// The room that a picture of a message has in its pane, and how many rows of pictures there are.
  private func canvas(of message: UInt64, _ key: ConversationKey) -> (canvas: PictureCanvas, rows: Int)? {
    guard let pane = desk.panes[key], pane.width >= Self.narrowestPane, let window = model.windows[key],
      let index = window.index(of: message)
    else { return nil }
    return PictureForm(settings.pictures, desk.surface.capabilities)?.canvas(of: window.rows[index], width: pane.width)
  }

  func isDrawn(_ target: FileTarget) -> Bool {
    guard let canvas = canvas(of: target.message, target.conversation)?.canvas else { return false }
    return desk.pictures.picture(target.message, target.index, on: canvas) != nil
  }

  /// Shows all pictures of a message.
  func showAll(_ message: UInt64, _ key: ConversationKey) {
    guard let window = model.windows[key], let index = window.index(of: message) else { return }
    let missing = window.rows[index].pictureFiles(in: key).filter { !isDrawn($0) }
    for target in missing { fetch(target.wanted(.show), key) }
  }

  private static let mostRows = 30
  private static let narrowestPane = 24
}
