import ConfabClient
import HelperProtocol
package import Screen

/// How pictures are drawn: by the terminal's own graphics if it has them, else in half-blocks.
struct PictureForm: Equatable {
  let style: DrawingRequest.Style
  let cell: Capabilities.CellSize

  /// The cell size assumed for a terminal that does not report it.
  private static let usualCell = Capabilities.CellSize(width: 8, height: 16)

  /// nil where nothing can be drawn, or nothing is to be.
  init?(_ wanted: UISettings.Pictures, _ capabilities: Capabilities) {
    guard let style = Self.style(wanted, capabilities) else { return nil }
    self.style = style
    cell = style.isGraphics ? capabilities.cellSize ?? Self.usualCell : Self.usualCell
  }

  /// The canvas of a picture of a message in a pane, and how many rows of pictures there are.
  func canvas(of row: MessageRow, width: Int) -> (canvas: PictureCanvas, rows: Int) {
    let count = row.details.files.count(where: \.isPicture)
    let grid = PictureGrid(count: count, width: max(1, min(Self.mostColumns, width - 12)))
    return (PictureCanvas(style: style, columns: grid.width, perRow: grid.columns, cell: cell), grid.rows)
  }

  private static let mostColumns = 80

  private static func style(_ wanted: UISettings.Pictures, _ capabilities: Capabilities) -> DrawingRequest.Style? {
    switch wanted {
    case .none: return nil
    case .blocks: return blocks(capabilities)
    case .kitty: return .kitty
    case .iterm2: return .iTerm2
    case .sixel: return .sixel
    case .auto:
      switch capabilities.graphics {
      case .kitty: return .kitty
      case .iTerm2: return .iTerm2
      // Sixels are not scaled by the terminal.
      case .sixel where capabilities.cellSize != nil: return .sixel
      case .sixel, nil: return blocks(capabilities)
      }
    }
  }

  private static func blocks(_ capabilities: Capabilities) -> DrawingRequest.Style? {
    guard capabilities.isUTF8 else { return nil }
    switch capabilities.depth {
    case .trueColour: return .trueColour
    case .palette: return .colours256
    case .sixteen: return .colours16
    case .eight, .none: return nil
    }
  }
}

extension UISettings.Pictures {
  /// The protocol that the painter draws by: a setting overrules what the terminal says.
  package func applied(to capabilities: Capabilities) -> Capabilities {
    var capabilities = capabilities
    switch self {
    case .kitty: capabilities.graphics = .kitty
    case .iterm2: capabilities.graphics = .iTerm2
    case .sixel: capabilities.graphics = .sixel
    case .auto, .blocks, .none: break
    }
    return capabilities
  }
}
