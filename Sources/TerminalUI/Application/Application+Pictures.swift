import Drawings
import Screen

/// Pictures of messages, drawn below their boxes once a person wants to see them.
extension Application {
  /// The file is here: it is drawn for the pane as it is now.
  func draw(_ wanted: WantedFile, _ key: ConversationKey) {
    guard let pane = desk.panes[key] else { return }
    guard pane.width >= Self.narrowestPane, let canvas = canvas(width: pane.width) else {
      return say("\(wanted.file.title) cannot be drawn in this terminal; it can be opened or saved.")
    }
    let rows = min(Self.mostRows, max(3, bodyLines(pane) - 5))
    actions.append(.draw(wanted, canvas.request(rows: rows), key))
  }

  func take(_ drawing: Drawing?, of wanted: WantedFile, _ request: DrawingRequest, _ key: ConversationKey) {
    guard let drawing else {
      return say("\(wanted.file.title) cannot be drawn: it is no picture, damaged, or too large.")
    }
    let place = PictureShelf.Place(message: wanted.message, index: wanted.index, canvas: PictureCanvas(request))
    desk.pictures.add(drawing, request.style, at: place)
    notice = nil
  }

  /// The room that pictures of a pane have.
  func canvas(width: Int) -> PictureCanvas? {
    PictureForm(settings.pictures, desk.surface.capabilities).map {
      PictureCanvas(style: $0.style, columns: max(1, min(Self.mostColumns, width - 12)), cell: $0.cell)
    }
  }

  func isDrawn(_ target: FileTarget) -> Bool {
    guard let canvas = desk.panes[target.conversation].flatMap({ canvas(width: $0.width) }) else { return false }
    return desk.pictures.has(target.message, target.index, on: canvas)
  }

  private static let mostRows = 30
  private static let mostColumns = 80
  private static let narrowestPane = 24
}
