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

/// All that waits out of the order of its connection, each with its deadline.
struct Waiters {
  enum Overdue {
    case message(Waiter)
    case status(StatusWaiter)
  }

  private var messages: [UInt64: [(key: UInt64, waiter: Waiter)]] = [:]
  private var statuses: [(key: UInt64, waiter: StatusWaiter)] = []
  private var deadlines = Deadlines<UInt64>()
  private var messageOfKey: [UInt64: UInt64] = [:]
  private var lastKey: UInt64 = 0

  var nextDeadline: Instant? { deadlines.next }

  mutating func add(_ waiter: Waiter, until deadline: Instant) {
    lastKey += 1
    messages[waiter.id, default: []].append((lastKey, waiter))
    messageOfKey[lastKey] = waiter.id
    deadlines.set(lastKey, at: deadline)
  }

  mutating func add(_ waiter: StatusWaiter, until deadline: Instant) {
    lastKey += 1
    statuses.append((lastKey, waiter))
    deadlines.set(lastKey, at: deadline)
  }

  /// Takes those of a message for which the predicate holds.
  mutating func take(message id: UInt64, where isTaken: (Waiter) -> Bool) -> [Waiter] {
    guard let all = messages[id] else { return [] }
    let taken = all.filter { isTaken($0.waiter) }
    let left = all.filter { !isTaken($0.waiter) }
    messages[id] = left.isEmpty ? nil : left
    for (key, _) in taken { drop(key) }
    return taken.map(\.waiter)
  }

  mutating func takeStatus(where isTaken: (StatusWaiter) -> Bool) -> [StatusWaiter] {
    let taken = statuses.filter { isTaken($0.waiter) }
    statuses.removeAll { entry in taken.contains { $0.key == entry.key } }
    for (key, _) in taken { drop(key) }
    return taken.map(\.waiter)
  }

  mutating func takeOverdue(at now: Instant) -> [Overdue] {
    var overdue: [Overdue] = []
    while let key = deadlines.takeDue(at: now) {
      if let id = messageOfKey[key] {
        overdue += messages[id]?.filter { $0.key == key }.map { .message($0.waiter) } ?? []
        messages[id]?.removeAll { $0.key == key }
        if messages[id]?.isEmpty == true { messages[id] = nil }
        messageOfKey[key] = nil
      } else {
        overdue += statuses.filter { $0.key == key }.map { .status($0.waiter) }
        statuses.removeAll { $0.key == key }
      }
    }
    return overdue
  }

  /// The client is gone.
  mutating func forget(_ client: ClientID) {
    for id in Array(messages.keys) { _ = take(message: id) { $0.client == client } }
    _ = takeStatus { $0.client == client }
  }

  private mutating func drop(_ key: UInt64) {
    deadlines.set(key, at: nil)
    messageOfKey[key] = nil
  }
}
