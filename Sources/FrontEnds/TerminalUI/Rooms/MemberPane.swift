import ConfabClient
import Screen

/// The occupants of a room at its right: by role, who is away dimmed; of a large room the moderators and who spoke.
struct MemberPane {
  let model: SocketModel
  let key: ConversationKey
  /// A context as wide as the pane.
  let context: LayoutContext

  /// A line, before it is drawn.
  enum Line {
    case heading(String)
    case member(RoomMemberRow)
  }

  var title: String {
    let count = model.rooms.occupants(of: key).count
    return count == 0 ? "" : "\(count) here"
  }

  var lines: [Line] {
    let occupants = model.rooms.occupants(of: key)
    let shown = occupants.isWhole ? occupants.rows : few(occupants)
    let groups = RoomMemberRow.Role.allCases.flatMap { role in
      group(shown.filter { $0.role == role }, Self.headings[role] ?? "Others")
    }
    let left = occupants.count - shown.count
    return groups + (left > 0 ? [.heading("\(left) more")] : [])
  }

  private static let headings: [RoomMemberRow.Role: String] = [
    .moderator: "Moderators", .participant: "Participants", .visitor: "Visitors",
  ]

  private func few(_ occupants: RoomOccupants) -> [RoomMemberRow] {
    let speakers = Set(model.speakers(in: key))
    return occupants.rows.filter { $0.role == .moderator || speakers.contains($0.nick) }
  }

  private func group(_ members: [RoomMemberRow], _ title: String) -> [Line] {
    members.isEmpty ? [] : [.heading("\(title) \(members.count)")] + members.map(Line.member)
  }

  func draw(_ line: Line) -> StyledLine {
    switch line {
    case .heading(let words): return LineBuilder.one(" " + words, .faint, context)
    case .member(let member):
      var line = LineBuilder(context)
      line.add(.faint, " " + (member.sign.isEmpty ? " " : member.sign))
      let isDoubtful = Scripts.areMixed(member.nick)
      let style = isDoubtful ? context.scheme[.doubt] : NameColour.name(member.colourName, in: context.scheme)
      line.add(member.nick, member.isAway ? context.scheme[.faint] : style, limit: line.room - (isDoubtful ? 2 : 0))
      if isDoubtful { line.add(.doubt, " ?") }
      return line.line
    }
  }
}

extension RoomMemberRow {
  /// The text that the colour of the nick is made of.
  var colourName: String { jid ?? nick }
}

extension FrameBuilder {
  private var memberPane: MemberPane? {
    app.screen.membersOf.map {
      MemberPane(model: app.model, key: $0, context: app.appearance.layout(width: panes.members.count))
    }
  }

  func drawMembers(on frame: inout Frame) {
    guard let pane = memberPane else { return }
    let column = panes.members.lowerBound
    if surface.headerLines > 0 {
      frame.draw(bar(pane.title, hasKeys: false, pane.context), column: column, line: 0)
    }
    let room = surface.paneLines - surface.headerLines
    for (offset, line) in pane.lines.dropFirst(app.screen.membersTop).prefix(room).enumerated() {
      frame.draw(pane.draw(line), column: column, line: surface.headerLines + offset)
    }
  }

  /// The occupant on a line of the screen.
  func nick(at line: Int) -> String? {
    let lines = memberPane?.lines ?? []
    let index = line - surface.headerLines + app.screen.membersTop
    guard line >= surface.headerLines, lines.indices.contains(index), case .member(let member) = lines[index] else {
      return nil
    }
    return member.nick
  }

  /// The first line that is shown after scrolling.
  func membersTop(scrolledBy lines: Int) -> Int {
    let most = (memberPane?.lines.count ?? 0) - (surface.paneLines - surface.headerLines)
    return max(0, min(app.screen.membersTop + lines, most))
  }
}
