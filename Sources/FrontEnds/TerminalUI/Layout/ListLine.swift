import Screen

/// A line of a list: from the left what says who it is, from the right what must not be lost when it is narrow.
struct ListLine {
  private var left: LineBuilder
  private let ground: ColourPart
  private let context: LayoutContext

  /// - Parameter isFirst: of its row: the mark of the selection is there.
  init(_ flags: ListFlags, isFirst: Bool = true, in context: LayoutContext) {
    self.context = context
    ground = flags.isSelected ? .selected : .text
    left = LineBuilder(context)
    left.add(ground, flags.isSelected && isFirst ? context.symbols.selected : " ")
  }

  private var style: Style { context.scheme[ground] }

  /// Adds a text, if what is before it has fitted whole.
  mutating func add(_ part: ColourPart, _ text: String, limit: Int = .max) {
    guard !left.isCut else { return }
    left.add(part, text, on: ground, limit: limit)
  }

  mutating func indent(to column: Int) { left.fill(to: column, style) }

  /// The line, with pieces at its right edge, each behind a space; pieces for which two columns of the left would not stay are
  /// left out, the last ones first.
  func line(right pieces: [(part: ColourPart, text: String)] = []) -> StyledLine {
    var texts: [(ColourPart, OneLine)] = []
    var width = 0
    for piece in pieces where !piece.text.isEmpty {
      let text = OneLine(piece.text, width: context.width, in: context)
      guard width + text.width + 1 <= context.width - min(context.width, 12) else { break }
      width += text.width + 1
      texts.append((piece.part, text))
    }
    var line = LineBuilder(context)
    line.add(cells: left.cells, limit: context.width - width, more: context.symbols.more)
    line.fill(to: context.width - width, style)
    for (part, text) in texts {
      line.fill(to: line.column + 1, style)
      line.add(text.glyphs, context.scheme.style(part, on: ground))
    }
    line.fill(to: context.width, style)
    return line.line
  }
}
