import Screen

/// Draws a pop-up over what is there.
struct PopupPainter {
  let picker: Picker
  let title: String
  let box: PopupBox
  /// A context as wide as the inside of the box.
  let context: LayoutContext

  func draw(on frame: inout Frame) {
    if box.isFramed {
      // Nothing at each side, so that no frame is beside another one, nor the end of a word.
      let margin = min(box.column, 2)
      frame.fill(
        column: box.column - margin, line: box.line, width: box.width + 2 * margin, height: box.height,
        context.scheme[.text])
    }
    frame.fill(column: box.column, line: box.line, width: box.width, height: box.height, context.scheme[.popUp])
    let count = picker.items.count > box.rows ? picker.position + "  " : ""
    drawEdge(title, .popUpTitle, line: 0, corners: context.symbols.topCorners, on: &frame)
    let hints = count + hints(besides: count.count)
    drawEdge(hints, .popUpKey, line: box.height - 1, corners: context.symbols.bottomCorners, on: &frame)
    if box.isFramed { drawSides(on: &frame) }
    if picker.hasInput { drawQuery(on: &frame) }
    for (offset, index) in (picker.top..<min(picker.items.count, picker.top + box.rows)).enumerated() {
      let row = item(picker.items[index], isChosen: index == picker.cursor && picker.items[index].intent != nil)
      frame.draw(row, column: box.innerColumn, line: box.line + 2 + offset)
    }
  }

  /// As many hints as there is room for, the last one among them; none is cut.
  private func hints(besides taken: Int) -> String {
    let room = box.width - taken - (box.isFramed ? 6 : 2)
    var hints = picker.hints.split(separator: " · ")
    while hints.count > 1, hints.joined(separator: " · ").count > room { hints.remove(at: hints.count - 2) }
    return hints.joined(separator: " · ")
  }

  // MARK: The frame

  /// The title, or what the keys do, within the frame's upper or lower edge.
  private func drawEdge(
    _ text: String, _ part: ColourPart, line: Int, corners: (left: String, right: String), on frame: inout Frame
  ) {
    var edge = LineBuilder(context, width: box.width)
    let frameStyle = context.scheme.style(.faint, on: .popUp)
    if box.isFramed {
      edge.add(corners.left + context.symbols.rule, frameStyle)
      edge.add(part, " " + text + " ", on: .popUp, limit: box.width - 4)
      edge.fill(to: box.width - 1, frameStyle, with: context.symbols.rule)
      edge.add(corners.right, frameStyle)
    } else {
      edge.add(part, " " + text, on: .popUp)
    }
    edge.fill(to: box.width, context.scheme[.popUp])
    frame.draw(edge.line, column: box.column, line: box.line + line)
  }

  private func drawSides(on frame: inout Frame) {
    var side = LineBuilder(context, width: 1)
    side.add(context.symbols.bar, context.scheme.style(.faint, on: .popUp))
    for line in 1..<(box.height - 1) {
      frame.draw(side.line, column: box.column, line: box.line + line)
      frame.draw(side.line, column: box.column + box.width - 1, line: box.line + line)
    }
  }

  // MARK: Inside

  private func drawQuery(on frame: inout Frame) {
    let style = context.scheme[.input].over(context.scheme[.popUp])
    let input = InputLayout(picker.editor.input, width: max(2, context.width - 4), style: style, in: context)
    var prompt = LineBuilder(context)
    prompt.add(.prompt, " \(context.symbols.prompt) ", on: .popUp)
    frame.draw(prompt.line, column: box.innerColumn, line: box.line + 1)
    frame.draw(
      input.rows[input.cursorRow], column: box.innerColumn + 3, line: box.line + 1, limit: max(1, context.width - 4))
    frame.cursor = Frame.Position(column: box.innerColumn + 3 + input.cursorColumn, line: box.line + 1)
  }

  private func item(_ item: PickerItem, isChosen: Bool) -> StyledLine {
    let ground: ColourPart = isChosen ? .selected : .popUp
    let style = context.scheme[ground]
    var line = LineBuilder(context)
    line.add(ground, isChosen ? context.symbols.selected : " ")
    line.fill(to: 2, style)
    let room = context.width - 4
    let detailWidth = item.detail.isEmpty ? 0 : OneLine(item.detail, width: room * 3 / 5, in: context).width + 2
    line.add(title(item, width: max(8, room - detailWidth)), style)
    let isColumn = picker.kind == .help && !item.detail.isEmpty
    if isColumn { line.fill(to: HelpRows.keyColumns + 2, style) }
    let detail = OneLine(item.detail, width: max(0, context.width - line.column - 1), in: context)
    if !isColumn { line.fill(to: context.width - detail.width - 1, style) }
    line.add(detail.glyphs, context.scheme.style(.faint, on: ground))
    line.fill(to: context.width, style)
    return line.line
  }

  /// On one line, with what was looked for.
  private func title(_ item: PickerItem, width: Int) -> [TextGlyph] {
    OneLine(item.title, spans: item.hits.map { TextSpan($0, .hit) }, width: width, in: context).glyphs
  }
}
