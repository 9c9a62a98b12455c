package import Clocks
package import Screen

/// A message in lines: a bubble or compact lines, a pure function of values.
package enum MessageLayout {
  /// Lines of a text that are shown before it is unfolded, and after.
  package static let foldedLimit = 40
  package static let unfoldedLimit = 2000
  /// Columns of the pane from which on there are bubbles.
  package static let bubbleWidth = 40

  /// - Parameter date: when it was written, where the user is.
  package static func layOut(
    _ message: MessageRow, _ flags: MessageFlags = MessageFlags(), date: CivilDate, in context: LayoutContext
  ) -> [StyledLine] {
    let parts = MessageParts(message, flags, date: date, in: context)
    return context.isCompact || context.width < bubbleWidth ? parts.compactLines : parts.bubbleLines
  }
}

/// What both ways to show a message have in common.
struct MessageParts {
  let message: MessageRow
  let flags: MessageFlags
  let context: LayoutContext
  let time: String

  init(_ message: MessageRow, _ flags: MessageFlags, date: CivilDate, in context: LayoutContext) {
    self.message = message
    self.flags = flags
    self.context = context
    time = context.words.time(date)
  }

  /// The area that the text stands on.
  var ground: ColourPart { flags.isSelected ? .selected : message.isMine ? .mine : .theirs }
  var limit: Int { flags.isUnfolded ? MessageLayout.unfoldedLimit : MessageLayout.foldedLimit }

  /// The subject on a line of its own, then the text.
  var text: String { subject.map { $0 + (message.text.isEmpty ? "" : "\n" + message.text) } ?? message.text }

  private var subject: String? {
    message.subject.flatMap { $0.isEmpty ? nil : String($0.map { $0.isNewline ? " " : $0 }) }
  }

  /// Subject, hits and links within `text`, in order; a hit within a link interrupts it.
  var spans: [TextSpan] {
    let lead = subject?.unicodeScalars.count ?? 0
    let offset = subject == nil ? 0 : lead + 1
    let hits = message.hits.sorted { $0.lowerBound < $1.lowerBound }
    var spans = lead > 0 ? [TextSpan(0..<lead, .subject)] : []
    var next = hits[...]
    for link in LinkFinder.links(in: message.text) {
      var start = link.lowerBound
      while let hit = next.first, hit.lowerBound < link.upperBound {
        if hit.lowerBound > start { spans.append(TextSpan(start + offset..<hit.lowerBound + offset, .link)) }
        spans.append(TextSpan(hit.lowerBound + offset..<hit.upperBound + offset, .hit))
        start = max(start, hit.upperBound)
        next.removeFirst()
      }
      if start < link.upperBound { spans.append(TextSpan(start + offset..<link.upperBound + offset, .link)) }
    }
    return spans + next.map { TextSpan($0.lowerBound + offset..<$0.upperBound + offset, .hit) }
  }

  /// How the sender is called: the contact's name, or the local part of the address.
  var name: String {
    if message.isMine { return "me" }
    if let nick = message.nick, !nick.isEmpty { return nick }
    let local = message.from.prefix { $0 != "@" && $0 != "/" }
    return local.isEmpty ? message.conversation : String(local)
  }

  /// The address of a sender whose name imitates another, in as many lines as it needs: its end matters most.
  func addressLines(_ width: Int) -> [TextFlow.Line] {
    flags.showsName && flags.showsAddress
      ? TextFlow("<\(message.bareSender)>", width: width, limit: 6, in: context).lines : []
  }

  var mark: (text: String, part: ColourPart)? { MessageWords.mark(message, flags, context.symbols) }

  /// `… 960 more lines; Alt-O opens`; nil if all are there.
  func moreLines(_ flow: TextFlow) -> String? {
    guard flow.hiddenCount > 0 else { return nil }
    let about = flow.isEstimated ? "about " : ""
    let key = flags.isUnfolded || context.unfoldKey.isEmpty ? "" : "; \(context.unfoldKey) opens"
    return "\(context.symbols.more) \(about)\(flow.hiddenCount) more line\(flow.hiddenCount == 1 ? "" : "s")\(key)"
  }

  /// A line that begins with the mark of the selection.
  func startLine() -> LineBuilder {
    var line = LineBuilder(context)
    line.add(.unread, flags.isSelected ? context.symbols.selected : " ")
    return line
  }
}
