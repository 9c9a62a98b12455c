import ConfabClient
import Screen

/// The reactions to a message, in lines: each emoji with its count, mine in brackets.
struct ReactionChips {
  /// One emoji and its count.
  struct Chip {
    let glyphs: [TextGlyph]
    let part: ColourPart

    var width: Int { glyphs.width }
  }

  private(set) var lines: [[Chip]] = []

  /// Lines that are made; the emoji behind them are counted.
  private static let limit = 3
  /// Columns of an emoji, which somebody may have made of anything.
  private static let longest = 12

  init(_ reactions: [Reaction], width: Int, in context: LayoutContext) {
    var shownCount = 0
    for reaction in reactions {
      let chip = Self.chip(reaction, context)
      if lines.last.map({ Self.width($0) + 1 + chip.width <= width }) == true {
        lines[lines.count - 1].append(chip)
      } else if lines.count < Self.limit {
        lines.append([chip])
      } else {
        break
      }
      shownCount += 1
    }
    guard shownCount < reactions.count else { return }
    let more = OneLine(" \(context.symbols.more) \(reactions.count - shownCount) more", width: width, in: context)
    lines.append([Chip(glyphs: more.glyphs, part: .faint)])
  }

  private static func chip(_ reaction: Reaction, _ context: LayoutContext) -> Chip {
    let (open, close) = reaction.isMine ? ("[", "]") : (" ", " ")
    let count = reaction.people.count > 1 ? " \(reaction.people.count)" : ""
    let emoji = OneLine(reaction.emoji, width: longest, in: context).glyphs
    let glyphs =
      OneLine(open, width: 1, in: context).glyphs + emoji + OneLine(count + close, width: 12, in: context).glyphs
    return Chip(glyphs: glyphs, part: reaction.isMine ? .myReaction : .reaction)
  }

  /// With a space between two.
  static func width(_ line: [Chip]) -> Int { line.reduce(line.count - 1) { $0 + $1.width } }
}

extension LayoutParts {
  /// The lines of the reactions.
  ///
  /// - Parameter start: a line up to where the reactions begin, given their width.
  func reactionLines(_ width: Int, _ start: (Int) -> LineBuilder) -> [LineBuilder] {
    ReactionChips(message.details.reactions, width: width, in: context).lines.map { chips in
      var line = start(ReactionChips.width(chips))
      for (index, chip) in chips.enumerated() {
        if index > 0 { line.fill(to: line.column + 1) }
        line.add(chip.glyphs, context.scheme[chip.part])
      }
      return line
    }
  }
}
