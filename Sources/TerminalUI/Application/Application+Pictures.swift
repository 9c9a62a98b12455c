import Drawings
import Screen

/// Pictures of messages, drawn below their boxes once a person wants to see them.
extension Application {
  /// The file is here: it is drawn for the pane as it is now.
  func draw(_ wanted: WantedFile, _ key: ConversationKey) {
    guard let pane = desk.panes[key] else { return }
    guard let style = drawingStyle, pane.width >= Self.narrowestPane else {
      return say("\(wanted.file.title) cannot be drawn in this terminal; it can be opened or saved.")
    }
    let rows = min(Self.mostRows, max(3, bodyLines(pane) - 5))
    let request = DrawingRequest(style, columns: Self.pictureWidth(pane.width), rows: rows)
    actions.append(.draw(wanted, request, key))
  }

  func take(_ drawing: Drawing?, of wanted: WantedFile, _ request: DrawingRequest, _ key: ConversationKey) {
    guard let picture = drawing.flatMap({ DrawnPicture($0, request.style) }) else {
      return say("\(wanted.file.title) cannot be drawn: it is no picture, damaged, or too large.")
    }
    let place = PictureShelf.Place(message: wanted.message, index: wanted.index, width: request.columns)
    desk.pictures.add(picture, at: place)
    notice = nil
  }

  /// The columns that pictures of a pane have.
  static func pictureWidth(_ width: Int) -> Int { min(80, width - 12) }

  func isDrawn(_ target: FileTarget) -> Bool {
    guard let pane = desk.panes[target.conversation] else { return false }
    return desk.pictures.has(target.message, target.index, width: Self.pictureWidth(pane.width))
  }

  private static let mostRows = 30
  private static let narrowestPane = 24

  /// nil where there are no colours, or no half-blocks.
  private var drawingStyle: DrawingRequest.Style? {
    guard desk.surface.capabilities.isUTF8 else { return nil }
    switch desk.surface.capabilities.depth {
    case .trueColour: return .trueColour
    case .palette: return .colours256
    case .sixteen: return .colours16
    case .eight, .none: return nil
    }
  }
}
