import Screen

/// The box of the emoticon keyboard: above the input, as wide as its grid, or as a narrow pane.
struct EmoticonBox {
  let column: Int
  let line: Int
  let cellWidth: Int
  let width: Int

  /// Tabs and query above the grid; dots, preview and hints below it.
  static let height = EmoticonKeyboard.rows + 5
  private static let gridLine = 2

  /// nil if there is no room for it.
  /// - Parameter bottom: the line below it.
  init?(_ pane: PaneLayout.Area, bottom: Int) {
    cellWidth = min(8, pane.width / EmoticonKeyboard.columns)
    guard cellWidth >= 4, bottom >= Self.height else { return nil }
    let gridWidth = cellWidth * EmoticonKeyboard.columns
    width = pane.width < Surface.bubbleColumns ? pane.width : gridWidth
    line = bottom - Self.height
    column = pane.column
  }

  func contains(_ position: Frame.Position) -> Bool {
    (column..<column + width).contains(position.column) && (line..<line + Self.height).contains(position.line)
  }

  func cell(at position: Frame.Position) -> Int? {
    let row = position.line - line - Self.gridLine
    let cell = (position.column - column) / cellWidth
    guard (0..<EmoticonKeyboard.rows).contains(row), cell < EmoticonKeyboard.columns else { return nil }
    return row * EmoticonKeyboard.columns + cell
  }

  func tab(at position: Frame.Position, _ titles: [String], _ context: LayoutContext) -> Int? {
    guard position.line == line else { return nil }
    var end = column
    for (index, title) in titles.enumerated() {
      end += OneLine(title, width: width, in: context).width + 2
      if position.column < end { return index }
    }
    return nil
  }
}

/// Draws the emoticon keyboard.
struct EmoticonPainter {
  let keyboard: EmoticonKeyboard
  let emoticons: LoadedEmoticons
  let box: EmoticonBox
  /// A context as wide as the box.
  let context: LayoutContext

  func draw(on frame: inout Frame) {
    let rows = (0..<EmoticonKeyboard.rows).map(row)
    let lines = [tabs, query] + rows + [dots, preview, line("Enter inserts · Tab next pack · Esc closes", .popUpKey)]
    for (offset, line) in lines.enumerated() {
      frame.draw(filled(line), column: box.column, line: box.line + offset)
    }
  }

  private var ground: Style { context.scheme[.popUp] }

  private func filled(_ line: LineBuilder) -> StyledLine {
    var line = line
    line.fill(to: context.width, ground)
    return line.line
  }

  private func line(_ text: String, _ part: ColourPart) -> LineBuilder {
    var line = LineBuilder(context)
    line.add(part, " " + text, on: .popUp)
    return line
  }

  /// The open one in brackets.
  private var tabs: LineBuilder {
    var line = LineBuilder(context)
    for (tab, title) in EmoticonKeyboard.tabs(emoticons) {
      let isOpen = tab == keyboard.tab && keyboard.query.isEmpty
      line.add(isOpen ? .popUpTitle : .popUp, (isOpen ? "[" : " ") + title + (isOpen ? "]" : " "), on: .popUp)
    }
    return line
  }

  private var query: LineBuilder {
    guard keyboard.query.isEmpty else { return line("\(context.symbols.prompt) \(keyboard.query)", .popUp) }
    if keyboard.isLoading { return line("Loading \(context.symbols.more)", .faint) }
    return line("\(context.symbols.prompt) type a name to search", .faint)
  }

  private func row(_ row: Int) -> LineBuilder {
    var line = LineBuilder(context)
    for column in 0..<EmoticonKeyboard.columns {
      let cell = row * EmoticonKeyboard.columns + column
      add(keyboard.content(cell, page: keyboard.page), isChosen: cell == keyboard.cell, to: &line)
    }
    return line
  }

  private func add(_ cell: EmoticonKeyboard.Cell, isChosen: Bool, to line: inout LineBuilder) {
    let style = context.scheme[isChosen ? .selected : .popUp]
    let end = line.column + box.cellWidth
    line.add(isChosen ? "[" : " ", style)
    switch cell {
    case .emoticon(let emoticon): line.add(emoticon.written, style, limit: box.cellWidth - 2)
    case .delete: line.add("Del", style, limit: box.cellWidth - 2)
    case .empty: break
    }
    line.fill(to: end - 1, style)
    line.add(isChosen ? "]" : " ", style)
  }

  /// A dot for each page, those around the open one if there are many.
  private var dots: LineBuilder {
    let count = keyboard.pageCount
    let most = max(1, (context.width - 12) / 2)
    let first = max(0, min(keyboard.page - most / 2, count - most))
    let marks = (first..<min(count, first + most)).map { page in
      page == keyboard.page ? context.symbols.available : context.symbols.offline
    }
    return line(marks.joined(separator: " ") + (count > most ? "  \(keyboard.page + 1)/\(count)" : ""), .popUp)
  }

  private var preview: LineBuilder {
    switch keyboard.chosen {
    case .emoticon(let emoticon):
      var line = line(emoticon.written, .popUp)
      line.add(.popUpTitle, "  " + emoticon.name, on: .popUp)
      if emoticon.text != nil { line.add(.faint, "  " + emoticon.code, on: .popUp) }
      return line
    case .delete: return line("Deletes the emoticon before the cursor", .popUp)
    case .empty: return line(keyboard.isLoading ? "" : "Nothing found", .faint)
    }
  }
}
