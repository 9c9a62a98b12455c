import ConfabAccounts
import Clocks
import LineProtocol
import Records

/// How far a message of mine got, and what was wrong.
struct DeliveryStatus {
  var state: DeliveryState
  var failure: Failure?
  var inDoubt = false
}

/// A request that is answered out of the order of its connection.
struct Waiter {
  let client: ClientID
  let request: Request
  /// The message of mine that has to get as far as `wanted`; 0: the accounts of the request have to be online.
  var message: UInt64 = 0
  /// The position of that message.
  var place: MessagePlace?
  var wanted = DeliveryState.sent
  /// The answer says `repeated`.
  var isRepeat = false

  /// The message that the answer is about: of a change the one that it changes.
  private var concerned: UInt64 { place?.target ?? message }

  /// The answer of one that waits for a message, if there is one already.
  func answer(_ status: DeliveryStatus) -> [UInt8]? {
    switch status.state {
    case .failed, .cancelled: request.unsuccessful(.failed, concerned, status)
    case .queued, .sent, .delivered, .displayed:
      status.state >= wanted ? request.stored(concerned, status, isRepeat: isRepeat, place?.encryption) : nil
    }
  }

  /// The answer of one whose message's account is not in the configuration.
  func answerWithoutAccount(_ context: RequestContext) -> [UInt8]? {
    guard let place, context.accounts.numbered(place.account) == nil else { return nil }
    let failure = RequestFailure.notConfigured(
      accountOf: concerned, argument: request.verb == .wait ? "id" : "account")
    return request.unsuccessful(failure, concerned, context.status(of: message, at: place))
  }

  /// The answer after a change of the accounts, if there is one already.
  fileprivate func answer(_ context: RequestContext) -> [UInt8]? {
    guard message == 0 else { return answerWithoutAccount(context) }
    let status = StatusAnswer(request: request, hooks: nil, context: context)
    if status.isOnline { return status.bytes }
    guard (try? context.accounts(of: request)) == nil else { return nil }
    return request.error(
      RequestFailure(.notFound, "the account is no longer in the configuration", argument: "account"))
  }

  fileprivate func timedOut(_ context: RequestContext) -> [UInt8] {
    guard message != 0 else {
      return request.error(RequestFailure(.timeout, "the account did not come online in time"))
    }
    let status = place.map { context.status(of: message, at: $0) } ?? DeliveryStatus(state: .queued)
    return request.unsuccessful(.timeout, concerned, status)
  }
}

/// The waiting requests, each with its deadline. Answers come in the order in which the requests were added.
struct Waiters {
  typealias Answer = (client: ClientID, request: Request, line: [UInt8])

  private var waiters: [UInt64: Waiter] = [:]
  private var byMessage: [UInt64: Set<UInt64>] = [:]
  private var byClient: [ClientID: Set<UInt64>] = [:]
  private var deadlines = Deadlines<UInt64>()
  private var lastKey: UInt64 = 0

  var isEmpty: Bool { waiters.isEmpty }
  var nextDeadline: Instant? { deadlines.next }

  mutating func add(_ waiter: Waiter, until deadline: Instant) {
    lastKey += 1
    waiters[lastKey] = waiter
    byMessage[waiter.message, default: []].insert(lastKey)
    byClient[waiter.client, default: []].insert(lastKey)
    deadlines.set(lastKey, at: deadline)
  }

  /// A message of mine got further: takes the answers to the requests that waited for that.
  mutating func delivered(_ delivery: DeliveryRecord) -> [Answer] {
    let status = DeliveryStatus(state: delivery.state, failure: delivery.failure, inDoubt: delivery.inDoubt)
    return takeAnswers(of: byMessage[delivery.id]?.sorted() ?? []) { $0.answer(status) }
  }

  /// An account's connection changed, maybe because the account was removed: takes the answers to the requests that
  /// waited for that, or for its messages.
  mutating func connectionChanged(_ context: RequestContext) -> [Answer] {
    takeAnswers(of: waiters.keys.sorted()) { $0.answer(context) }
  }

  /// Takes the answers to those whose time is up.
  mutating func takeOverdue(_ context: RequestContext) -> [Answer] {
    var answers: [Answer] = []
    while let key = deadlines.takeDue(at: context.effects.now.instant) {
      if let waiter = waiters[key] { answers.append((waiter.client, waiter.request, waiter.timedOut(context))) }
      remove(key)
    }
    return answers
  }

  /// Drops the requests of a client, and gives them back.
  mutating func forget(_ client: ClientID) -> [Request] {
    let keys = byClient[client] ?? []
    let requests = keys.compactMap { waiters[$0]?.request }
    for key in keys { remove(key) }
    return requests
  }

  private mutating func takeAnswers(of keys: [UInt64], _ answer: (Waiter) -> [UInt8]?) -> [Answer] {
    var answers: [Answer] = []
    for key in keys {
      guard let waiter = waiters[key], let line = answer(waiter) else { continue }
      answers.append((waiter.client, waiter.request, line))
      remove(key)
    }
    return answers
  }

  private mutating func remove(_ key: UInt64) {
    guard let waiter = waiters.removeValue(forKey: key) else { return }
    deadlines.set(key, at: nil)
    byClient.remove(key, of: waiter.client)
    byMessage.remove(key, of: waiter.message)
  }
}

extension Dictionary where Value == Set<UInt64> {
  /// Takes a member out of the set of a key, and the set if it is empty then.
  fileprivate mutating func remove(_ member: UInt64, of key: Key) {
    self[key]?.remove(member)
    if self[key]?.isEmpty == true { self[key] = nil }
  }
}
