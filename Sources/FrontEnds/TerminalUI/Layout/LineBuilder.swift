import Screen

/// Makes a line from left to right, never wider than it may be.
struct LineBuilder {
  let width: Int
  private let context: LayoutContext
  private(set) var cells: [Cell] = []
  /// True if a text did not fit into the line.
  private(set) var isCut = false

  /// - Parameter width: of the line; nil: of the context.
  init(_ context: LayoutContext, width: Int? = nil) {
    self.context = context
    self.width = max(0, width ?? context.width)
  }

  var column: Int { cells.count }
  var room: Int { width - cells.count }
  var line: StyledLine { StyledLine(cells) }

  /// Writes a text on one line, cut with `…` at `limit` columns.
  mutating func add(_ text: String, _ style: Style, limit: Int = .max) {
    let text = OneLine(text, width: min(limit, room), in: context)
    isCut = isCut || (text.isCut && limit >= room)
    add(text.glyphs, style)
  }

  mutating func add(_ part: ColourPart, _ text: String, on ground: ColourPart = .text, limit: Int = .max) {
    add(text, context.scheme.style(part, on: ground), limit: limit)
  }

  /// Writes glyphs that are in visual order, as many as there is room for; those that are a part have its style over `style`.
  mutating func add(_ glyphs: [TextGlyph], _ style: Style) {
    for glyph in glyphs {
      guard glyph.width <= room else { return }
      var own = glyph.part.map { context.scheme[$0].over(style) } ?? style
      own.attributes.formUnion(glyph.attributes)
      cells.append(Cell(glyph.glyph, own))
      cells.append(contentsOf: repeatElement(.continuation(own), count: glyph.width - 1))
    }
  }

  /// Writes the begin of a line, with `more` at its end if it is cut.
  mutating func add(cells whole: [Cell], limit: Int, more: String) {
    guard whole.count > limit else { return cells.append(contentsOf: whole) }
    var end = max(0, limit - more.count)
    while end > 0, whole[end].width == 0 { end -= 1 }
    cells.append(contentsOf: whole[..<end])
    let style = whole[max(0, end - 1)].style
    for glyph in Clusters.split(more) where cells.count < limit { cells.append(Cell(glyph, style)) }
  }

  /// Writes spaces, or another letter of one column, up to a column.
  mutating func fill(to column: Int, _ style: Style = .plain, with letter: String = " ") {
    let count = min(column, width) - cells.count
    guard count > 0, let glyph = Clusters.split(letter).first else { return }
    cells.append(contentsOf: repeatElement(Cell(glyph, style), count: count))
  }
}

/// A text on one line: line breaks become spaces, what does not fit is cut.
struct OneLine {
  /// From left to right.
  private(set) var glyphs: [TextGlyph] = []
  private(set) var isCut = false

  /// - Parameter spans: sorted, apart from each other.
  init(_ text: String, spans: [TextSpan] = [], width: Int, in context: LayoutContext) {
    guard width > 0 else { return }
    // Sixteen scalars a column are more than any script needs.
    let scalars = text.unicodeScalars
    let start = scalars.prefix(16 * width + 16)
    let line = String(String.UnicodeScalarView(start.map { $0 == "\n" || $0 == "\r" ? " " : $0 }))
    var (paragraph, spans) = (TextParagraph(Clusters.split(line, context.rules)), spans[...])
    paragraph.mark(&spans)
    isCut = start.endIndex < scalars.endIndex || paragraph.glyphs.width > width
    glyphs = isCut ? Self.cut(paragraph, width, context.symbols.more) : paragraph.line(paragraph.glyphs.indices)
  }

  var width: Int { glyphs.width }

  /// The begin of a text that fits, and the mark of what is missing behind it: at the left, if it runs from right to left.
  private static func cut(_ paragraph: TextParagraph, _ width: Int, _ mark: String) -> [TextGlyph] {
    let mark = mark.prefix(width).map { TextGlyph(Glyph(stringLiteral: String($0))) }
    var columns = mark.count
    let count = paragraph.glyphs.prefix { glyph in
      columns += glyph.width
      return columns <= width
    }.count
    let end = paragraph.glyphs[..<count].lastIndex { !$0.isSpace }.map { $0 + 1 } ?? 0
    let begin = paragraph.line(0..<end)
    return paragraph.isRightToLeft ? mark + begin : begin + mark
  }
}

extension LineBuilder {
  /// A line of one part.
  static func one(_ text: String, _ part: ColourPart, _ context: LayoutContext, on ground: ColourPart = .text)
    -> StyledLine
  {
    var line = LineBuilder(context)
    line.add(part, text, on: ground)
    return line.line
  }

  /// A text in lines of the context's width.
  static func wrapped(_ text: String, _ context: LayoutContext) -> [StyledLine] {
    let flow = TextFlow(text, width: max(1, context.width - 2), in: context)
    return flow.lines.map { row in
      var line = LineBuilder(context)
      line.fill(to: 1)
      line.add(row.glyphs, context.scheme[.text])
      return line.line
    }
  }
}
