import ConfabAccounts
import Clocks
import Timelines
import State
import JSON
import LineProtocol
import MessageLog
import Records
import Search
import ConfabConfiguration
import XMPPCore

/// `search`.
extension Command {
  static let searching: [Verb: Handler] = [.search: { try $0.search() }]

  private func search() throws(RequestFailure) {
    let search = Searches.Search(
      client: client.id, user: client.caller.user, request: request, query: try query())
    guard context.storage.isWhole else { return }
    clients.shares.beginWaiting(request, client)
    clients.searches.add(search, context)
  }

  private func query() throws(RequestFailure) -> SearchQuery {
    let accounts = try context.accounts(of: request).map { SearchQuery.Account($0.number, $0.jid.bare.description) }
    var query = SearchQuery(text: request.text ?? "", accounts: accounts, limit: request.integer(.limit) ?? 50)
    (query.conversation, query.sender) = (try bareJID(.in), try bareJID(.from))
    (query.since, query.until) = (request.time(.since), request.time(.untilTime))
    if let id = request.id(.before) { query.before = try key(of: id, in: query) }
    return query
  }

  /// The position of a message.
  private func key(of id: UInt64, in query: SearchQuery) throws(RequestFailure) -> Entry.Key {
    guard let message = context.message(id), query.jid(of: message.account) != nil else {
      throw RequestFailure(.notFound, "no message has the id \(id)", argument: "before")
    }
    return Entry.Key(time: Timestamp(milliseconds: message.time), id: id, archiveOrder: message.archiveOrder)
  }
}

extension Searches.Search {
  /// The answer, when the search has ended.
  func answer(_ outcome: SearchOutcome, _ context: RequestContext) -> AnswerQueue.Slot {
    if let failure = outcome.failure {
      let words = "reading the log failed: \(failure)"
      context.effects.journal(.error, words)
      return .done(request.error(RequestFailure(.storage, words)))
    }
    let unreadable = unreadable + outcome.unreadable
    if unreadable > 0 {
      context.effects.journal(
        .error, .damage, "a search skipped \(unreadable) unreadable bytes of the log")
    }
    let final = request.ok {
      $0.member("more_before", outcome.hasMore)
      if unreadable > 0 { $0.member("unreadable", unreadable) }
      $0.member("seq", last)
    }
    return .paging(PagedAnswer(request, .hits(found + outcome.hits), final: final))
  }

  /// The search goes on: some of what it found are texts that messages do not have any more, and there may be others in
  /// their place. Nil: it has ended.
  func next(behind outcome: SearchOutcome, shown: [SearchHit]) -> Self? {
    guard shown.count < outcome.hits.count, outcome.hasMore, outcome.failure == nil, let last = outcome.hits.last else {
      return nil
    }
    var next = self
    next.found += shown
    next.unreadable += outcome.unreadable
    next.query.before = last.key
    next.query.limit -= shown.count
    return next
  }
}

/// The searches that clients asked for. Each client has one running at a time, and all together a few, of which no user
/// has more than half; the others wait, and the clients of a user take turns.
struct Searches {
  struct Search {
    let client: ClientID
    /// The client's user.
    let user: UInt32
    let request: Request
    var query: SearchQuery
    /// The results of earlier steps.
    var found: [SearchHit] = []
    var unreadable = 0
    /// The last record of the log that it covers, once it has begun.
    var last: UInt64 = 0
  }

  /// How many may run.
  static let most = 8
  /// How many one client may have asked for; its next request is taken up when there are fewer.
  static let mostOfOne = 8

  private var waiting: [ClientID: [Search]] = [:]
  /// The clients with searches that wait, of each user, in the order of their turns.
  private var turns: [UInt32: [ClientID]] = [:]
  private var running: [SearchID: Search] = [:]

  /// The client may ask for one more.
  func hasSpace(for client: ClientID) -> Bool {
    let isRunning = running.values.contains { $0.client == client }
    return (waiting[client]?.count ?? 0) + (isRunning ? 1 : 0) < Self.mostOfOne
  }

  mutating func add(_ search: Search, _ context: RequestContext) {
    if waiting[search.client] == nil { turns[search.user, default: []].append(search.client) }
    waiting[search.client, default: []].append(search)
    start(context)
  }

  /// A search has ended; nil if no client waits for it any more.
  mutating func end(_ id: SearchID, _ context: RequestContext) -> Search? {
    guard let search = running.removeValue(forKey: id) else { return nil }
    start(context)
    return search
  }

  /// The client waits for no search any more; the requests that it waited for.
  mutating func cancel(of client: ClientID, _ context: RequestContext) -> [Request] {
    let ended = running.filter { $0.value.client == client }.sorted { $0.key.number < $1.key.number }
    let dropped = waiting.removeValue(forKey: client) ?? []
    guard !ended.isEmpty || !dropped.isEmpty else { return [] }
    if let user = dropped.first?.user { turns[user]?.removeAll { $0 == client } }
    for (id, _) in ended {
      running[id] = nil
      context.effects.act(.cancelSearch(id))
    }
    start(context)
    return dropped.map(\.request) + ended.map(\.value.request)
  }

  /// Starts the searches whose turn it is.
  mutating func start(_ context: RequestContext) {
    while context.storage.isWhole, running.count < Self.most {
      guard var search = takeNext() else { return }
      let id = SearchID(context.effects.freshNumber())
      search.last = context.storage.queue.durable
      running[id] = search
      let scope = SearchScope(
        index: context.storage.queue.index, timeRanges: context.state.timeRanges.list,
        forgotten: context.state.accounts.byNumber.mapValues(\.forgotten).filter { !$0.value.isEmpty })
      context.effects.act(.search(id, search.query, scope, user: search.user))
    }
  }

  /// Takes the first of the client whose turn it is, of the user who has the fewest running and less than half.
  private mutating func takeNext() -> Search? {
    let busy = Set(running.values.map(\.client))
    let counts = Dictionary(running.values.map { ($0.user, 1) }, uniquingKeysWith: +)
    let users = turns.keys.sorted().filter { (counts[$0] ?? 0) < Self.most / 2 }
    let next = users.compactMap { user in
      turns[user]?.firstIndex { !busy.contains($0) }.map { (user: user, index: $0) }
    }.min { (counts[$0.user] ?? 0) < (counts[$1.user] ?? 0) }
    guard let next, let client = turns[next.user]?.remove(at: next.index) else { return nil }
    let search = waiting[client]?.removeFirst()
    if waiting[client]?.isEmpty == true { waiting[client] = nil } else { turns[next.user]?.append(client) }
    if turns[next.user]?.isEmpty == true { turns[next.user] = nil }
    return search
  }
}
