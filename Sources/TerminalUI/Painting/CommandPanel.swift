import Glyphs
import Screen

/// The commands that fit what is typed after a slash, above the input; of a whole name how it is used.
enum CommandPanel {
  /// - Parameter height: lines that may be covered.
  static func lines(_ typed: String, height: Int, in context: LayoutContext) -> [StyledLine] {
    let rows = SlashCommand.text(typed) == nil ? CommandList.matching(typed) : []
    guard !rows.isEmpty, height > 1 else { return [] }
    return rows.count == 1 ? usage(of: rows[0], height, context) : list(rows, room: min(10, height), context)
  }

  private static func usage(of row: CommandList.Row, _ height: Int, _ context: LayoutContext) -> [StyledLine] {
    let (width, usage) = (context.width - 2, "/\(row.name) \(row.arguments)")
    let lines =
      Wrapped.lines(usage, width: width, in: context).map { line($0, "", context) }
      + Wrapped.lines(row.sentence, width: width, in: context).map { line("", $0, context) }
    return lines.suffix(height)
  }

  private static func list(_ rows: [CommandList.Row], room: Int, _ context: LayoutContext) -> [StyledLine] {
    let shown = rows.prefix(rows.count > room ? room - 1 : room)
    let more = rows.count - shown.count
    return shown.map { line("/\($0.name)", $0.sentence, context) }
      + (more > 0 ? [line("\(more) more", "Tab completes; F1 shows all, with the keys.", context)] : [])
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
