import Conversations
import Facts
import JSON
import LineProtocol
import Records
import Search

/// An answer of many messages, made in pieces of bounded size as its client reads them. What it shows is fixed when it
/// is asked; each message is read from the log when its piece is made.
struct PagedAnswer {
  /// One line to come.
  struct Item {
    /// Where the message's record stands, and what its line needs beside it.
    let entry: Entry
    let placement: Placement?
    let account: UInt32
    /// Wraps the message: a `conversation` line instead of a `message` line.
    let conversation: Conversation?
  }

  /// Bytes of one piece, about.
  static let piece = 64 << 10

  private let request: Request
  private let items: [Item]
  /// What a search found: instead of items.
  private let hits: [SearchHit]
  private let final: [UInt8]
  private var made = 0
  private(set) var isDone = false

  init(_ request: Request, _ items: [Item], final: [UInt8]) {
    self.request = request
    self.items = items
    hits = []
    self.final = final
  }

  /// What a search found; where each stands in its conversation is looked up when its piece is made.
  init(_ request: Request, found hits: [SearchHit], final: [UInt8]) {
    self.request = request
    items = []
    self.hits = hits
    self.final = final
  }

  /// Some of its lines have been written.
  var hasBegun: Bool { made > 0 }

  /// The next piece, no longer than there is room for, but for its last line.
  mutating func next(_ desk: Desk, room: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while made < items.count + hits.count, bytes.count < min(Self.piece, room) {
      bytes += made < items.count ? line(items[made], desk) : line(hits[made - items.count], desk)
      made += 1
    }
    guard made == items.count + hits.count else { return bytes }
    isDone = true
    return bytes + final
  }

  private func line(_ hit: SearchHit, _ desk: Desk) -> [UInt8] {
    guard let message = desk.turn.message(at: hit.location),
      let timeline = desk.facts.existingConversation(hit.account, message.jid)?.timeline,
      let row = timeline.row(ofTime: hit.key.time, id: hit.key.id)
    else { return [] }
    let placement = timeline.placements(of: row..<row + 1).first
    return Lines.data("message", request) {
      desk.object(message, timeline[row], placement: placement).writeMembers(into: &$0)
      Lines.write(hit.ranges, into: &$0)
    }
  }

  private func line(_ item: Item, _ desk: Desk) -> [UInt8] {
    if let conversation = item.conversation { return Lines.conversation(conversation, request, desk) }
    guard let message = desk.turn.message(at: item.entry.location) else { return [] }
    return Lines.data("message", request) {
      desk.object(message, item.entry, placement: item.placement).writeMembers(into: &$0)
    }
  }
}
