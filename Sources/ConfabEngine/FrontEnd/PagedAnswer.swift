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
  enum Item {
    /// Of the answer's conversation: what its line needs beside its record.
    case message(Entry, Placement)
    case conversation(Conversation)
    /// What a search found; where it stands in its conversation is looked up when its piece is made.
    case hit(SearchHit)
  }

  /// Bytes of one piece, about.
  static let piece = 64 << 10
  /// Bytes that a line seldom goes beyond.
  private static let usualLine = 384

  private let request: Request
  private let items: [Item]
  private let conversation: Conversation?
  private let final: [UInt8]
  private var made = 0
  private(set) var isDone = false

  init(_ request: Request, _ items: [Item], of conversation: Conversation? = nil, final: [UInt8]) {
    (self.request, self.items, self.conversation, self.final) = (request, items, conversation, final)
  }

  /// Some of its lines have been written.
  var hasBegun: Bool { made > 0 }

  /// The next piece, no longer than there is room for, but for its last line.
  mutating func next(_ desk: Desk, room: Int) -> [UInt8] {
    var surroundings = conversation.map { desk.surroundings(account: $0.account, $0.jid) }
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(min(Self.piece, room, (items.count - made) * Self.usualLine + final.count))
    while made < items.count, writer.bytes.count < min(Self.piece, room) {
      write(items[made], &surroundings, desk, into: &writer)
      made += 1
    }
    isDone = made == items.count
    if isDone { writer.bytes += final }
    return writer.bytes
  }

  private func write(_ item: Item, _ surroundings: inout Surroundings?, _ desk: Desk, into writer: inout JSONWriter) {
    switch item {
    case .message(let entry, let placement):
      desk.turn.withMessage(at: entry.location) { message in
        surroundings?.turn(to: entry, isMine: message.mine, placement: placement)
        Answer.data("message", request.tag, into: &writer) { surroundings?.object.writeMembers(of: message, into: &$0) }
      }
    case .conversation(let conversation): Lines.write(conversation, request, desk, into: &writer)
    case .hit(let hit): write(hit, desk, into: &writer)
    }
  }

  private func write(_ hit: SearchHit, _ desk: Desk, into writer: inout JSONWriter) {
    guard let message = desk.turn.message(at: hit.location),
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
