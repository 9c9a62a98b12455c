import ConfabClient
import Screen

extension LayoutParts {
  /// `14:05 Bob: hello ✓`, further lines below the name.
  var compactLines: [StyledLine] {
    let width = max(1, context.width - indent)
    let head = head(width)
    let headWidth = head.column
    let flow = flow(width, indent: headWidth)
    let inside = insideLines(width)
    let files = fileLines(flow.lines.isEmpty ? width - headWidth : width, inBoxes: false)
    var lines = (flow.lines + files + inside.lines).enumerated().map { index, text in
      var line = startLine(time: index == 0 && flags.showsTime ? time : nil)
      if index == 0 { line = self.head(width, line) }
      if text.isRightToLeft { line.fill(to: context.width - text.width) }
      line.add(text.glyphs, context.scheme[flags.isSelected ? .selected : .text])
      return line
    }
    for picture in pictureLines {
      var line = startLine(time: nil)
      line.add(cells: picture.cells, limit: width, more: "")
      lines.append(line)
    }
    if let more = moreLines(flow, inside.hiddenCount) { lines.append(note(more, .folded)) }
    if isEdited { addMark(("edited", .time), to: &lines) }
    if let sealMark { addMark(("(\(sealMark))", .doubt), to: &lines) }
    if let mark { addMark(mark, to: &lines) }
    lines += reactionLines(width) { _ in startLine(time: nil) }
    for note in MessageWords.notes(message, flags, takeBackKey: context.takeBackKey) {
      lines += TextFlow(note.text, width: width, limit: 5, in: context).lines.map { textLine($0.glyphs, note.part) }
    }
    let address = addressLines(width).map { textLine($0.glyphs, .doubt) }
    let answered = answeredLine(width).map { textLine($0.glyphs, .text) }
    return (address + answered + lines).map(\.line)
  }

  private func textLine(_ glyphs: [TextGlyph], _ part: ColourPart) -> LineBuilder {
    var line = startLine(time: nil)
    line.add(glyphs, context.scheme.style(part, on: .text))
    return line
  }

  /// The first column of the text: behind the time if there is room.
  private var indent: Int { context.width >= 24 ? 2 + timeWidth : 1 }
  private var timeWidth: Int { context.words.hasTwelveHours ? 8 : 5 }

  private func startLine(time: String?) -> LineBuilder {
    var line = startLine()
    guard indent > 1 else { return line }
    if let time {
      line.fill(to: 1 + timeWidth - time.count)
      line.add(.time, time)
    }
    line.fill(to: indent)
    return line
  }

  /// `Bob: ` where the sender changes, at most half of the line.
  private func head(_ width: Int, _ line: LineBuilder? = nil) -> LineBuilder {
    var line = line ?? LineBuilder(context, width: width)
    guard showsName else { return line }
    let sender = flags.colourName ?? String(message.speaker)
    let style = message.isMine ? context.scheme[.name] : NameColour.name(sender, in: context.scheme)
    line.add(name, style, limit: max(1, width / 3))
    line.add(": ", style)
    return line
  }

  private func note(_ words: String, _ part: ColourPart) -> LineBuilder {
    var line = startLine(time: nil)
    line.add(part, words)
    return line
  }

  private func addMark(_ mark: (text: String, part: ColourPart), to lines: inout [LineBuilder]) {
    let markWidth = OneLine(mark.text, width: context.width, in: context).width
    if let last = lines.last, last.room > markWidth {
      lines[lines.count - 1].add(.text, " ")
      lines[lines.count - 1].add(mark.part, mark.text)
    } else {
      lines.append(note(mark.text, mark.part))
    }
  }
}
