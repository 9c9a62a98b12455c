import Clocks
import Conversations
import State
import JSON
import LineProtocol
import MessageLog
import Records
import Search
import Settings
import XMPPCore

/// `search`.
extension Command {
  static let searching: [Verb: Handler] = [.search: { try $0.search() }]

  private func search() throws(RequestFailure) {
    let search = Searches.Search(
      client: client.id, user: client.caller.user, request: request, query: try query())
    guard context.storage.isWhole else { return }
    clients.beginWaiting(request, client)
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

  /// Where a message stands.
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
/// has more than half; the others wait in the order in which they were asked.
struct Searches {
  struct Search {
    let client: ClientID
    /// The client's user.
    let user: UInt32
    let request: Request
    var query: SearchQuery
    /// What earlier steps of it found.
    var found: [SearchHit] = []
    var unreadable = 0
    /// The last record of the log that it covers, once it has begun.
    var last: UInt64 = 0
  }

  /// How many may run.
  static let most = 8
  /// How many one client may have asked for; its next request is taken up when there are fewer.
  static let mostOfOne = 8

  private var waiting: [Search] = []
  private var running: [SearchID: Search] = [:]

  /// The client may ask for one more.
  func hasRoom(for client: ClientID) -> Bool { count(of: client) < Self.mostOfOne }

  mutating func add(_ search: Search, _ context: RequestContext) {
    waiting.append(search)
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
    let requests = (waiting + running.values).filter { $0.client == client }.map(\.request)
    guard !requests.isEmpty else { return [] }
    waiting.removeAll { $0.client == client }
    let ended = running.filter { $0.value.client == client }.keys.sorted { $0.number < $1.number }
    for id in ended {
      running[id] = nil
      context.effects.act(.cancelSearch(id))
    }
    start(context)
    return requests
  }

  private func count(of client: ClientID) -> Int {
    waiting.count { $0.client == client } + running.values.count { $0.client == client }
  }

  /// Starts the searches whose turn it is.
  mutating func start(_ context: RequestContext) {
    while context.storage.isWhole, running.count < Self.most {
      guard let place = nextPlace else { return }
      var search = waiting.remove(at: place)
      let id = SearchID(context.effects.freshNumber())
      search.last = context.storage.queue.durable
      running[id] = search
      let scope = SearchScope(
        index: context.storage.queue.index, timeRanges: context.state.timeRanges.list,
        forgotten: context.state.accounts.mapValues(\.forgotten).filter { !$0.value.isEmpty })
      context.effects.act(.search(id, search.query, scope, user: search.user))
    }
  }

  /// The first that waits of the user who has the fewest running, and not more than half.
  private var nextPlace: Int? {
    let busy = Set(running.values.map(\.client))
    let counts = Dictionary(running.values.map { ($0.user, 1) }, uniquingKeysWith: +)
    return waiting.indices.filter { !busy.contains(waiting[$0].client) }
      .min { counts[waiting[$0].user] ?? 0 < counts[waiting[$1].user] ?? 0 }
      .flatMap { (counts[waiting[$0].user] ?? 0) < Self.most / 2 ? $0 : nil }
  }
}
