import Clocks
import JSON
import LineProtocol
import MessageLog

/// The side of the socket: takes up what clients ask, in order, and writes what they are owed. Answers are held until
/// the records they speak of are durable; nothing is shown that a crash could take back.
final class FrontEnd {
  /// The greeting's `log`: the log's UUID.
  let log: String
  var clients: [ClientID: Client] = [:]
  var waiters = Waiters()
  var events = EventFeed()
  /// `reload` requests that wait for the configuration to be read.
  var reloads: [Ticket] = []
  private var lastTicket: UInt64 = 0

  init(log: String) { self.log = log }

  func handle(_ id: ClientID, _ event: ClientEvent, _ desk: Desk) {
    if case .connected = event { return connect(id, desk) }
    guard let client = clients[id] else { return }
    switch event {
    case .connected: break
    case .received(let bytes): client.reader.append(bytes)
    case .endOfInput:
      client.inputEnded = true
      client.reader.end()
    case .drained: client.outstanding = 0
    case .closed: return forget(client)
    }
    advance(client, desk)
  }

  /// A sync came: what waited for it goes on.
  func durable(_ desk: Desk) {
    for client in clients.values { advance(client, desk) }
  }

  /// The server answered a request that a client waits for.
  func settle(_ ticket: Ticket, _ outcome: TicketOutcome, _ desk: Desk) {
    settle(ticket, desk) { Lines.outcome(outcome, $0) }
  }

  private func settle(_ ticket: Ticket, _ desk: Desk, _ line: (Request) -> [UInt8]) {
    guard let client = clients[ticket.client] else { return }
    let index = client.slots.firstIndex {
      if case .ticket(ticket.number, _) = $0 { true } else { false }
    }
    guard let index, case .ticket(_, let request) = client.slots[index] else { return }
    client.slots[index] = .done(line(request))
    advance(client, desk)
  }

  /// Nothing could be stored: what waited for it is refused, and was not done.
  func storageFailed(_ error: StorageError, _ desk: Desk) {
    let code: ErrorCode = error.cause == .noSpace ? .noSpace : .storage
    for client in clients.values {
      for index in client.slots.indices {
        guard case .stored(let sequence, let request, _) = client.slots[index], sequence > desk.turn.ledger.durable
        else { continue }
        client.slots[index] = .done(
          Lines.failure(RequestFailure(code, "nothing could be stored: \(error)"), request.tag))
      }
      client.lastAppended = min(client.lastAppended, desk.turn.ledger.durable)
      advance(client, desk)
    }
  }

  /// The configuration was read again, or could not be.
  func reloaded(_ outcome: Result<ConfigurationChanges, ReloadFailure>, _ desk: Desk) {
    let tickets = reloads
    reloads = []
    for ticket in tickets {
      settle(ticket, desk) { request in
        switch outcome {
        case .success(let changes): Lines.reloaded(changes, request)
        case .failure(let failure): Lines.failure(RequestFailure(.badArgument, failure.reason), request.tag)
        }
      }
    }
  }

  /// Gives out a ticket for a request whose answer comes from elsewhere.
  func ticket(_ client: Client, _ request: Request) -> Ticket {
    lastTicket += 1
    client.slots.append(.ticket(lastTicket, request))
    return Ticket(client: client.id, number: lastTicket)
  }

  private func connect(_ id: ClientID, _ desk: Desk) {
    let client = Client(id)
    clients[id] = client
    client.write(Lines.greeting(log: log, last: desk.turn.ledger.durable), desk.turn)
  }

  private func forget(_ client: Client) {
    waiters.forget(client.id)
    clients[client.id] = nil
  }
}

/// Moving one client forward.
extension FrontEnd {
  /// Writes what is ready, takes up what can be taken up, until nothing moves.
  func advance(_ client: Client, _ desk: Desk) {
    var moved = true
    while moved, clients[client.id] != nil {
      moved = flush(client, desk)
      moved = takeUp(client, desk) || moved
    }
    pumpWatch(client, desk)
    pace(client, desk.turn)
    if client.isOver {
      desk.turn.act(.client(client.id, .close))
      forget(client)
    }
  }

  /// Writes the answers whose turn has come; true if any.
  private func flush(_ client: Client, _ desk: Desk) -> Bool {
    var bytes: [UInt8] = []
    var count = 0
    while count < client.slots.count, client.outstanding + bytes.count < Client.congestion {
      guard let line = answer(client.slots[count], client, desk) else { break }
      bytes += line.bytes
      if let rest = line.rest {
        client.slots[count] = .paging(rest)
        break
      }
      count += 1
    }
    client.slots.removeFirst(count)
    client.write(bytes, desk.turn)
    return !bytes.isEmpty || count > 0
  }

  /// The bytes of an answer, and what is left of a long one; nil where its time has not come.
  private func answer(_ slot: Client.Slot, _ client: Client, _ desk: Desk) -> (bytes: [UInt8], rest: PagedAnswer?)? {
    switch slot {
    case .done(let bytes): return (bytes, nil)
    case .ticket: return nil
    case .paging(var page):
      let bytes = page.next(desk)
      return (bytes, page.isDone ? nil : page)
    case .stored(let sequence, let request, let completion):
      guard sequence <= desk.turn.ledger.durable else { return nil }
      return (complete(request, sequence, completion, client, desk), nil)
    }
  }

  /// Takes up requests as long as they may be; true if any.
  private func takeUp(_ client: Client, _ desk: Desk) -> Bool {
    var any = false
    while !client.isClosing, client.slots.count < Client.maximumWaiting, !client.isCongested {
      guard let item = client.blocked.take() ?? client.reader.next() else { break }
      guard mayStart(item, client, desk) else {
        client.blocked = item
        break
      }
      any = true
      start(item, client, desk)
    }
    return any
  }

  /// A query waits until everything asked before it is answered, and so sees its effect; a repeat of a key waits for the
  /// first one's fate.
  private func mayStart(_ item: LineItem, _ client: Client, _ desk: Desk) -> Bool {
    guard case .request(let request) = item else { return true }
    if request.kind == .query || request.verb == .wait {
      return client.slots.isEmpty && client.lastAppended <= desk.turn.ledger.durable
    }
    if let key = request.string(.key), let account = try? desk.account(of: request) {
      return !desk.turn.ledger.isPending(key: key, of: account.number)
    }
    return true
  }

  private func start(_ item: LineItem, _ client: Client, _ desk: Desk) {
    switch item {
    case .failure(let failure): client.slots.append(.done(Lines.failure(failure, failure.tag)))
    case .request(let request):
      do {
        try perform(request, client, desk)
      } catch {
        client.slots.append(.done(Lines.failure(error, request.tag)))
      }
    }
  }

  /// Stops reading a client that has asked more than it takes the answers of.
  private func pace(_ client: Client, _ turn: Turn) {
    let shouldPause = client.blocked != nil || client.slots.count >= Client.maximumWaiting || client.isCongested
    guard shouldPause != client.isPaused else { return }
    client.isPaused = shouldPause
    turn.act(.client(client.id, shouldPause ? .pause : .resume))
  }
}
