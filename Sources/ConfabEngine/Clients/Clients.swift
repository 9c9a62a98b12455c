import Clocks
import Conversations
import State
import JSON
import LineProtocol
import MessageLog
import Records
import Search
import Settings

/// The side of the socket: takes up what clients ask, in order, and writes what they are owed. Answers are held until the
/// records they speak of are durable; nothing is shown that a crash could take back.
final class Clients {
  let context: RequestContext
  /// The greeting's `log`: the log's UUID.
  let log: String
  private var byID: [ClientID: Client] = [:]
  /// In the order in which they connected.
  private(set) var all: [Client] = []
  private var admission: Admission
  let watchers: Watchers
  var waiters = Waiters()
  var searches = Searches()
  var cursors = NamedCursors()
  var focuses = Focuses()
  var attendance = Attendance()
  var idleness = Idleness()
  /// What was refused because it could not be stored may be on the disk all the same.
  var isInDoubt = false
  /// Bytes of the requests that are answered out of order.
  var waiting: FairShares
  /// Bytes that came and are no whole request, or none that could be taken up.
  private var input: FairShares
  /// `reload` requests that wait for the configuration to be read.
  var reloads: [Ticket] = []
  /// Requests whose answers come from servers or files, out of their order.
  var lateAnswers: [Ticket: Request] = [:]
  /// Idempotency keys of files that are being copied.
  var reservedKeys: Set<String> = []
  private var lastTicket: UInt64 = 0

  /// The most bytes of waiting requests, and of unfinished input: see `FairShares`.
  static let mostWaiting = 16 << 20
  static let mostInput = 16 << 20

  init(log: String, host: Host, _ context: RequestContext) {
    (self.log, self.context) = (log, context)
    waiting = FairShares(owner: host.user, total: Self.mostWaiting)
    input = FairShares(owner: host.user, total: Self.mostInput)
    watchers = Watchers(context)
    cursors.opened = context.storage.queue.durable
    admission = Admission(host: host)
  }

  /// When a tick is wanted next.
  var nextDeadline: Instant? {
    let due = context.storage.isWhole ? waiters.nextDeadline.orEarlier(watchers.nextDeadline) : nil
    return due.orEarlier(attendance.deadline).orEarlier(idleness.deadline)
  }

  /// Whether somebody is there: shows a conversation, watches, waits, or has just asked for something.
  var areAttended: Bool { !watchers.isEmpty || attendance.isRecent || !focuses.isEmpty || !waiters.isEmpty }

  /// The connection with this name, while it is open.
  subscript(id: ClientID) -> Client? { byID[id] }

  func makeTicket(for client: ClientID) -> Ticket {
    lastTicket += 1
    return Ticket(client: client, number: lastTicket)
  }

  // MARK: Connections

  func handle(_ id: ClientID, _ event: ClientEvent) {
    if case .connected(let caller) = event { return connect(id, caller) }
    guard let client = byID[id] else {
      if case .closed = event { admission.closed(id) }
      if case .received(_, let descriptors) = event { close(descriptors) }
      return
    }
    switch event {
    case .connected: break
    case .received(let bytes, let descriptors) where descriptors.isEmpty: client.requests.append(bytes)
    case .received(let bytes, let descriptors): close(client.requests.append(bytes, descriptors))
    case .endOfInput: client.requests.end()
    case .drained:
      client.drained()
      return attend(client)
    case .pendingOutput(let count): client.addPendingOutput(count)
    case .writeFailed:
      client.writeFailed = true
      focuses.clear(id)
      forgetWaiting(client)
      endWatch(of: client)
    case .closed: return forget(client)
    }
    advance(client)
    countInput(of: client)
  }

  /// Counts what came of a client and could not be taken up. One that has too much of an unfinished request is told, and
  /// ends; what only waits for its turn is bounded by not being read.
  private func countInput(of client: Client) {
    let held = self[client.id] === client ? client.requests.heldBytes : 0
    let more = held - client.countedInput
    if more > 0, !client.isPaused, !client.isClosing, input.room(for: client.caller.user) < more {
      client.answers.append(RequestFailure(.limit, "too many unfinished requests of this user").line())
      end(client)
      return input.giveBack(client.countedInput, client.caller.user)
    }
    more > 0 ? input.take(more, client.caller.user) : input.giveBack(-more, client.caller.user)
    client.countedInput = held
  }

  /// A connection is greeted, or told why not and closed.
  private func connect(_ id: ClientID, _ caller: Caller) {
    do throws(RequestFailure) {
      let socket = try admission.admit(caller, context.effects)
      let client = Client(id, caller, socket, admission.budget, context.effects)
      byID[id] = client
      all.append(client)
      var greeting = JSONWriter()
      Greeting(version: ConfabVersion.text, log: log, last: context.storage.queue.durable, rights: socket.rights)
        .write(into: &greeting)
      client.write(greeting.bytes)
    } catch {
      admission.reject(id, error, context.effects)
    }
  }

  /// Serves what the configuration says; connections of sockets that are gone or have other rights end, and those of
  /// people who may not use them any more.
  func configure(_ configuration: Configuration) {
    admission.configure(configuration)
    for client in all where !admission.isAdmitted(client) {
      context.effects.journal(
        .info, "closed a connection of user \(client.caller.user): the new configuration does not allow it")
      end(client)
    }
  }

  /// What it asked in order is still answered, so that it knows what was stored; it waits for nothing more.
  private func end(_ client: Client) {
    client.isClosing = true
    forgetWaiting(client)
    endWatch(of: client)
    advance(client)
  }

  /// The connection is gone, or about to be: nothing is owed to it any more.
  func forget(_ client: Client) {
    client.drained()
    close(client.requests.takeAllDescriptors() + client.answers.descriptors)
    input.giveBack(client.countedInput, client.caller.user)
    admission.left(client.caller)
    forgetWaiting(client)
    focuses.clear(client.id)
    endWatch(of: client)
    for account in context.accounts.all {
      for part in account.parts.listeners { part.forget(client.id) }
    }
    byID[client.id] = nil
    all.removeAll { $0 === client }
  }

  /// Nothing is answered out of order any more.
  private func forgetWaiting(_ client: Client) {
    let late = lateAnswers.filter { $0.key.client == client.id }
    for ticket in late.keys { lateAnswers[ticket] = nil }
    let ended = waiters.forget(client.id) + searches.cancel(of: client.id, context) + late.values
    for request in ended { endWaiting(request, client) }
  }

  /// A request is answered out of order.
  func beginWaiting(_ request: Request, _ client: Client) {
    client.waitCount += 1
    waiting.take(request.heldBytes, client.caller.user)
  }

  /// It has been answered, or need not be any more.
  func endWaiting(_ request: Request, _ client: Client) {
    client.waitCount -= 1
    waiting.giveBack(request.heldBytes, client.caller.user)
  }

  /// Nothing is wanted of these descriptors.
  func close(_ descriptors: [DescriptorID]) {
    if !descriptors.isEmpty { context.effects.act(.closeDescriptors(descriptors)) }
  }

  /// The client wants no further events.
  func endWatch(of client: Client) {
    guard let watch = watchers.remove(client), let name = watch.name else { return }
    cursors.ended(name, delivered: watch.position.sequence)
  }
}

// MARK: - What happens elsewhere

extension Clients {
  /// A record became durable and was applied: its event is kept ready for those that watch live.
  func publish(_ record: Record, _ change: State.Change, sequence: UInt64) {
    guard !watchers.isEmpty, context.storage.isWhole else { return }
    if case .message(let message) = record, case .message(let conversation, let place) = change {
      publish(message, at: place.row, in: conversation, sequence: sequence)
    } else {
      watchers.append(context.event(record, sequence: sequence), sequence: sequence)
    }
  }

  /// The same of a message, which found its place.
  func publish(
    _ message: borrowing some MessageContent & ~Copyable, at row: Int, in conversation: Conversation, sequence: UInt64
  ) {
    let isNotice = isNotice(conversation.timeline[row], in: conversation)
    let line = context.messageEvent(message, at: row, in: conversation, sequence: sequence, isNotice: isNotice)
    watchers.append(line, sequence: sequence)
  }

  /// Something happened that is in no record.
  func publish(_ events: [any EphemeralEvent]) {
    guard context.storage.isWhole else { return watchers.isEmpty ? () : watchers.append(events) }
    if events.contains(where: { $0 is ConnectionChanged }) {
      for client in answer(waiters.connectionChanged(context)) { advance(client) }
    }
    guard !watchers.isEmpty else { return }
    watchers.append(events)
    deliver(to: watchers.clients)
  }

  /// A sync came: what waited for it goes on.
  func durable() { if context.storage.isWhole { deliver(to: all) } }

  /// Hands out the events that came since the last time, once for all that want all of them.
  private func deliver(to clients: [Client]) {
    var batch = watchers.nextBatch(room: min(admission.budget.allowance, Client.mostEvents))
    for client in clients where batch?.deliver(to: client) != true { attend(client) }
    if let batch, !batch.bytes.isEmpty, !batch.audience.isEmpty {
      context.effects.act(.broadcast(batch.audience, batch.bytes))
    }
    watchers.batchDelivered()
  }

  /// A message of mine got further. Not all of its batch is applied yet, so no client is advanced before `durable`.
  func delivered(_ delivery: DeliveryRecord) {
    answer(waiters.delivered(delivery))
  }

  /// Answers the requests whose time is up, and goes on with watchers that are behind.
  func tick() {
    attendance.tick(at: context.effects.now.instant)
    guard context.storage.isWhole else { return }
    for client in watchers.takeBehind(at: context.effects.now.instant) { advance(client) }
    for client in answer(waiters.takeOverdue(context)) { advance(client) }
  }

  /// Hands out answers out of order; the clients that are still there.
  @discardableResult
  private func answer(_ answers: [Waiters.Answer]) -> [Client] {
    answers.compactMap { id, request, line in
      guard let client = byID[id] else { return nil }
      endWaiting(request, client)
      if !client.answers.appendBehindPage(line) { client.write(line) }
      return client
    }
  }

  /// A search has come to its end.
  func found(_ id: SearchID, _ outcome: SearchOutcome) {
    guard let search = searches.end(id, context), let client = byID[search.client] else { return }
    let shown = outcome.hits.filter(context.isPresent)
    if let next = search.next(behind: outcome, shown: shown) { return searches.add(next, context) }
    var outcome = outcome
    outcome.hits = shown
    endWaiting(search.request, client)
    client.answers.append(search.answer(outcome, context))
    advance(client)
  }

  /// The server answered a request that a client waits for.
  func answer(_ ticket: Ticket, _ outcome: TicketOutcome) {
    if let descriptor = outcome.descriptor, lateAnswers[ticket] == nil { close([descriptor]) }
    if let request = lateAnswers.removeValue(forKey: ticket) { return answerLate(request, ticket.client, outcome) }
    answer(ticket) { request in
      if case .done(let sequence) = outcome { return .stored(sequence: sequence, request, then: .plain) }
      return .done(request.answer(outcome, context))
    }
  }

  private func answerLate(_ request: Request, _ id: ClientID, _ outcome: TicketOutcome) {
    guard let client = byID[id] else { return }
    endWaiting(request, client)
    switch outcome {
    case .avatar(let avatar): client.answers.append(.passing(request.answer(avatar), avatar.descriptor))
    case .file(let file): client.answers.append(.passing(request.answer(file), file.descriptor))
    default:
      if request.row.givesDescriptor { client.descriptorDebt -= 1 }
      client.answers.append(request.answer(outcome, context))
    }
    advance(client)
  }

  /// The configuration was read again, or could not be.
  func reloaded(_ outcome: Result<ConfigurationChanges, ReloadFailure>) {
    let tickets = reloads
    reloads = []
    for ticket in tickets { answer(ticket) { .done($0.answer(outcome)) } }
  }

  private func answer(_ ticket: Ticket, _ slot: (Request) -> AnswerQueue.Slot) {
    guard let client = byID[ticket.client], let place = client.answers.ticket(ticket.number) else { return }
    client.answers.replace(place.index, slot(place.request))
    advance(client)
  }
}
