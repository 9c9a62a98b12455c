import Clocks
import LineProtocol

/// Tells the daemon which conversation somebody looks at, and what was read: only what stood on the screen while somebody was
/// there.
struct Attendance: Equatable {
  var person = Person()
  private var focused: ConversationKey?
  private var read: [ConversationKey: UInt64] = [:]
  /// When the daemon is told again what was read: each time costs it a record.
  private(set) var readDue: Instant?

  private static let readPause = Interval.seconds(1)

  /// Another daemon, or another connection: it knows nothing of us.
  mutating func reset() {
    focused = nil
    (read, readDue) = ([:], nil)
  }

  /// What is to be told.
  ///
  /// - Parameters:
  ///   - key: the conversation that is shown while somebody is there; nil: none.
  ///   - newest: the newest message of it that is on the screen.
  mutating func update(
    _ key: ConversationKey?, newest: MessageRow?, row: ConversationRow?, at now: Instant
  ) -> [Request] {
    var requests: [Request] = []
    if key != focused {
      focused = key
      requests.append(Self.focus(key))
    }
    guard let key, let newest, let row, row.unread > 0, read[key] != newest.id else { return requests }
    guard newest.id != row.read, readDue.map({ $0 <= now }) ?? true else { return requests }
    read[key] = newest.id
    readDue = now.advanced(by: Self.readPause)
    var request = Request(.read, arguments: [.jid: .string(key.jid), .id: .id(newest.id)])
    request.account = key.accountName
    return requests + [request]
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
