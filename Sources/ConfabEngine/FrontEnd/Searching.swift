import Clocks
import Conversations
import Facts
import JSON
import LineProtocol
import MessageLog
import Records
import Search
import Settings
import XMPPCore

/// Searches that front ends asked for: one of each at a time is under way, and a few of all; the others wait in the order
/// in which they were asked.
struct Searches {
  struct Asked {
    let client: ClientID
    let request: Request
    let query: SearchQuery
    /// The last record of the log that it looks at, once it has begun.
    var last: UInt64 = 0
  }

  /// How many may be under way.
  static let most = 8
  /// How many one client may have asked for; it is not heard until there are fewer.
  static let mostOfOne = 8

  private(set) var waiting: [Asked] = []
  private var running: [SearchID: Asked] = [:]

  mutating func add(_ asked: Asked) { waiting.append(asked) }

  /// The client may ask for one more.
  func hasRoom(for client: ClientID) -> Bool {
    count(of: client) < Self.mostOfOne
  }

  /// How many a client has asked for that have not ended.
  func count(of client: ClientID) -> Int {
    waiting.count { $0.client == client } + running.values.count { $0.client == client }
  }

  /// The next that may begin, by this name and over the log up to this record.
  mutating func start(_ id: SearchID, last: UInt64) -> SearchQuery? {
    guard running.count < Self.most else { return nil }
    let busy = Set(running.values.map(\.client))
    guard let place = waiting.firstIndex(where: { !busy.contains($0.client) }) else { return nil }
    var asked = waiting.remove(at: place)
    asked.last = last
    running[id] = asked
    return asked.query
  }

  /// One has come to its end; nil where nobody waits for it any more.
  mutating func end(_ id: SearchID) -> Asked? { running.removeValue(forKey: id) }

  /// Forgets those of a client; what is under way of them.
  mutating func forget(_ client: ClientID) -> [SearchID] {
    waiting.removeAll { $0.client == client }
    let ended = running.filter { $0.value.client == client }.keys.sorted { $0.number < $1.number }
    for id in ended { running[id] = nil }
    return ended
  }
}

/// `search`.
extension FrontEnd {
  func search(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    let query = try query(of: request, desk)
    client.waits += 1
    searches.add(.init(client: client.id, request: request.withoutText, query: query))
    startSearches(desk)
  }

  private func query(of request: Request, _ desk: Desk) throws(RequestFailure) -> SearchQuery {
    let accounts = try desk.accounts(of: request).map { SearchQuery.Account($0.number, $0.jid.bare.description) }
    var query = SearchQuery(text: request.text ?? "", accounts: accounts, limit: request.integer(.limit) ?? 50)
    if let text = request.string(.in) { query.conversation = try desk.jid(text, "in").bare.description }
    if let text = request.string(.from) { query.sender = try desk.jid(text, "from").bare.description }
    (query.since, query.until) = (request.time(.since), request.time(.untilTime))
    if let id = request.id(.before) { query.before = try key(of: id, in: query, desk) }
    return query
  }

  /// Where a message stands.
  private func key(of id: UInt64, in query: SearchQuery, _ desk: Desk) throws(RequestFailure) -> Entry.Key {
    guard let message = desk.message(id), query.jid(of: message.account) != nil else {
      throw RequestFailure(.notFound, "there is no message \(id)", argument: "before")
    }
    return Entry.Key(time: Timestamp(milliseconds: message.time), id: id, archiveOrder: message.archiveOrder)
  }

  /// Lets those begin whose turn it is.
  private func startSearches(_ desk: Desk) {
    while !searches.waiting.isEmpty {
      let id = SearchID(desk.effects.freshNumber())
      guard let query = searches.start(id, last: desk.storage.queue.durable) else { return }
      let scope = SearchScope(
        index: desk.storage.queue.index, stretches: desk.facts.stretches.list,
        forgotten: desk.facts.accounts.mapValues(\.forgotten).filter { !$0.value.isEmpty })
      desk.effects.act(.search(id, query, scope))
    }
  }

  /// A search has come to its end.
  func found(_ id: SearchID, _ outcome: SearchOutcome, _ desk: Desk) {
    guard let asked = searches.end(id) else { return }
    startSearches(desk)
    guard let client = client(asked.client) else { return }
    client.waits -= 1
    answer(asked, outcome, client, desk)
    advance(client, desk)
  }

  private func answer(_ asked: Searches.Asked, _ outcome: SearchOutcome, _ client: Client, _ desk: Desk) {
    if let failure = outcome.failure {
      let words = "the log could not be read: \(failure)"
      desk.effects.journal(.error, words)
      return client.answer(Lines.failure(RequestFailure(.storage, words), asked.request.tag))
    }
    if outcome.unreadable > 0 {
      desk.effects.journal(
        .error, .damage, "a search passed over \(outcome.unreadable) bytes of the log that cannot be read")
    }
    let final = Lines.ok(asked.request) {
      $0.member("more_before", outcome.hasMore)
      if outcome.unreadable > 0 { $0.member("unreadable", outcome.unreadable) }
      $0.member("seq", asked.last)
    }
    client.slots.append(.paging(PagedAnswer(asked.request, .hits(outcome.hits), final: final)))
  }

  /// The client wants to know nothing more.
  func endSearches(of client: Client, _ desk: Desk) {
    client.waits -= searches.count(of: client.id)
    for id in searches.forget(client.id) { desk.effects.act(.cancelSearch(id)) }
    startSearches(desk)
  }
}
