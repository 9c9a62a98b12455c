import LineProtocol
import MessageLog

/// A client's watch: what it wants to hear, and how far it has heard.
struct Watch {
  /// The request's tag as it stands in a line: `,"tag":…`, or empty.
  let tag: [UInt8]
  let account: UInt32?
  let jid: String?
  let kinds: [EventKind]?
  /// Of the cursor by which it watches.
  var name: String?
  /// The record that has to be durable before it begins.
  let record: UInt64?
  /// Everything up to this number has been told.
  var told: UInt64
  /// Where reading goes on, while it reads from the disk.
  var cursor: LogCursor?
  /// `caught-up` comes once everything up to this number has been told; nil: it came.
  var catchingUpTo: UInt64?
  var late = LateNews()

  func wants(_ line: EventLine) -> Bool { wants(line.kind, line.account, line.jid) }

  func wants(_ notice: Notice) -> Bool { wants(notice.kind, notice.account, notice.jid) }

  private func wants(_ kind: EventKind, _ account: UInt32, _ jid: String?) -> Bool {
    if let only = self.account, only != account { return false }
    if let only = self.jid, only != jid { return false }
    return kinds?.contains(kind) ?? true
  }
}

/// Ephemeral news that a client has not been told yet, oldest first: only what it is about, for what is told is how
/// things stand then. Bounded, since strangers make news too.
struct LateNews {
  static let maximum = 10_000
  /// Of all who do not read together: each of them has its share of it. About 13 MiB.
  static let maximumOfAll = 100_000
  /// From here on, where sections changed is not said any more, only in which conversation.
  static let exact = 256

  /// A slice, because they go from the front.
  private var order: ArraySlice<Notice> = []
  private var known: Set<Notice> = []

  var isEmpty: Bool { order.isEmpty }
  var count: Int { order.count }

  mutating func add(_ notice: Notice) {
    let notice = order.count < Self.exact ? notice : notice.coarse
    guard known.insert(notice).inserted else { return }
    order.append(notice)
    if order.count > Self.maximum { dropOldest() }
  }

  mutating func takeOldest() -> Notice? {
    guard let first = order.popFirst() else { return nil }
    known.remove(first)
    if order.isEmpty { self = LateNews() }
    return first
  }

  /// Forgets the oldest, where there are more.
  mutating func keep(newest count: Int) {
    guard order.count > count else { return }
    // A copy, or what is forgotten would still be held.
    order = ArraySlice(Array(order.suffix(count)))
    known = Set(order)
  }

  private mutating func dropOldest() { keep(newest: Self.maximum / 2) }
}

extension Notice {
  var kind: EventKind {
    switch self {
    case .connection: .connection
    case .presence: .presence
    case .resection: .resection
    }
  }

  var account: UInt32 {
    switch self {
    case .connection(let account), .presence(let account, _), .resection(let account, _, _, _): account
    }
  }

  /// The contact or conversation; nil: the account as a whole.
  var jid: String? {
    switch self {
    case .connection: nil
    case .presence(_, let jid), .resection(_, let jid, _, _): jid
    }
  }

  /// The same without its details.
  fileprivate var coarse: Notice {
    if case .resection(let account, let jid, _, _) = self {
      .resection(account: account, jid: jid, from: nil, to: nil)
    } else {
      self
    }
  }
}
