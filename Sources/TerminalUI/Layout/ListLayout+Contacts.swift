package import Screen

extension ListLayout {
  /// A row of the list of contacts: presence, name, and the status in words.
  package static func contact(_ row: ContactRow, _ flags: ListFlags, in context: LayoutContext) -> [StyledLine] {
    if row.isRequest { return request(row, flags, in: context) }
    var line = ListLine(flags, in: context)
    addPresence(row.availability, to: &line, context)
    line.add(row.availability == .offline ? .muted : .text, row.title, limit: max(12, context.width / 2))
    if flags.showsAddress, !row.name.isEmpty { line.add(.doubt, " <\(row.key.jid)>") }
    if flags.showsAccount, !row.key.account.isEmpty { line.add(.faint, " \(row.key.account)") }
    line.add(row.availability.part, "  " + row.availability.words)
    if !row.status.isEmpty { line.add(.faint, ": " + row.status) }
    return [line.line(right: [(.faint, row.subscriptionWords)])]
  }

  /// Somebody who asks to see my presence.
  private static func request(_ row: ContactRow, _ flags: ListFlags, in context: LayoutContext) -> [StyledLine] {
    var line = ListLine(flags, in: context)
    line.add(.request, "? " + row.key.jid)
    if flags.showsAccount, !row.key.account.isEmpty { line.add(.faint, " \(row.key.account)") }
    line.add(.text, " asks to see your presence")
    return [line.line()]
  }

  /// The name of a group with how many of it are online; `▾` above its contacts, `▸` if they are hidden.
  package static func group(
    _ name: String, onlineCount: Int, count: Int, isOpen: Bool, _ flags: ListFlags = ListFlags(),
    in context: LayoutContext
  ) -> StyledLine {
    var line = ListLine(flags, in: context)
    line.add(
      .group, (isOpen ? context.symbols.opened : context.symbols.closed) + " " + (name.isEmpty ? "No group" : name))
    return line.line(right: [(.faint, "\(onlineCount)/\(count)")])
  }

  /// A line of headings in lists that has nothing to open: `Pinned`, `Requests`.
  package static func title(_ words: String, in context: LayoutContext) -> StyledLine {
    var line = LineBuilder(context)
    line.add(.group, " " + words)
    line.fill(to: context.width)
    return line.line
  }
}

extension ContactRow {
  /// The contact's name, or the address.
  var title: String { name.isEmpty ? key.jid : name }

  /// What the resource that is most available says.
  var status: String {
    presence.sorted { $0.key < $1.key }.map(\.value).first { $0.availability == availability && !$0.status.isEmpty }?
      .status
      ?? ""
  }

  /// What of the subscription is missing; empty if nothing is.
  var subscriptionWords: String {
    switch subscription {
    case "both": ""
    case "from": asks ? "asked" : "sees you"
    case "to": "does not see you"
    default: asks ? "asked" : "no subscription"
    }
  }
}
