import CChafa
import Glibc
import HelperProtocol

/// Draws pixels as cells or graphics, by libchafa, in this thread.
enum TerminalCanvas {
  static func draw(_ pixels: Pixels, _ request: DrawingRequest) -> Drawing? {
    chafa_set_n_threads(1)
    let (columns, rows) = size(pixels, request)
    let content =
      request.style.isGraphics ? strips(pixels, columns, rows, request) : cells(pixels, columns, rows, request)
    return content.map { Drawing(columns: columns, rows: rows, content: $0) }
  }

  /// Cells that keep the picture's proportions and do not enlarge it.
  private static func size(_ pixels: Pixels, _ request: DrawingRequest) -> (Int, Int) {
    let scale = min(
      1, Double(request.columns * request.cellWidth) / Double(pixels.fileWidth),
      Double(request.rows * request.cellHeight) / Double(pixels.fileHeight))
    let columns = (Double(pixels.fileWidth) * scale / Double(request.cellWidth)).rounded(.up)
    let rows = (Double(pixels.fileHeight) * scale / Double(request.cellHeight)).rounded(.up)
    return (min(request.columns, max(1, Int(columns))), min(request.rows, max(1, Int(rows))))
  }

  /// Lends a canvas of cells with the pixels on it.
  private static func withCanvas<Result>(
    _ pixels: Pixels, _ columns: Int, _ rows: Int, cellHeight: Int, _ request: DrawingRequest,
    _ body: (OpaquePointer) -> Result?
  ) -> Result? {
    guard let config = unsafe chafa_canvas_config_new(), let symbols = unsafe chafa_symbol_map_new() else { return nil }
    defer {
      unsafe chafa_canvas_config_unref(config)
      unsafe chafa_symbol_map_unref(symbols)
    }
    unsafe chafa_canvas_config_set_geometry(config, CInt(columns), CInt(rows))
    unsafe chafa_canvas_config_set_cell_geometry(config, CInt(request.cellWidth), CInt(cellHeight))
    unsafe chafa_canvas_config_set_pixel_mode(config, request.style.pixelMode)
    unsafe chafa_canvas_config_set_canvas_mode(config, request.style.canvasMode)
    unsafe chafa_symbol_map_add_by_tags(
      symbols, ChafaSymbolTags(CHAFA_SYMBOL_TAG_SPACE.rawValue | CHAFA_SYMBOL_TAG_VHALF.rawValue))
    unsafe chafa_canvas_config_set_symbol_map(config, symbols)
    guard let canvas = unsafe chafa_canvas_new(config) else { return nil }
    defer { unsafe chafa_canvas_unref(canvas) }
    unsafe chafa_canvas_draw_all_pixels(
      canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels.bytes, CInt(pixels.width), CInt(pixels.height),
      CInt(pixels.width * 4))
    return unsafe body(canvas)
  }

  private static func cells(
    _ pixels: Pixels, _ columns: Int, _ rows: Int, _ request: DrawingRequest
  ) -> Drawing.Content? {
    unsafe withCanvas(pixels, columns, rows, cellHeight: request.cellHeight, request) { canvas in
      .cells(
        (0..<rows).flatMap { row in
          (0..<columns).map { column in
            var (foreground, background) = (CInt(-1), CInt(-1))
            unsafe chafa_canvas_get_raw_colors_at(canvas, CInt(column), CInt(row), &foreground, &background)
            let scalar = unsafe Unicode.Scalar(chafa_canvas_get_char_at(canvas, CInt(column), CInt(row))) ?? " "
            return DrawnCell(scalar, foreground: UInt32(exactly: foreground), background: UInt32(exactly: background))
          }
        })
    }
  }

  // MARK: Graphics

  /// Each row of cells is a canvas of its own. Sixels come in bands of six rows of pixels, so what is missing of the last one is
  /// transparent.
  private static func strips(
    _ pixels: Pixels, _ columns: Int, _ rows: Int, _ request: DrawingRequest
  ) -> Drawing.Content? {
    let scaled = pixels.scaled(to: columns * request.cellWidth, rows * request.cellHeight)
    let height = request.style == .sixel ? (request.cellHeight + 5) / 6 * 6 : request.cellHeight
    var strips: [[UInt8]] = []
    for row in 0..<rows {
      let part = scaled.rows(row * request.cellHeight..<(row + 1) * request.cellHeight, height: height)
      guard
        let strip = unsafe withCanvas(
          part, columns, 1, cellHeight: height, request,
          { canvas in
            unsafe print(canvas, request.style)
          })
      else { return nil }
      strips.append(strip)
    }
    return strips.reduce(0) { $0 + $1.count } <= GraphicsCheck.limit ? .strips(strips) : nil
  }

  private static func print(_ canvas: OpaquePointer, _ style: DrawingRequest.Style) -> [UInt8]? {
    guard let database = unsafe chafa_term_db_new() else { return nil }
    defer { unsafe chafa_term_db_unref(database) }
    var variable = unsafe strdup(style.terminal)
    defer { unsafe free(variable) }
    var environment = unsafe [variable, nil]
    guard let terminal = unsafe chafa_term_db_detect(database, &environment) else { return nil }
    defer { unsafe chafa_term_info_unref(terminal) }
    unsafe variable = environment[0]
    guard let text = unsafe chafa_canvas_print(canvas, terminal) else { return nil }
    defer { unsafe confab_gstring_free(text) }
    return unsafe UnsafeBufferPointer(start: text.pointee.str, count: Int(text.pointee.len)).map(
      UInt8.init(bitPattern:))
  }
}

extension DrawingRequest.Style {
  fileprivate var pixelMode: ChafaPixelMode {
    switch self {
    case .trueColour, .colours256, .colours16: CHAFA_PIXEL_MODE_SYMBOLS
    case .kitty: CHAFA_PIXEL_MODE_KITTY
    case .iTerm2: CHAFA_PIXEL_MODE_ITERM2
    case .sixel: CHAFA_PIXEL_MODE_SIXELS
    }
  }

  fileprivate var canvasMode: ChafaCanvasMode {
    switch self {
    // Without the first 16, which are the theme's.
    case .colours256: CHAFA_CANVAS_MODE_INDEXED_240
    case .colours16: CHAFA_CANVAS_MODE_INDEXED_16
    case .trueColour, .kitty, .iTerm2, .sixel: CHAFA_CANVAS_MODE_TRUECOLOR
    }
  }

  /// An environment by which libchafa knows a terminal that has the protocol.
  fileprivate var terminal: String {
    switch self {
    case .kitty: "TERM=xterm-kitty"
    case .iTerm2: "TERM_PROGRAM=iTerm.app"
    case .sixel: "TERM=mlterm"
    case .trueColour, .colours256, .colours16: "TERM=xterm-256color"
    }
  }
}
