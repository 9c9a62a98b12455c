import Clocks
import ConfabClient
import Screen

/// The lines of an open conversation: each message with what is above it, and a tail that is no message. Messages are laid
/// out once for a width.
final class Transcript {
  private var cache = LayoutCache()
  /// The inputs of the present lines.
  private var scene: Scene? { didSet { shown = [:] } }
  /// The lines of its items that were asked for, by index.
  private var shown: [Int: [StyledLine]] = [:]

  /// Everything that the lines depend on.
  struct Scene {
    var window: RowWindow
    var unreadFrom: UInt64?
    var unreadCount: Int
    /// The last message of mine in a small room that others have displayed.
    var readByOthers: UInt64?
    var selected: UInt64?
    var unfolded: Set<UInt64>
    var hits: [UInt64: [Range<Int>]]
    /// Files that are on their way, or were not got or sent, by their indices.
    var fileStates: (MessageRow) -> [Int: FileState]
    /// Pictures that are drawn for the width.
    var pictures: (MessageRow) -> [DrawnPicture]
    /// The avatar of the other side.
    var avatar: DrawnPicture?
    /// The lines behind the stored messages: people who are typing, messages not stored yet.
    var tail: [StyledLine]
    var copyView: CopyView?
    var context: LayoutContext
    var date: (Timestamp) -> CivilDate
    var now: Timestamp
    /// True if another person has the sender's name: the address then follows it.
    var isImitated: (MessageRow) -> Bool
    /// The text that the colour of a sender's name is made of.
    var colourName: (MessageRow) -> String?
    /// The JID or the id behind a nick of several scripts; nil: the nick is in no doubt.
    var doubtfulNick: (MessageRow) -> String?
    /// How the owner of an address is called.
    var name: (_ jid: String, _ account: String) -> String
  }

  func show(_ scene: Scene) { self.scene = scene }

  /// Messages laid out so far; for tests.
  var layoutCount: Int { cache.missCount }

  /// Items: messages, then the tail if there is one.
  var count: Int { scene.map { $0.window.rows.count + ($0.tail.isEmpty ? 0 : 1) } ?? 0 }

  func height(of index: Int) -> Int { lines(of: index).count }

  /// Several comings and goings one behind the other are one line, that of the first; the others have none.
  func lines(of index: Int) -> [StyledLine] {
    if let lines = shown[index] { return lines }
    let lines = scene.map { makeLines(of: index, $0) } ?? []
    shown[index] = lines
    return lines
  }

  private func makeLines(of index: Int, _ scene: Scene) -> [StyledLine] {
    guard index < scene.window.rows.count else { return scene.tail }
    let above = above(index, scene)
    if above.isEmpty, index > 0, scene.window.rows[index].isEvent, scene.window.rows[index - 1].isEvent { return [] }
    let previous = index > 0 && above.isEmpty ? scene.window.rows[index - 1] : nil
    return above + message(scene.window.rows[index], below: previous, scene)
  }

  /// Index of the last message of which a line is shown, not only what is above it; nil: of none.
  ///
  /// - Parameter height: lines of the pane.
  func lastShown(_ visible: VisibleRows, height: Int) -> Int? {
    guard let scene else { return nil }
    var line = visible.padding - visible.line
    var last: Int?
    for index in visible.range.clamped(to: 0..<scene.window.rows.count) {
      if line + above(index, scene).count < height { last = index }
      line += self.height(of: index)
    }
    return last
  }

  func hasHits(_ id: UInt64) -> Bool { scene?.hits[id]?.isEmpty == false }

  /// The first line of a message that shows what a search found in it; nil if it is folded away.
  func firstHitLine(of index: Int) -> Int? {
    guard let scene, scene.window.rows.indices.contains(index) else { return nil }
    let marked = lines(of: index)
    defer { self.scene = scene }
    self.scene?.hits = [:]
    let plain = lines(of: index)
    return marked.indices.first { !plain.indices.contains($0) || plain[$0] != marked[$0] }
  }

  /// The link, mention or topic at a position of a message's lines; nil if none does.
  ///
  /// A target is where the lines change once it is marked, so wrapping and the order of letters need no thought: half of
  /// the targets are marked at a time.
  func target(at line: Int, column: Int, of index: Int, in key: ConversationKey) -> TextTarget? {
    guard let scene, scene.window.rows.indices.contains(index) else { return nil }
    let row = scene.window.rows[index]
    defer { self.scene = scene }
    func cell(marking targets: ArraySlice<TextTarget>) -> Cell? {
      self.scene?.hits = [row.id: targets.map(\.range)]
      let lines = lines(of: index)
      return lines.indices.contains(line) && lines[line].cells.indices.contains(column)
        ? lines[line].cells[column] : nil
    }
    let unmarked = cell(marking: [])
    var targets = row.targets(in: key)[...]
    guard cell(marking: targets) != unmarked else { return nil }
    while targets.count > 1 {
      let half = targets.prefix(targets.count / 2)
      targets = cell(marking: half) != unmarked ? half : targets.dropFirst(half.count)
    }
    return targets.first
  }

  /// The heading of a section, the day where it changes within one, the unread line.
  fileprivate func above(_ index: Int, _ scene: Scene) -> [StyledLine] {
    let row = scene.window.rows[index]
    let previous = index > 0 ? scene.window.rows[index - 1] : nil
    let today = scene.date(scene.now)
    let date = scene.date(row.time)
    var lines: [StyledLine] = []
    if row.opensSection {
      lines.append(RuleLines.heading(date, today: today, in: scene.context))
    } else if let previous, !date.isSameDay(scene.date(previous.time)) {
      lines.append(RuleLines.day(date, today: today, in: scene.context))
    }
    if row.id == scene.unreadFrom { lines.append(RuleLines.unread(scene.unreadCount, in: scene.context)) }
    // A bubble does not touch the line below it.
    if !lines.isEmpty, index > 0, !scene.context.isCompact { lines.insert(StyledLine(), at: 0) }
    return lines
  }

  private func message(_ row: MessageRow, below previous: MessageRow?, _ scene: Scene) -> [StyledLine] {
    var row = row
    if row.isEvent { row.text = events(from: row, scene) }
    var flags = MessageFlags(row, below: previous, now: scene.now.milliseconds / 1000)
    flags.colourName = flags.showsName ? scene.colourName(row) : nil
    if row.id == scene.readByOthers { flags.readers = row.readers }
    flags.isSelected = row.id == scene.selected
    flags.isUnfolded = scene.unfolded.contains(row.id)
    flags.showsAddress = !row.isMine && (row.nameDoubt != nil || scene.isImitated(row))
    if flags.showsName, let address = scene.doubtfulNick(row) { (flags.showsAddress, flags.address) = (true, address) }
    flags.answeredName = row.details.reply.map { scene.name($0.from, row.account) }
    row.hits = scene.hits[row.id] ?? []
    (flags.fileStates, flags.pictures) = (scene.fileStates(row), scene.pictures(row))
    if flags.showsName, !row.isMine { flags.avatar = scene.avatar }
    if let copyView = scene.copyView {
      (row.text, row.hits, row.details.spans, flags.pictures) = (copyView.text(of: row), [], [], [])
    }
    return cache.lines(of: row, flags, date: scene.date(row.time), in: scene.context, dates: scene.date)
  }
}

extension Transcript {
  private static let shownEvents = 6

  /// The words for an event and for those that follow without a line between them.
  private func events(from row: MessageRow, _ scene: Scene) -> String {
    guard let first = scene.window.index(of: row.id) else { return row.text }
    let rows = scene.window.rows
    let next = rows.indices.dropFirst(first + 1).prefix { rows[$0].isEvent && above($0, scene).isEmpty }
    let texts = ([row] + next.map { rows[$0] }).map(\.text)
    let more = texts.count - Self.shownEvents
    return texts.prefix(Self.shownEvents).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension CivilDate {
  func isSameDay(_ other: CivilDate) -> Bool { (year, month, day) == (other.year, other.month, other.day) }
}
