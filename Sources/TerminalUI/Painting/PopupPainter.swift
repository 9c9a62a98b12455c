import Screen

/// Draws a pop-up over what is there.
struct PopupPainter {
  let picker: Picker
  let box: PopupBox
  let context: LayoutContext

  /// In help the sentences stand in a column of their own.
  private static let keyColumns = 26

  func draw(on frame: inout Frame) {
    var context = self.context
    context.width = box.width
    let ground = context.scheme[.popUp]
    frame.fill(column: box.column, line: box.line, width: box.width, height: box.height, ground)
    frame.draw(line(" " + picker.title, .popUpTitle, context), column: box.column, line: box.line)
    if picker.hasInput { drawQuery(on: &frame, context) }
    for (offset, index) in (picker.top..<min(picker.items.count, picker.top + box.rows)).enumerated() {
      let row = item(
        picker.items[index], isChosen: index == picker.cursor && picker.items[index].intent != nil, context)
      frame.draw(row, column: box.column, line: box.line + 2 + offset)
    }
    let count = picker.items.count > box.rows ? "\(picker.cursor + 1) of \(picker.items.count)  " : ""
    frame.draw(
      line(" " + count + picker.hints, .popUpKey, context), column: box.column, line: box.line + box.height - 1)
  }

  private func line(_ text: String, _ part: ColourPart, _ context: LayoutContext) -> StyledLine {
    var line = LineBuilder(context)
    line.add(part, text, on: .popUp)
    line.fill(to: context.width, context.scheme[.popUp])
    return line.line
  }

  private func drawQuery(on frame: inout Frame, _ context: LayoutContext) {
    let style = context.scheme[.input].over(context.scheme[.popUp])
    let input = InputLayout(picker.editor.input, width: max(2, box.width - 4), style: style, in: context)
    var prompt = LineBuilder(context)
    prompt.add(.prompt, " › ", on: .popUp)
    frame.draw(prompt.line, column: box.column, line: box.line + 1)
    frame.draw(input.rows[input.cursorRow], column: box.column + 3, line: box.line + 1, limit: box.width - 4)
    frame.cursor = Frame.Position(column: box.column + 3 + input.cursorColumn, line: box.line + 1)
  }

  private func item(_ item: PickerItem, isChosen: Bool, _ context: LayoutContext) -> StyledLine {
    let ground: ColourPart = isChosen ? .selected : .popUp
    let style = context.scheme[ground]
    var line = LineBuilder(context)
    line.add(ground, isChosen ? context.symbols.selected : " ")
    line.fill(to: 2, style)
    let room = context.width - 4
    let detailWidth = item.detail.isEmpty ? 0 : OneLine(item.detail, width: room * 3 / 5, in: context).width + 2
    line.add(title(item, width: max(8, room - detailWidth), context), style)
    if picker.kind == .help { line.fill(to: min(Self.keyColumns, room / 2), style) }
    let detail = OneLine(item.detail, width: max(0, context.width - line.column - 3), in: context)
    line.fill(to: picker.kind == .help ? line.column + 2 : context.width - detail.width - 1, style)
    line.add(detail.glyphs, context.scheme.style(.faint, on: ground))
    line.fill(to: context.width, style)
    return line.line
  }

  /// On one line, with what was looked for.
  private func title(_ item: PickerItem, width: Int, _ context: LayoutContext) -> [TextGlyph] {
    guard !item.hits.isEmpty else { return OneLine(item.title, width: width, in: context).glyphs }
    let spans = item.hits.map { TextSpan($0, .hit) }
    return TextFlow(item.title, spans: spans, width: width, limit: 1, in: context).lines.first?.glyphs ?? []
  }
}
