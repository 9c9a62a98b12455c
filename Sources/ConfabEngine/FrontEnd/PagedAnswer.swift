import Conversations
import Facts
import JSON
import LineProtocol
import MessageLog
import Records
import Search

/// An answer of many messages, made in pieces of bounded size as its client reads them. What it shows is fixed when it
/// is asked; each message is read from the log when its piece is made.
struct PagedAnswer {
  /// The lines to come.
  enum Items {
    /// Messages of one conversation, and what their lines need beside their records.
    case messages([(entry: Entry, placement: Placement)], of: Conversation)
    case conversations([Conversation])
    /// What a search found; where it stands in its conversation is looked up when its piece is made.
    case hits([SearchHit])

    var count: Int {
      switch self {
      case .messages(let messages, _): messages.count
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
  private let items: Items
  private let final: [UInt8]
  private var made = 0
  private(set) var isDone = false

  init(_ request: Request, _ items: Items, final: [UInt8]) {
    (self.request, self.items, self.final) = (request, items, final)
  }

  /// Some of its lines have been written.
  var hasBegun: Bool { made > 0 }

  /// The next piece, no longer than there is room for, but for its last line.
  mutating func next(_ desk: Desk, room: Int) -> [UInt8] {
    let (count, most, request) = (items.count, min(Self.piece, room), request)
    var writer = JSONWriter(capacity: min(most, (count - made) * Self.usualLine) + final.count)
    switch items {
    case .messages(let messages, let conversation): write(messages, of: conversation, desk, most, into: &writer)
    case .conversations(let conversations):
      write(conversations, most, into: &writer) { Lines.write($0, request, desk, into: &$1) }
    case .hits(let hits): write(hits, most, into: &writer) { Self.write($0, request, desk, into: &$1) }
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

  private mutating func write(
    _ messages: [(entry: Entry, placement: Placement)], of conversation: Conversation, _ desk: Desk, _ most: Int,
    into writer: inout JSONWriter
  ) {
    var surroundings = desk.surroundings(account: conversation.account, conversation.jid)
    let index = desk.turn.ledger.index
    var stretch = Stretch(end: 0, last: 0)
    while made < messages.count, writer.count < most {
      if made >= stretch.end { stretch = Self.stretch(of: messages, from: made) }
      let (entry, placement) = messages[made]
      // A quarter more, for who reads on.
      let ahead = Int(stretch.last - entry.location) / 4 * 5 + LogReader.usualRecord
      desk.turn.withMessage(entry.id, at: entry.location, ahead: ahead, in: index) { message in
        Answer.beginData("message", into: &writer)
        surroundings.write(entry, message, placement, into: &writer)
        Answer.endData(request.tag, into: &writer)
      }
      made += 1
    }
  }

  /// Messages whose records stand so close behind each other that they are read at once.
  private struct Stretch {
    /// Behind the last one.
    var end: Int
    /// Where the last one's record is.
    var last: UInt64
  }

  private static func stretch(of messages: [(entry: Entry, placement: Placement)], from first: Int) -> Stretch {
    var stretch = Stretch(end: first + 1, last: messages[first].entry.location)
    for message in messages[(first + 1)...] {
      let place = message.entry.location
      guard place > stretch.last, place - stretch.last <= Self.closeBy else { break }
      stretch = Stretch(end: stretch.end + 1, last: place)
    }
    return stretch
  }

  /// Bytes that are rather read in vain than left out.
  private static let closeBy: UInt64 = 4096

  private static func write(_ hit: SearchHit, _ request: Request, _ desk: Desk, into writer: inout JSONWriter) {
    guard let message = desk.turn.message(hit.key.id, at: hit.location),
      let timeline = desk.facts.existingConversation(hit.account, message.jid)?.timeline,
      let row = timeline.row(ofTime: hit.key.time, id: hit.key.id)
    else { return }
    let object = desk.surroundings(account: message.account, message.jid)
      .object(timeline[row], isMine: message.mine, placement: timeline.placements(of: row..<row + 1).first)
    Answer.data("message", request.tag, into: &writer) {
      object.writeMembers(of: message, into: &$0)
      Lines.write(hit.ranges, into: &$0)
    }
  }
}
