import ConfabClient
import Screen

/// The occupants of a room at its right: by role, who is away dimmed; of a large room the moderators and who spoke.
struct OccupantPane {
  let model: SocketModel
  let key: ConversationKey
  /// A context as wide as the pane.
  let context: LayoutContext
  let drawn: OccupantLines

  /// A line, before it is drawn.
  enum Line {
    case heading(String)
    case occupant(OccupantRow)
  }

  var title: String {
    let count = model.rooms.occupants(of: key).count
    return count == 0 ? "" : "\(count) here"
  }

  var lines: [Line] {
    let occupants = model.rooms.occupants(of: key)
    let shown = occupants.isWhole ? occupants.rows[...] : few(occupants)[...]
    let left = occupants.count - shown.count
    return grouped(shown) + (left > 0 ? [.heading("\(left) more")] : [])
  }

  /// By role, as they are sorted.
  private func grouped(_ occupants: ArraySlice<OccupantRow>) -> [Line] {
    var (lines, rest): ([Line], ArraySlice<OccupantRow>) = ([], occupants)
    while let role = rest.first?.role {
      let end = rest.firstIndex { $0.role != role } ?? rest.endIndex
      lines.append(.heading("\(Self.headings[role] ?? "Others") \(end - rest.startIndex)"))
      lines += rest[..<end].lazy.map(Line.occupant)
      rest = rest[end...]
    }
    return lines
  }

  private static let headings: [OccupantRow.Role: String] = [
    .moderator: "Moderators", .participant: "Participants", .visitor: "Visitors",
  ]

  private func few(_ occupants: RoomOccupants) -> [OccupantRow] {
    let speakers = Set(model.speakers(in: key))
    return occupants.rows.filter { $0.role == .moderator || speakers.contains($0.nick) }
  }

  func draw(_ line: Line) -> StyledLine {
    switch line {
    case .heading(let words): LineBuilder.one(" " + words, .faint, context)
    case .occupant(let occupant):
      drawn.line(of: occupant, isIgnored: model.rooms.occupants(of: key).isIgnored(occupant), in: context)
    }
  }
}

/// The lines of occupants as they were drawn last: their colours are hashes.
final class OccupantLines {
  private struct Source: Equatable {
    let occupant: OccupantRow
    let isIgnored: Bool
  }

  private var context: LayoutContext?
  private var made: [String: (source: Source, line: StyledLine)] = [:]
  /// Lines that are kept.
  private static let most = 1_000

  func line(of occupant: OccupantRow, isIgnored: Bool, in context: LayoutContext) -> StyledLine {
    if self.context != context || made.count >= Self.most { (self.context, made) = (context, [:]) }
    let source = Source(occupant: occupant, isIgnored: isIgnored)
    if let known = made[occupant.nick], known.source == source { return known.line }
    let line = Self.draw(occupant, isIgnored, context)
    made[occupant.nick] = (source, line)
    return line
  }

  private static func draw(_ occupant: OccupantRow, _ isIgnored: Bool, _ context: LayoutContext) -> StyledLine {
    var line = LineBuilder(context)
    line.add(.faint, " " + (occupant.sign.isEmpty ? " " : occupant.sign))
    let isDoubtful = Scripts.areMixed(occupant.nick)
    let style = isDoubtful ? context.scheme[.doubt] : NameColour.name(occupant.colourName, in: context.scheme)
    let mark = (isDoubtful ? " ?" : "") + (isIgnored ? " ignored" : "")
    let isFaint = occupant.isAway || isIgnored
    line.add(occupant.nick, isFaint ? context.scheme[.faint] : style, limit: line.room - mark.count)
    line.add(isDoubtful ? .doubt : .faint, mark)
    return line.line
  }
}

extension OccupantRow {
  /// The text that the colour of the nick is made of.
  var colourName: String { jid ?? nick }
}

extension FrameBuilder {
  private var occupantPane: OccupantPane? {
    app.screen.occupantsOf.map {
      let context = app.appearance.layout(width: panes.occupants.count)
      return OccupantPane(model: app.model, key: $0, context: context, drawn: app.occupantLines)
    }
  }

  func drawOccupants(on frame: inout Frame) {
    guard let pane = occupantPane else { return }
    let column = panes.occupants.lowerBound
    if surface.headerLines > 0 {
      frame.draw(bar(pane.title, hasKeys: false, pane.context), column: column, line: 0)
    }
    let room = surface.paneLines - surface.headerLines
    for (offset, line) in pane.lines.dropFirst(app.screen.occupantsTop).prefix(room).enumerated() {
      frame.draw(pane.draw(line), column: column, line: surface.headerLines + offset)
    }
  }

  /// The occupant on a line of the screen.
  func nick(at line: Int) -> String? {
    let lines = occupantPane?.lines ?? []
    let index = line - surface.headerLines + app.screen.occupantsTop
    guard line >= surface.headerLines, lines.indices.contains(index), case .occupant(let occupant) = lines[index] else {
      return nil
    }
    return occupant.nick
  }

  /// The first line that is shown after scrolling.
  func occupantsTop(scrolledBy lines: Int) -> Int {
    let most = (occupantPane?.lines.count ?? 0) - (surface.paneLines - surface.headerLines)
    return max(0, min(app.screen.occupantsTop + lines, most))
  }
}
