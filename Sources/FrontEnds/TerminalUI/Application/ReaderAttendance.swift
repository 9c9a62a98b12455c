import Clocks
import ConfabClient
import LineProtocol

/// Tells the daemon which conversation somebody looks at, and what was read: only what was on the screen while somebody was
/// there.
struct ReaderAttendance: Equatable {
  /// A conversation that is on the screen while somebody is there.
  struct Seen {
    let key: ConversationKey
    /// The message that arrived last of those on the screen, by its id; nil: there is none that could be unread.
    let last: UInt64?
    let row: ConversationRow?
  }

  /// The message that the daemon was told of last, and when it is told again: each time costs it a record.
  private struct Read: Equatable {
    let id: UInt64
    let due: Instant
  }

  var person = Person()
  private var focused: ConversationKey?
  private var read: [ConversationKey: Read] = [:]

  private static let readPause = Interval.seconds(1)

  /// When more may be told of what was read; nil: nothing waits.
  func readDue(after now: Instant) -> Instant? { read.values.map(\.due).filter { $0 > now }.min() }

  /// Another daemon, or another connection: it knows nothing of us.
  mutating func reset() {
    focused = nil
    read = [:]
  }

  /// Returns the requests that tell the daemon about the reader's attention.
  ///
  /// - Parameter key: the conversation in focus; nil: none.
  mutating func update(_ key: ConversationKey?, seen: [Seen], at now: Instant) -> [Request] {
    var requests: [Request] = []
    if key != focused {
      focused = key
      requests.append(Self.focus(key))
    }
    return requests + seen.compactMap { reading($0, at: now) }
  }

  private mutating func reading(_ seen: Seen, at now: Instant) -> Request? {
    guard let id = seen.last, let row = seen.row, row.unread > 0, id > row.read else { return nil }
    if let last = read[seen.key], last.id == id || last.due > now { return nil }
    read[seen.key] = Read(id: id, due: now.advanced(by: Self.readPause))
    var request = Request(.read, arguments: [.jid: .string(seen.key.jid), .id: .id(id)])
    request.account = seen.key.accountName
    return request
  }

  private static func focus(_ key: ConversationKey?) -> Request {
    var request = Request(.focus)
    if let key {
      request.arguments[.jid] = .string(key.jid)
      request.account = key.accountName
    }
    return request
  }
}

extension ArraySlice<MessageRow> {
  /// The largest id of those that can be unread.
  var lastArrived: UInt64? { lazy.filter { !$0.isHistory }.map(\.id).max() }
}
