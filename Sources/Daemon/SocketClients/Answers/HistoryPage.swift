import ConfabAccounts
import Timelines
import State
import JSON
import LineProtocol
import MessageLog

/// A page of `history`. Its messages are read once, when it is written; if one cannot be read, the page is made anew of
/// readable ones. The neighbours on both sides are read too, to tell if there are more. Messages behind the first piece
/// are checked first only as far as there is reason to.
struct HistoryPage {
  /// How it was asked for.
  struct Query {
    let position: PagePosition
    let request: Request
    /// The `seq` of the answer: the last event that the page includes.
    let seq: UInt64
    /// An archive may have messages from before the first one that is here.
    var mayHaveOlder = false

    var limit: Int { request.integer(.limit) ?? 50 }
  }

  /// A message of the page, or a neighbour.
  typealias Item = (entry: Entry, placement: Placement)

  /// Bytes that are rather read in vain than left out.
  static let closeBy = 4096

  var conversation: Conversation
  private let query: Query
  /// Messages of the conversation.
  private let total: Int
  private var items: [Item]
  /// The range of the items that are shown.
  private var shown: Range<Int>
  private var page: Page
  /// It is known what of it can be read.
  private var isCertain = false

  init(of conversation: Conversation, _ query: Query) {
    (self.conversation, self.query) = (conversation, query)
    let timeline = conversation.timeline
    total = timeline.count
    page = timeline.page(
      query.position, limit: query.limit, since: query.request.time(.since), until: query.request.time(.untilTime))
    let before = page.moreBefore ? 1 : 0
    let rows = page.rows.lowerBound - before..<page.rows.upperBound + (page.moreAfter ? 1 : 0)
    items = timeline.placed(rows, gap: query.request.duration(.gap))
    shown = before..<before + page.rows.count
    if items.contains(where: { isHidden($0.entry) }) { choose() }
  }

  /// True if a message is left out: its sender was ignored.
  private func isHidden(_ entry: Entry) -> Bool { entry.flags.contains(.ignored) && !query.request.isSet(.ignored) }

  /// True if it goes back, and reaches the first message that is here.
  var showsBeginning: Bool {
    switch query.position {
    case .newest, .before, .around: page.rows.lowerBound == 0
    case .after, .row: false
    }
  }

  /// How many items are to be read.
  var count: Int { items.count }

  /// Writes from an item on until there are so many bytes; behind the last one the answer's final line.
  mutating func write(from made: inout Int, _ context: RequestContext, _ most: Int, into writer: inout JSONWriter) {
    let isFirst = made == 0
    let isWhole = writeLines(from: &made, showing: shown, context, most, into: &writer)
    if isFirst, !isCertain {
      if !isWhole || made < count && !isThere(from: made, context) {
        choose(readableIn: context)
        made = 0
        writer = JSONWriter()
        _ = writeLines(from: &made, showing: shown, context, most, into: &writer)
      }
      isCertain = true
    }
    if made == count { writeFinal(into: &writer) }
  }

  /// True if the items behind the first piece can be read. If no message was missed so far, one message of each further
  /// segment is checked, and the neighbour.
  private func isThere(from made: Int, _ context: RequestContext) -> Bool {
    if context.mayMissMessages {
      var rest = made
      var nothing = JSONWriter()
      return writeLines(from: &rest, showing: 0..<0, context, .max, into: &nothing)
    }
    var segment = items[..<made].last.map { LogLocation(packed: $0.entry.location).ordinal }
    for (index, item) in items.enumerated().dropFirst(made) {
      let other = LogLocation(packed: item.entry.location).ordinal
      guard other != segment || !shown.contains(index) else { continue }
      segment = other
      if !context.records.withMessage(item.entry, { _ in }) { return false }
    }
    return true
  }

  /// False where something could not be read.
  private func writeLines(
    from made: inout Int, showing shown: Range<Int>, _ context: RequestContext, _ most: Int,
    into writer: inout JSONWriter
  ) -> Bool {
    var surroundings = context.surroundings(account: conversation.account, conversation.jid)
    let (index, tag) = (context.storage.queue.index, query.request.tag)
    var readAhead = ReadAhead(end: 0, last: 0)
    var isWhole = true
    while made < count, writer.count < most {
      if made >= readAhead.end { readAhead = self.readAhead(from: made) }
      let (entry, placement) = items[made]
      let isShown = shown.contains(made)
      // A quarter more, for who reads on.
      let ahead = Int(readAhead.last - entry.location) / 4 * 5 + LogReader.usualRecord
      let isRead = context.records.withMessage(entry, ahead: ahead, in: index) { message in
        guard isShown else { return }
        Answer.beginData("message", into: &writer)
        surroundings.write(entry, message, placement, into: &writer)
        Answer.endData(tag, into: &writer)
      }
      isWhole = isWhole && isRead
      made += 1
    }
    return isWhole
  }

  /// Messages whose records stand so close behind each other that they are read at once.
  private struct ReadAhead {
    /// Behind the last one.
    var end: Int
    /// The packed location of the last record.
    var last: UInt64
  }

  private func readAhead(from first: Int) -> ReadAhead {
    var readAhead = ReadAhead(end: first + 1, last: items[first].entry.location)
    for item in items[(first + 1)...] {
      let place = item.entry.location
      guard place > readAhead.last, place - readAhead.last <= UInt64(Self.closeBy) else { break }
      readAhead = ReadAhead(end: readAhead.end + 1, last: place)
    }
    return readAhead
  }

  private func writeFinal(into writer: inout JSONWriter) {
    Answer.ok(query.request.tag, into: &writer) {
      $0.member("count", total)
      $0.member("first_row", page.rows.lowerBound)
      $0.member("more_before", page.moreBefore || showsBeginning && query.mayHaveOlder)
      $0.member("more_after", page.moreAfter)
      $0.member("seq", query.seq)
    }
  }

  /// Makes the page anew, of messages that are not left out.
  ///
  /// - Parameter context: if those that cannot be read are left out, too.
  private mutating func choose(readableIn context: RequestContext? = nil) {
    let (timeline, request) = (conversation.timeline, query.request)
    let filling = timeline.filling(
      query.position, limit: query.limit, since: request.time(.since), until: request.time(.untilTime))
    let (own, all) = (filling.own.clamped(to: filling.shown), filling.shown)
    let hidesIgnored = !request.isSet(.ignored)
    func rows(_ holds: (Entry) -> Bool) -> (before: [Int], inside: [Int], after: [Int]) {
      func find(_ rows: Range<Int>, _ most: Int, backwards: Bool = false) -> [Int] {
        timeline.rows(in: rows, most: most, backwards: backwards) {
          !(hidesIgnored && $0.flags.contains(.ignored)) && holds($0)
        }
      }
      return (
        find(all.lowerBound..<own.lowerBound, filling.before + 1, backwards: true), find(own, own.count),
        find(own.upperBound..<all.upperBound, filling.after + 1)
      )
    }
    let (before, inside, after) = context?.records.findingReadable { rows($0) } ?? rows { _ in true }
    let rows = before.suffix(filling.before) + inside + after.prefix(filling.after)
    items = rows.flatMap { timeline.placed($0..<$0 + 1, gap: request.duration(.gap)) }
    shown = items.indices
    page.rows = (rows.first ?? own.lowerBound)..<(rows.last.map { $0 + 1 } ?? own.lowerBound)
    (page.moreBefore, page.moreAfter) = (before.count > filling.before, after.count > filling.after)
  }
}
