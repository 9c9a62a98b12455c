import ConfabClient
import HelperProtocol

/// Areas for pictures: below their messages, as wide as the panes are, or the whole screen.
struct PictureCanvases {
  let appearance: Appearance
  let panes: PaneLayout

  private static let mostRows = 30
  private static let narrowestPane = 24

  /// The canvas of a picture of a message, and how many rows of pictures there are; nil: it cannot be drawn.
  func canvas(
    _ use: WantedFile.Use, of row: MessageRow?, _ key: ConversationKey
  ) -> (canvas: PictureCanvas, rows: Int)? {
    if use == .view { return appearance.viewerCanvas.map { ($0, 1) } }
    guard let row, let pane = panes[key], pane.width >= Self.narrowestPane else { return nil }
    return appearance.pictureForm?.canvas(of: row, width: pane.width)
  }

  /// - Parameter height: lines of the conversation's body; nil: it is not on the screen.
  func request(_ use: WantedFile.Use, of row: MessageRow?, _ key: ConversationKey, height: Int?) -> DrawingRequest? {
    guard let (canvas, rows) = self.canvas(use, of: row, key) else { return nil }
    let most = height.map { min(Self.mostRows, $0 - 5) } ?? Self.mostRows
    return canvas.request(rows: max(3, most / max(1, rows)))
  }
}
