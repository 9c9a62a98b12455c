import Screen

/// The choices of what is typed in part: of a command, above the input, and of a whole name how it is used; of two keys.
enum CommandPanel {
  /// - Parameter height: lines that may be covered.
  static func lines(_ typed: String, height: Int, in context: LayoutContext) -> [StyledLine] {
    let rows = SlashCommand.text(typed) == nil ? CommandList.matching(typed) : []
    guard !rows.isEmpty, height > 1 else { return [] }
    guard rows.count > 1 else { return usage(of: rows[0], height, context) }
    let choices = rows.map { ("/\($0.name)", $0.sentence) }
    return list(choices, more: "Tab completes; F1 shows all, with the keys.", room: min(10, height), context)
  }

  /// The keys that may follow the first of two.
  static func keys(_ next: [(KeySequence, UserAction)], height: Int, in context: LayoutContext) -> [StyledLine] {
    let choices = next.map { ($0.text, ActionTable[$1]?.sentence ?? "") }
    return height > 1 ? list(choices, more: "F1 shows all.", room: height, context) : []
  }

  /// Emoticons of which a part of the name is typed.
  static func emoticons(_ found: [Emoticon], height: Int, in context: LayoutContext) -> [StyledLine] {
    let choices = found.map { ($0.written, $0.name) }
    return list(choices, more: "Tab writes the first one, and again the next.", room: min(4, height), context)
  }

  private static func usage(of row: CommandList.Row, _ height: Int, _ context: LayoutContext) -> [StyledLine] {
    let (width, usage) = (context.width - 2, "/\(row.name) \(row.arguments)")
    let lines =
      Wrapped.lines(usage, width: width, in: context).map { line($0, "", context) }
      + Wrapped.lines(row.sentence, width: width, in: context).map { line("", $0, context) }
    return lines.suffix(height)
  }

  private static func list(
    _ choices: [(name: String, sentence: String)], more: String, room: Int, _ context: LayoutContext
  ) -> [StyledLine] {
    let shown = choices.prefix(choices.count > room ? room - 1 : room)
    let rest = choices.count - shown.count
    return shown.map { line($0.name, $0.sentence, context) } + (rest > 0 ? [line("\(rest) more", more, context)] : [])
  }

  private static let nameColumns = 18

  private static func line(_ name: String, _ sentence: String, _ context: LayoutContext) -> StyledLine {
    var line = LineBuilder(context)
    line.add(.popUpKey, " " + name, on: .popUp)
    if !sentence.isEmpty { line.fill(to: name.isEmpty ? 1 : nameColumns, context.scheme[.popUp]) }
    line.add(.popUp, sentence)
    line.fill(to: context.width, context.scheme[.popUp])
    return line.line
  }
}

/// Texts in lines that fit, as texts again.
enum Wrapped {
  static func lines(_ text: String, width: Int, in context: LayoutContext) -> [String] {
    TextFlow(text, width: max(1, width), in: context).lines.map { $0.glyphs.map(\.glyph.text).joined() }
  }
}
