import Clocks
import JSON
import LineProtocol
import MessageLog
import Settings

/// The side of the socket: takes up what clients ask, in order, and writes what they are owed. Answers are held until
/// the records they speak of are durable; nothing is shown that a crash could take back.
final class FrontEnd {
  /// The greeting's `log`: the log's UUID.
  let log: String
  /// The process that all this runs in.
  let host: Host
  private var byID: [ClientID: Client] = [:]
  /// In the order in which they connected.
  private(set) var clients: [Client] = []
  /// The main one first.
  var sockets: [ServedSocket] = []
  let budget = OutputBudget()
  var turnedAway: Set<ClientID> = []
  /// Those who watch, in the order in which they began.
  var watchers: [Client] = []
  var waiters = Waiters()
  var searches = Searches()
  var events = EventFeed()
  /// What was durable when watchers were told of it last.
  private var toldUpTo: UInt64 = 0
  var news = LateNews()
  /// The lines of the ephemeral news that is being told to all; nil: each is made when it is told.
  var freshLines: [UInt64: EventLine]?
  var cursors = NamedCursors()
  /// Watchers that have more to be told, from the disk, and when.
  var behind: Set<ClientID> = []
  var behindDue: Instant?
  /// When a tick is wanted next.
  var nextDeadline: Instant? { waiters.nextDeadline.orEarlier(behindDue) }
  var underWay = UnderWay()
  /// What was refused because it could not be stored may be on the disk all the same.
  var isInDoubt = false
  /// `reload` requests that wait for the configuration to be read.
  var reloads: [Ticket] = []
  private var lastTicket: UInt64 = 0

  init(log: String, host: Host) {
    self.log = log
    self.host = host
  }

  func handle(_ id: ClientID, _ event: ClientEvent, _ desk: Desk) {
    if case .connected(let caller) = event { return connect(id, caller, desk) }
    guard let client = byID[id] else {
      if case .closed = event { turnedAway.remove(id) }
      return
    }
    switch event {
    case .connected: break
    case .received(let bytes): client.received(bytes)
    case .endOfInput: client.endInput()
    case .drained:
      client.drained()
      return attend(client, desk)
    case .kept(let count): client.kept(count)
    case .deaf:
      client.isDeaf = true
      endSearches(of: client, desk)
      endWatch(of: client)
    case .closed:
      endSearches(of: client, desk)
      return forget(client)
    }
    advance(client, desk)
  }

  /// A sync came: what waited for it goes on.
  func durable(_ desk: Desk) {
    let durable = desk.storage.queue.durable
    underWay.settle(durable: durable)
    var live = LiveEvents(
      events, after: toldUpTo, durable: durable, news: news.newest,
      room: min(budget.allowance, Client.mostEvents))
    toldUpTo = durable
    for client in clients where live?.tell(client) != true { attend(client, desk) }
    if let live, !live.bytes.isEmpty, !live.audience.isEmpty { desk.effects.act(.tell(live.audience, live.bytes)) }
  }

  /// The connection with this name, while it is open.
  func client(_ id: ClientID) -> Client? { byID[id] }

  /// The server answered a request that a client waits for.
  func settle(_ ticket: Ticket, _ outcome: TicketOutcome, _ desk: Desk) {
    settle(ticket, desk) { request in
      if case .done(let sequence) = outcome { return .stored(sequence: sequence, request, then: .plain) }
      return .done(Lines.outcome(outcome, request))
    }
  }

  private func settle(_ ticket: Ticket, _ desk: Desk, _ slot: (Request) -> Client.Slot) {
    guard let client = byID[ticket.client] else { return }
    let index = client.slots.firstIndex {
      if case .ticket(ticket.number, _) = $0 { true } else { false }
    }
    guard let index, case .ticket(_, let request) = client.slots[index] else { return }
    client.replace(index, slot(request))
    advance(client, desk)
  }

  /// The configuration was read again, or could not be.
  func reloaded(_ outcome: Result<ConfigurationChanges, ReloadFailure>, _ desk: Desk) {
    let tickets = reloads
    reloads = []
    for ticket in tickets {
      settle(ticket, desk) { request in
        switch outcome {
        case .success(let changes): .done(Lines.reloaded(changes, request))
        case .failure(let failure): .done(Lines.failure(RequestFailure(.failed, failure.reason), request.tag))
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

  func add(_ client: Client) {
    byID[client.id] = client
    clients.append(client)
  }

  /// The connection is gone, or about to be: nothing is owed to it any more.
  func forget(_ client: Client) {
    client.drained()
    behind.remove(client.id)
    waiters.forget(client.id)
    endWatch(of: client)
    byID[client.id] = nil
    clients.removeAll { $0 === client }
  }
}
