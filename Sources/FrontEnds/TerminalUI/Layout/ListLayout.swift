package import Clocks
package import ConfabClient
package import Screen

/// Rows of the lists: pure functions of values, like the messages.
package enum ListLayout {
  /// A row of the list of conversations: presence, name, marks, counts and time; below, or behind it, the draft or the last
  /// message.
  /// - Parameters:
  ///   - presence: nil for one who is no contact.
  ///   - room: nil of a conversation that is none.
  ///   - lastDate: of the last message, where the user is.
  package static func conversation(
    _ row: ConversationRow, presence: ContactRow.Availability?, room: RoomRow? = nil, lastDate: CivilDate?,
    today: CivilDate,
    _ flags: ListFlags, in context: LayoutContext
  ) -> [StyledLine] {
    var first = ListLine(flags, in: context)
    if let room { addState(room, to: &first) } else { addPresence(presence, to: &first, context) }
    let isMuted = row.notify == .never
    first.add(isMuted ? .muted : row.unread > 0 ? .unread : .text, row.title, limit: titleLimit(flags, context))
    if flags.showsAddress { first.add(.doubt, " <\(row.key.jid)>") }
    if flags.showsAccount, !row.key.account.isEmpty { first.add(.faint, " \(row.key.account)") }
    if !flags.hasTwoLines { addPreview(row, room, flags, to: &first, context, lead: "  ") }
    let lines = [first.line(right: marks(row, lastDate: lastDate, today: today, context))]
    guard flags.hasTwoLines else { return lines }
    var second = ListLine(flags, isFirst: false, in: context)
    if let number = flags.number, number < 10 { second.add(.faint, "\(number)") }
    second.indent(to: 3)
    addPreview(row, room, flags, to: &second, context, lead: "")
    return lines + [second.line(right: [])]
  }

  /// Something that waits for an answer: `Invitation  Team`, and below what it is about.
  package static func waiting(
    _ kind: String, _ who: String, _ words: String, _ flags: ListFlags, in context: LayoutContext
  ) -> [StyledLine] {
    var first = ListLine(flags, in: context)
    first.add(.unread, "? \(kind)  ")
    first.add(.text, who)
    return [first.line(), below(words, flags, context)]
  }

  /// A heading within the list.
  package static func heading(
    _ title: String, _ words: String, _ flags: ListFlags, in context: LayoutContext
  ) -> [StyledLine] {
    var first = ListLine(flags, in: context)
    first.add(.heading, "# " + title)
    return [first.line(), below(words, flags, context)]
  }

  private static func below(_ words: String, _ flags: ListFlags, _ context: LayoutContext) -> StyledLine {
    var line = ListLine(flags, isFirst: false, in: context)
    line.indent(to: 3)
    line.add(.faint, words)
    return line.line()
  }

  /// In place of a presence; bright while I am there.
  private static func addState(_ room: RoomRow, to line: inout ListLine) {
    line.add(room.state == .joined ? .available : .offline, "# ")
  }

  /// The heading above the strangers: how many they are, and how much of theirs is unread.
  ///
  /// - Parameter hasMore: whether there are more than are counted.
  package static func strangers(
    _ strangers: (count: Int, unread: Int), hasMore: Bool, isUnfolded: Bool, _ flags: ListFlags,
    in context: LayoutContext
  ) -> [StyledLine] {
    let atLeast = hasMore ? "+" : ""
    var first = ListLine(flags, in: context)
    first.add(.text, (isUnfolded ? "- " : "+ ") + "People you do not know")
    let unread = strangers.unread > 0 ? "\(strangers.unread)\(atLeast)" : ""
    var second = ListLine(flags, isFirst: false, in: context)
    second.indent(to: 3)
    let people = "\(strangers.count)\(atLeast) conversation\(strangers.count == 1 ? "" : "s")"
    second.add(.faint, people + (unread.isEmpty ? "" : ", \(unread) unread"))
    return [first.line(right: [(.unread, unread)]), second.line()]
  }

  /// A mark and a space; two spaces if there is nothing to say.
  private static func addPresence(
    _ presence: ContactRow.Availability?, to line: inout ListLine, _ context: LayoutContext
  ) {
    guard let presence else { return line.add(.text, "  ") }
    line.add(presence.part, presence.symbol(context.symbols))
    line.add(.text, " ")
  }

  /// On one line the name has a column of its own.
  private static func titleLimit(_ flags: ListFlags, _ context: LayoutContext) -> Int {
    flags.hasTwoLines ? .max : max(12, context.width / 3)
  }

  /// In the order of how much they matter: what is left out first is last.
  private static func marks(
    _ row: ConversationRow, lastDate: CivilDate?, today: CivilDate, _ context: LayoutContext
  ) -> [(part: ColourPart, text: String)] {
    [
      (.unread, row.mentions > 0 ? "@\(row.mentions)" : ""),
      (row.notify == .never ? .muted : .unread, row.unread > 0 ? unread(row.unread, context) : ""),
      (.muted, row.notify == .never ? "muted" : ""),
      (.faint, row.isArchived ? "archived" : ""),
      (.faint, row.isPinned ? context.symbols.pinned : ""),
      (.time, lastDate.map { context.words.short($0, today: today) } ?? ""),
    ]
  }

  /// `3`, with the word where there is room for it.
  private static func unread(_ count: Int, _ context: LayoutContext) -> String {
    context.width < 60 ? "\(count)" : "\(count) unread"
  }

  private static func addPreview(
    _ row: ConversationRow, _ room: RoomRow?, _ flags: ListFlags, to line: inout ListLine, _ context: LayoutContext,
    lead: String
  ) {
    if flags.isTyping {
      line.add(.typing, lead + "\(flags.typists) typing \(context.symbols.waiting)")
    } else if let room, room.state != .joined {
      line.add(.failed, lead + room.stateWords)
    } else if !row.draft.isEmpty {
      line.add(.draft, lead + "Draft: ")
      line.add(.text, row.draft)
    } else if let last = row.last {
      let speaker = room == nil || last.isEvent ? "" : "\(last.nick ?? ""): "
      line.add(.faint, lead + (last.isMine ? "You: " : speaker))
      if last.delivery == .failed { line.add(.failed, context.symbols.failed + " ") }
      line.add(.faint, last.preview)
    }
  }
}

extension ConversationRow {
  /// The contact's name, or the address.
  var title: String { name.isEmpty ? key.title : name }
}

extension ContactRow.Availability {
  var part: ColourPart {
    switch self {
    case .available, .chatty: .available
    case .away, .extendedAway: .away
    case .busy: .busy
    case .offline, .blocked: .offline
    }
  }

  func symbol(_ symbols: Symbols) -> String {
    switch self {
    case .available, .chatty: symbols.available
    case .away, .extendedAway: symbols.away
    case .busy: symbols.busy
    case .offline: symbols.offline
    case .blocked: symbols.blocked
    }
  }
}
