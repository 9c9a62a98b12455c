import Clocks
import LineProtocol
import Records

/// How far a message of mine got, and what was wrong.
struct Standing {
  var state: DeliveryState
  var failure: Failure?
  var inDoubt = false
}

/// A request that waits for a message of mine to get somewhere.
struct Waiter {
  let client: ClientID
  let request: Request
  let id: UInt64
  let wanted: DeliveryState
  /// The answer says `repeated`.
  let isRepeat: Bool

  /// The answer, where there is one already.
  func answer(_ standing: Standing) -> [UInt8]? {
    switch standing.state {
    case .failed, .cancelled: Lines.unsuccessful(.failed, id, standing, request)
    case .queued, .sent, .delivered, .displayed:
      standing.state >= wanted ? Lines.stored(id, standing, request, isRepeat: isRepeat) : nil
    }
  }

  func timedOut(_ standing: Standing) -> [UInt8] { Lines.unsuccessful(.timeout, id, standing, request) }
}

/// `status for=online` that waits for it.
struct StatusWaiter {
  let client: ClientID
  let request: Request
}

/// All that waits out of the order of its connection, each with its deadline. What is taken comes in the order in which
/// it was added.
struct Waiters {
  enum Entry {
    case message(Waiter)
    case status(StatusWaiter)

    var client: ClientID {
      switch self {
      case .message(let waiter): waiter.client
      case .status(let waiter): waiter.client
      }
    }
  }

  private var entries: [UInt64: Entry] = [:]
  private var byMessage: [UInt64: Set<UInt64>] = [:]
  private var byClient: [ClientID: Set<UInt64>] = [:]
  private var statuses: Set<UInt64> = []
  private var deadlines = Deadlines<UInt64>()
  private var lastKey: UInt64 = 0

  var nextDeadline: Instant? { deadlines.next }

  mutating func add(_ waiter: Waiter, until deadline: Instant) {
    byMessage[waiter.id, default: []].insert(add(.message(waiter), until: deadline))
  }

  mutating func add(_ waiter: StatusWaiter, until deadline: Instant) {
    statuses.insert(add(.status(waiter), until: deadline))
  }

  /// Takes those of a message for which the predicate holds.
  mutating func take(message id: UInt64, where isTaken: (Waiter) -> Bool) -> [Waiter] {
    var taken: [Waiter] = []
    for key in (byMessage[id] ?? []).sorted() {
      guard case .message(let waiter) = entries[key], isTaken(waiter) else { continue }
      taken.append(waiter)
      remove(key)
    }
    return taken
  }

  mutating func takeStatus(where isTaken: (StatusWaiter) -> Bool) -> [StatusWaiter] {
    var taken: [StatusWaiter] = []
    for key in statuses.sorted() {
      guard case .status(let waiter) = entries[key], isTaken(waiter) else { continue }
      taken.append(waiter)
      remove(key)
    }
    return taken
  }

  mutating func takeOverdue(at now: Instant) -> [Entry] {
    var overdue: [Entry] = []
    while let key = deadlines.takeDue(at: now) {
      if let entry = entries[key] { overdue.append(entry) }
      remove(key)
    }
    return overdue
  }

  /// The client is gone.
  mutating func forget(_ client: ClientID) {
    for key in byClient[client] ?? [] { remove(key) }
  }

  private mutating func add(_ entry: Entry, until deadline: Instant) -> UInt64 {
    lastKey += 1
    entries[lastKey] = entry
    byClient[entry.client, default: []].insert(lastKey)
    deadlines.set(lastKey, at: deadline)
    return lastKey
  }

  private mutating func remove(_ key: UInt64) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    deadlines.set(key, at: nil)
    byClient.remove(key, of: entry.client)
    switch entry {
    case .message(let waiter): byMessage.remove(key, of: waiter.id)
    case .status: statuses.remove(key)
    }
  }
}

extension Dictionary where Value == Set<UInt64> {
  /// Takes a member out of the set of a key, and the set where it is empty then.
  fileprivate mutating func remove(_ member: UInt64, of key: Key) {
    self[key]?.remove(member)
    if self[key]?.isEmpty == true { self[key] = nil }
  }
}
