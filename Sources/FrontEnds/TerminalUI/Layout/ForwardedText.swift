import Clocks
import ConfabClient
import Screen

/// A message inside another one, as it is shown: who wrote it and when, then its text and its files.
struct ForwardedText {
  let heading: String
  let text: String
  let files: [ShownAttachment]
  /// How many messages it is in.
  let depth: Int

  /// The message and those inside it, from the outermost on.
  ///
  /// - Parameter date: of the message that they are in; times of the same day are without one.
  static func all(
    _ message: ShownForward, beside date: CivilDate, _ dates: (Timestamp) -> CivilDate, _ words: DateWords,
    depth: Int = 1
  ) -> [ForwardedText] {
    let time = message.time.map { time in
      let own = dates(time)
      return ", " + (own.isSameDay(date) ? "" : words.fullDay(own) + " ") + words.time(own)
    }
    let author = message.from.prefix { $0 != "/" }
    let heading = "Forwarded from \(author.isEmpty ? "an unknown author" : String(author))\(time ?? "")"
    return [ForwardedText(heading: heading, text: message.text, files: message.attachments, depth: depth)]
      + message.forwarded.flatMap { all($0, beside: date, dates, words, depth: depth + 1) }
  }
}

extension LayoutParts {
  /// The message that this one answers, on one line.
  ///
  /// - Parameter width: columns that it may have.
  func answeredLine(_ width: Int) -> [TextFlow.Line] {
    guard let reply = message.details.reply, message.details.retraction == nil else { return [] }
    let name = flags.answeredName ?? String(reply.from.prefix { $0 != "/" })
    let words = name.isEmpty ? "an earlier message" : name
    let line = OneLine(words + ": " + (reply.text.isEmpty ? "…" : reply.text), width: max(1, width - 2), in: context)
    return [quoted(line.glyphs, depth: 1)]
  }

  /// The messages inside, each line behind a bar for each message that it is in.
  func insideLines(_ width: Int) -> (lines: [TextFlow.Line], hiddenCount: Int) {
    guard message.details.retraction == nil else { return ([], 0) }
    var lines: [TextFlow.Line] = []
    var hiddenCount = 0
    var fileIndex = message.details.attachments.count
    for text in inside {
      let room = max(1, width - 2 * text.depth)
      lines += TextFlow(text.heading, width: room, limit: 3, in: context).lines.map {
        quoted($0.glyphs, depth: text.depth)
      }
      if !text.text.isEmpty || text.files.isEmpty {
        let flow = TextFlow(text.text, width: room, limit: max(0, limit - lines.count), in: context)
        lines += flow.lines.map { quoted($0.glyphs, depth: text.depth, part: nil) }
        hiddenCount += flow.hiddenCount
      }
      let files = fileBoxes.plainLines(text.files, from: fileIndex, width: room)
      let shown = files.prefix(max(0, limit - lines.count))
      lines += shown.map { quoted($0.glyphs, depth: text.depth, part: nil) }
      hiddenCount += files.count - shown.count
      fileIndex += text.files.count
    }
    return (lines, hiddenCount)
  }

  private func quoted(_ glyphs: [TextGlyph], depth: Int, part: ColourPart? = .quote) -> TextFlow.Line {
    var bars: [TextGlyph] = []
    for _ in 0..<depth { bars += [context.symbols.quote, " "].map { TextGlyph(Glyph(stringLiteral: $0)) } }
    let all = bars.map { $0.with(.quote) } + glyphs.map { part == nil ? $0 : $0.with(part) }
    return TextFlow.Line(glyphs: all, isRightToLeft: false)
  }
}

extension TextGlyph {
  fileprivate func with(_ part: ColourPart?) -> TextGlyph {
    var glyph = self
    glyph.part = part
    return glyph
  }
}
