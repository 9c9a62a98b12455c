package import Clocks
package import ConfabClient
package import Screen

/// A message in lines: a bubble or compact lines, a pure function of values.
package enum MessageLayout {
  /// Lines of a text that are shown before it is unfolded, and after.
  package static let foldedLimit = 40
  package static let unfoldedLimit = 2000
  /// Columns of the pane from which on there are bubbles.
  package static let bubbleWidth = 40

  /// - Parameters:
  ///   - date: when it was written, where the user is.
  ///   - dates: the same of messages inside it.
  package static func layOut(
    _ message: MessageRow, _ flags: MessageFlags = MessageFlags(), date: CivilDate, in context: LayoutContext,
    dates: (Timestamp) -> CivilDate = { CivilDate($0, offsetSeconds: 0) }
  ) -> [StyledLine] {
    let inside = message.details.forwarded.flatMap { ForwardedText.all($0, beside: date, dates, context.words) }
    let parts = LayoutParts(message, flags, time: context.words.time(date), inside: inside, in: context)
    return context.isCompact || context.width < bubbleWidth ? parts.compactLines : parts.bubbleLines
  }
}

/// The parts that both layouts of a message share.
struct LayoutParts {
  let message: MessageRow
  let flags: MessageFlags
  let context: LayoutContext
  let time: String
  /// Messages inside it.
  let inside: [ForwardedText]
  let shown: RowText

  init(
    _ message: MessageRow, _ flags: MessageFlags, time: String, inside: [ForwardedText], in context: LayoutContext
  ) {
    self.message = message
    self.flags = flags
    self.context = context
    self.time = time
    self.inside = inside
    let opener = context.unfoldKey.isEmpty ? "" : "\(context.unfoldKey) opens"
    shown = RowText(message, name: Self.author(message), opener: flags.isUnfolded ? nil : opener)
  }

  /// The area that the text is on.
  var ground: ColourPart { flags.isSelected ? .selected : isLine ? .text : message.isMine ? .mine : .theirs }
  /// True if the message is a line that says who did something, without bubble and name.
  var isLine: Bool { message.isLine }
  var showsName: Bool { flags.showsName && !isLine }
  var limit: Int { flags.isUnfolded ? MessageLayout.unfoldedLimit : MessageLayout.foldedLimit }

  /// True if there is a text beside forwarded messages and files.
  private var hasText: Bool { !shown.text.isEmpty || (inside.isEmpty && message.details.attachments.isEmpty) }

  /// - Parameter indent: columns of the first line that are taken.
  func flow(_ width: Int, indent: Int = 0) -> TextFlow {
    var flow = TextFlow(
      shown.text, spans: shown.spans, width: width, firstIndent: indent, limit: limit, in: context)
    if !hasText { flow.lines = [] }
    return flow
  }

  /// How the sender is called: the contact's name, or the address, of which a part would be like a name.
  var name: String { message.isMine ? "me" : Self.author(message) }

  private static func author(_ message: MessageRow) -> String {
    let isInRoom = message.from.hasPrefix(message.conversation + "/") && message.nick != nil
    if message.isMine, !isInRoom { return String(message.from.prefix { $0 != "@" }) }
    if let nick = message.nick, !nick.isEmpty { return nick }
    return message.from.isEmpty ? message.conversation : String(message.bareSender)
  }

  /// The address of a sender whose name imitates another, in as many lines as it needs: its end matters most.
  func addressLines(_ width: Int) -> [TextFlow.Line] {
    flags.showsName && flags.showsAddress
      ? TextFlow("<\(flags.address ?? String(message.bareSender))>", width: width, limit: 6, in: context).lines : []
  }

  var mark: (text: String, part: ColourPart)? {
    message.details.retraction == nil ? MessageWords.mark(message, flags, context.symbols) : nil
  }

  /// Words for what is wrong with its encryption.
  var sealMark: String? { message.details.retraction == nil ? message.details.seal.mark : nil }

  var isEdited: Bool { message.details.edited != nil && message.details.retraction == nil }

  /// `… 960 more lines; Alt-O opens`; nil if all are there.
  ///
  /// - Parameter insideCount: lines of messages inside that are not shown.
  func moreLines(_ flow: TextFlow, _ insideCount: Int) -> String? {
    let count = flow.hiddenCount + insideCount
    guard count > 0 else { return nil }
    let about = flow.isEstimated ? "about " : ""
    let key = flags.isUnfolded || context.unfoldKey.isEmpty ? "" : "; \(context.unfoldKey) opens"
    return "\(context.symbols.more) \(about)\(count) more line\(count == 1 ? "" : "s")\(key)"
  }

  /// A line that begins with the mark of the selection, or of a message that names me.
  func startLine() -> LineBuilder {
    var line = LineBuilder(context)
    let mark = message.isMention ? context.symbols.mention : " "
    line.add(.unread, flags.isSelected ? context.symbols.selected : mark)
    return line
  }
}
