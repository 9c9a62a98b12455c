import ConfabAccounts
import Timelines
import State
import JSON
import LineProtocol
import MessageLog
import Records
import Search

/// An answer of many messages, made in pieces of bounded size as its client reads them. Its messages are fixed by the
/// request; each is read from the log when its piece is made.
struct PagedAnswer {
  /// The lines to come.
  enum Items {
    case history(HistoryPage)
    case conversations([Conversation])
    /// The results of a search; their rows are looked up when their piece is made.
    case hits([SearchHit])

    var count: Int {
      switch self {
      case .history(let page): page.count
      case .conversations(let conversations): conversations.count
      case .hits(let hits): hits.count
      }
    }
  }

  /// Bytes of one piece, about.
  static let piece = 64 << 10
  /// Bytes that a line seldom goes beyond.
  private static let usualLine = 384

  private let request: Request
  private var items: Items
  private let final: [UInt8]
  private var made = 0
  private(set) var isDone = false

  /// - Parameter final: the final line, unless the items have their own.
  init(_ request: Request, _ items: Items, final: [UInt8] = []) {
    (self.request, self.items, self.final) = (request, items, final)
  }

  /// Some of its lines have been written.
  var hasBegun: Bool { made > 0 }

  /// Another state is the one to read from; the lines stay the same.
  mutating func renew(_ context: RequestContext) {
    let renewed = { (old: Conversation) in context.state.existingConversation(old.account, old.jid) ?? old }
    switch items {
    case .history(var page):
      page.conversation = renewed(page.conversation)
      items = .history(page)
    case .conversations(let conversations): items = .conversations(conversations.map(renewed))
    case .hits: break
    }
  }

  /// The next piece, no longer than there is room for, but for its last line.
  mutating func next(_ context: RequestContext, space: Int) -> [UInt8] {
    let (count, most, request) = (items.count, min(Self.piece, space), request)
    var writer = JSONWriter(capacity: min(most, (count - made) * Self.usualLine) + final.count)
    switch items {
    case .history(var page):
      page.write(from: &made, context, most, into: &writer)
      items = .history(page)
      isDone = made == page.count
      return writer.bytes
    case .conversations(let conversations):
      write(conversations, most, into: &writer) { conversation, writer in
        Answer.data("conversation", request.tag, into: &writer) { context.write(conversation, into: &$0) }
      }
    case .hits(let hits): write(hits, most, into: &writer) { Self.write($0, request, context, into: &$1) }
    }
    isDone = made == count
    if isDone { writer.lines(final) }
    return writer.bytes
  }

  private mutating func write<Item>(
    _ items: [Item], _ most: Int, into writer: inout JSONWriter, _ write: (Item, inout JSONWriter) -> Void
  ) {
    while made < items.count, writer.count < most {
      write(items[made], &writer)
      made += 1
    }
  }

  private static func write(
    _ hit: SearchHit, _ request: Request, _ context: RequestContext, into writer: inout JSONWriter
  ) {
    guard let message = context.records.written(hit.number, at: hit.location),
      let timeline = context.state.existingConversation(hit.account, message.jid)?.timeline,
      let row = timeline.row(ofTime: hit.key.time, id: hit.key.id), timeline[row].location == hit.location
    else { return }
    let object = context.surroundings(account: message.account, message.jid)
      .object(at: row, in: timeline, of: message)
    Answer.data("message", request.tag, into: &writer) {
      object.writeMembers(of: message, into: &$0)
      write(hit.ranges, into: &$0)
    }
  }

  /// Writes the matches in a message's text.
  private static func write(_ ranges: [Range<Int>], into writer: inout JSONWriter) {
    writer.array("hits") { array in
      for range in ranges {
        array.beginArray()
        array.value(range.lowerBound)
        array.value(range.upperBound)
        array.endArray()
      }
    }
  }
}
