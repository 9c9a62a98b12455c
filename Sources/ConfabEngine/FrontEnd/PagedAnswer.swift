import Conversations
import Facts
import JSON
import LineProtocol

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
  private let final: [UInt8]
  private var made = 0
  private(set) var isDone = false

  init(_ request: Request, _ items: [Item], final: [UInt8]) {
    self.request = request
    self.items = items
    self.final = final
  }

  /// Some of its lines have been written.
  var hasBegun: Bool { made > 0 }

  /// The next piece, no longer than there is room for, but for its last line.
  mutating func next(_ desk: Desk, room: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while made < items.count, bytes.count < min(Self.piece, room) {
      bytes += line(items[made], desk)
      made += 1
    }
    guard made == items.count else { return bytes }
    isDone = true
    return bytes + final
  }

  private func line(_ item: Item, _ desk: Desk) -> [UInt8] {
    if let conversation = item.conversation { return Lines.conversation(conversation, request, desk) }
    guard let message = desk.turn.message(at: item.entry.location) else { return [] }
    return Lines.data("message", request) {
      desk.object(message, item.entry, placement: item.placement).writeMembers(into: &$0)
    }
  }
}
