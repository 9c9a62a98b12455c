package import Screen

extension ListLayout {
  /// An account: its name, how it is in words, its address, and why it is so.
  package static func account(_ row: AccountRow, _ flags: ListFlags, in context: LayoutContext) -> [StyledLine] {
    var line = ListLine(flags, in: context)
    line.add(row.part, row.symbol(context.symbols) + " ")
    line.add(.name, row.name)
    line.add(row.part, "  " + row.words)
    if row.queued > 0 { line.add(.queued, "  \(row.queued) queued") }
    if row.jid != row.name { line.add(.faint, "  " + row.jid) }
    let first = line.line()
    guard !row.reason.isEmpty else { return [first] }
    let reasons = TextFlow(row.reason, width: max(1, context.width - 4), limit: 4, in: context).lines
    return [first]
      + reasons.map { reason in
        var line = ListLine(flags, isFirst: false, in: context)
        line.indent(to: 3)
        line.add(reason.glyphs, row.state == "refused" ? .error : .faint)
        return line.line()
      }
  }
}

extension AccountRow {
  /// The state for people.
  var words: String {
    switch state {
    case "online": "online"
    case "connecting": "connecting"
    case "waiting": "offline, tries again soon"
    case "stopped": "disconnected by you"
    case "refused": "refused: needs your help"
    default: state
    }
  }

  var part: ColourPart {
    switch state {
    case "online": .available
    case "connecting", "waiting": .away
    case "refused": .error
    default: .offline
    }
  }

  func symbol(_ symbols: Symbols) -> String {
    switch state {
    case "online": symbols.available
    case "connecting", "waiting": symbols.away
    case "refused": symbols.failed
    default: symbols.offline
    }
  }
}
