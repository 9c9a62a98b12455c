package import Clocks
package import Screen

/// The lines between messages: headings of sections, where the unread ones begin, who is typing, what came further down.
package enum RuleLines {
  /// `──── Today 14:05 ────`
  package static func heading(_ date: CivilDate, today: CivilDate, in context: LayoutContext) -> StyledLine {
    rule(context.words.day(date, today: today) + " " + context.words.time(date), .heading, .faint, in: context)
  }

  /// `──── Monday ────`, where a section goes on the next day.
  package static func day(_ date: CivilDate, today: CivilDate, in context: LayoutContext) -> StyledLine {
    rule(context.words.day(date, today: today), .faint, .faint, in: context)
  }

  /// `──── 5 unread ────`, above the first.
  package static func unread(_ count: Int, in context: LayoutContext) -> StyledLine {
    rule(
      count > 0 ? "\(count) unread message\(count == 1 ? "" : "s")" : "unread", .unreadLine, .unreadLine, in: context)
  }

  /// A rule in place of messages that are not loaded.
  package static func missing(_ words: String, in context: LayoutContext) -> StyledLine {
    rule(words, .faint, .faint, in: context)
  }

  /// `──── Bob has a new device: phone (27183). ────`, to be noticed.
  package static func notice(_ words: String, in context: LayoutContext) -> StyledLine {
    rule(words, .doubt, .faint, in: context)
  }

  /// `Bob is typing …`, the last row of a conversation.
  package static func typing(_ name: String, _ verb: String = "is", in context: LayoutContext) -> StyledLine {
    var line = LineBuilder(context)
    let ground: ColourPart = context.isCompact ? .text : .theirs
    line.fill(to: 1)
    let words = OneLine(name, width: max(1, line.room - 15), in: context)
    line.add(.typing, " ", on: ground)
    line.add(words.glyphs, context.scheme.style(.typing, on: ground))
    line.add(.typing, " \(verb) typing \(context.symbols.waiting) ", on: ground)
    return line.line
  }

  /// `↓ 3 new below`, for a corner of the conversation.
  package static func newBelow(_ count: Int, in context: LayoutContext) -> StyledLine {
    var line = LineBuilder(context)
    line.add(.newBelow, " \(context.symbols.below) \(count) new below ")
    return line.line
  }

  /// Words in the middle of a rule.
  private static func rule(_ words: String, _ part: ColourPart, _ rule: ColourPart, in context: LayoutContext)
    -> StyledLine
  {
    let style = context.scheme[rule]
    let text = OneLine(words, width: max(0, context.width - 4), in: context)
    var line = LineBuilder(context)
    line.fill(to: max(0, (context.width - text.width - 2) / 2), style, with: context.symbols.rule)
    line.fill(to: line.column + 1)
    line.add(text.glyphs, context.scheme[part])
    line.fill(to: line.column + 1)
    line.fill(to: context.width, style, with: context.symbols.rule)
    return line.line
  }
}
