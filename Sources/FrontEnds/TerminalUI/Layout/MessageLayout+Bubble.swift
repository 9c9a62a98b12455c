import ConfabClient
import Screen

extension LayoutParts {
  /// Others' at the left, mine at the right edge, in an area as wide as the text needs.
  var bubbleLines: [StyledLine] {
    let flow = flow(widest)
    let inside = insideLines(widest)
    let answered = answeredLine(min(widest, max(Self.answeredWidth, flow.lines.map(\.width).max() ?? 0)))
    var rows = (answered + flow.lines + fileLines(widest, inBoxes: true)).map(BubbleRow.text)
    let pictures = pictureLines.map(BubbleRow.picture)
    let texts = inside.lines.map(BubbleRow.text)
    rows += message.details.attachments.isEmpty ? texts + pictures : pictures + texts
    if let more = moreLines(flow, inside.hiddenCount) { rows.append(.words(more, .folded)) }
    let tail = tail
    let beside = tail.width == 0 ? 0 : besideTail(rows.last) + tail.width
    if beside > widest { rows.append(.tail) }
    let inner = max(beside > widest ? tail.width : beside, rows.map(width).max() ?? 0)
    let left = message.isMine ? context.width - 1 - inner - 2 : 1
    let showsSender = showsName && !message.isMine
    let gap = showsSender ? gapLine : upperEdge(left: left, inner: inner)
    var lines = flags.hasGap || (showsSender && context.hasAvatars) ? [gap] : []
    if showsSender { lines += nameLines }
    if isLine { lines += addressLines(context.width - 3).map { addressLine($0) } }
    for (index, row) in rows.enumerated() {
      lines.append(line(row, left: left, inner: inner, tail: index == rows.count - 1 ? tail : nil))
    }
    return lines + chipLines(left: left) + noteLines
  }

  /// Columns that the message that is answered may have beside a short text.
  private static var answeredWidth: Int { 40 }

  /// A line of a bubble.
  private enum BubbleRow {
    case text(TextFlow.Line)
    case words(String, ColourPart)
    /// A row of a picture.
    case picture(StyledLine)
    /// Nothing but the time and the state.
    case tail
  }

  /// Columns of the text in a bubble: one at each edge, one of the bubble at each side, and eight by which mine and others'
  /// differ. Beyond 80, lines are hard to read.
  private var widest: Int { min(80, context.width - 12) }

  private func width(_ row: BubbleRow) -> Int {
    switch row {
    case .text(let line): line.width
    case .words(let words, _): OneLine(words, width: widest, in: context).width
    case .picture(let line): line.width
    case .tail: 0
    }
  }

  /// Columns that time and state have to leave free in the last row; too many if they need a row of their own.
  private func besideTail(_ row: BubbleRow?) -> Int {
    guard case .text(let line)? = row, !line.isRightToLeft else { return widest }
    return line.width > 0 ? line.width + 2 : 0
  }

  /// Time and state: `14:05 ✓✓`.
  private var tail: StyledLine {
    var line = LineBuilder(context, width: widest)
    let words = [flags.showsTime ? time : "", isEdited ? "edited" : ""].filter { !$0.isEmpty }
    line.add(.time, words.joined(separator: " "), on: ground)
    if let sealMark { line.add(.doubt, (words.isEmpty ? "" : " ") + sealMark, on: ground) }
    if let mark {
      if line.column > 0 { line.add(.time, " ", on: ground) }
      line.add(mark.part, mark.text, on: ground)
    }
    return line.line
  }

  private func line(_ row: BubbleRow, left: Int, inner: Int, tail: StyledLine?) -> StyledLine {
    let style = context.scheme[ground]
    var line = startLine()
    line.fill(to: left)
    line.fill(to: left + 1, edgeStyle(isOutside: !message.isMine), with: edge(isOutside: !message.isMine))
    switch row {
    case .text(let text):
      if text.isRightToLeft { line.fill(to: left + 1 + inner - text.width, style) }
      line.add(text.glyphs, style)
    case .words(let words, let part): line.add(part, words, on: ground, limit: inner)
    case .picture(let picture):
      let cells = picture.cells.map { $0 == .blank ? .blank(style) : $0 }
      line.add(cells: cells, limit: inner, more: "")
    case .tail: break
    }
    if let tail {
      line.fill(to: left + 1 + inner - tail.width, style)
      line.add(cells: tail.cells, limit: line.room, more: "")
    }
    line.fill(to: left + 1 + inner, style)
    line.fill(to: left + 1 + inner + 1, edgeStyle(isOutside: message.isMine), with: edge(isOutside: message.isMine))
    return line.line
  }

  /// Without a ground of its own, a bubble has a bar at its outer edge.
  private func edge(isOutside: Bool) -> String {
    isOutside && hasBar ? context.symbols.bar : " "
  }

  private func edgeStyle(isOutside: Bool) -> Style {
    isOutside && hasBar ? context.scheme.style(.faint, on: ground) : context.scheme[ground]
  }

  private var hasBar: Bool { context.scheme.kind == .plain && !flags.isSelected && !isLine }

  private var avatar: AvatarLines { AvatarLines(picture: flags.avatar) }

  /// Above a bubble of the same sender: half a row of the bubble, so that two are near each other and apart.
  private func upperEdge(left: Int, inner: Int) -> StyledLine {
    let ground = context.scheme[ground].background
    guard !flags.showsName, !isLine, context.scheme.kind != .plain, context.symbols.lowerHalf != " " else {
      return StyledLine()
    }
    var line = startLine()
    line.fill(to: left)
    line.fill(to: left + inner + 2, Style(ground), with: context.symbols.lowerHalf)
    return line.line
  }

  /// Above the name: the first row of the avatar.
  private var gapLine: StyledLine {
    guard let cells = avatar.cells(0) else { return StyledLine() }
    var line = LineBuilder(context)
    line.fill(to: 1)
    line.add(cells: cells, limit: line.room, more: "")
    return line.line
  }

  /// The avatar, or initials on their colour, the name, and the address if the name imitates another.
  private var nameLines: [StyledLine] {
    var line = startLine()
    let sender = flags.colourName ?? String(message.speaker)
    if let cells = avatar.cells(1) {
      line.add(cells: cells, limit: line.room, more: "")
    } else {
      line.add(" " + Initials.of(name, in: context) + " ", NameColour.initials(sender, in: context.scheme))
    }
    line.add(" ", .plain)
    line.add(name, NameColour.name(sender, in: context.scheme), limit: max(8, line.room / 2))
    let address = addressLines(context.width - 3)
    if address.count == 1, address[0].width < line.room {
      line.add(" ", .plain)
      line.add(address[0].glyphs, context.scheme[.doubt])
      return [line.line]
    }
    return [line.line]
      + address.map { addressLine($0) }
  }

  private func addressLine(_ address: TextFlow.Line) -> StyledLine {
    var line = startLine()
    line.fill(to: 2)
    line.add(address.glyphs, context.scheme[.doubt])
    return line.line
  }

  /// Reactions below the bubble: mine at its right edge, others' at its left.
  private func chipLines(left: Int) -> [StyledLine] {
    reactionLines(widest) { width in
      var line = startLine()
      line.fill(to: message.isMine ? context.width - 2 - width : left)
      return line
    }.map(\.line)
  }

  /// Below the bubble: mine at its right edge, others' at its left.
  private var noteLines: [StyledLine] {
    MessageWords.notes(message, flags, takeBackKey: context.takeBackKey).flatMap { note in
      TextFlow(note.text, width: widest, limit: 5, in: context).lines.map { text in
        var line = startLine()
        line.fill(to: message.isMine ? context.width - 2 - text.width : 2)
        line.add(text.glyphs, context.scheme.style(note.part, on: .text))
        return line.line
      }
    }
  }
}
