package import ConfabAccounts
package import Clocks
import Timelines
import JSON
import LineProtocol
package import MarkedText
import MessageLog
package import Records
package import Search
package import ConfabConfiguration
package import State

/// The side of the socket: takes up what clients ask, in order, and writes what they are owed. Answers are held until
/// the records they speak of are durable; nothing is shown that a crash could take back.
package final class Clients {
  package let context: RequestContext
  /// The greeting's `log`: the log's UUID.
  let log: String
  private var table = ClientTable()
  private var admission: Admission
  package let watchers: Watchers
  package let hooks: Hooks
  var waiters = Waiters()
  var searches = Searches()
  var cursors = NamedCursors()
  package var attendance = Attendance()
  /// True if records of refused requests may be on the disk all the same.
  var isInDoubt = false
  var shares: RequestShares
  var tickets = Tickets()
  var reservedKeys = ReservedKeys()

  package init(log: String, host: Host, _ context: RequestContext) {
    (self.log, self.context) = (log, context)
    shares = RequestShares(owner: host.user)
    watchers = Watchers(context)
    hooks = Hooks(context)
    cursors.opened = context.storage.queue.durable
    admission = Admission(host: host)
    hooks.isNotice = { [unowned self] in attendance.isNotice($0, in: $1, context) }
  }

  /// When a tick is wanted next.
  package var nextDeadline: Instant? {
    guard context.storage.isWhole else { return attendance.deadline }
    return waiters.nextDeadline.orEarlier(watchers.nextDeadline).orEarlier(hooks.nextDeadline)
      .orEarlier(attendance.deadline)
  }

  /// True if somebody is there: shows a conversation, watches, waits, or has just asked for something.
  package var areAttended: Bool { !watchers.isEmpty || attendance.isRecent || !waiters.isEmpty }

  /// The connection with this name, while it is open.
  subscript(id: ClientID) -> Client? { table[id] }

  /// In the order in which they connected.
  var all: [Client] { table.all }

  // MARK: Connections

  package func handle(_ id: ClientID, _ event: ClientEvent) {
    if case .connected(let caller) = event { return connect(id, caller) }
    guard let client = table[id] else {
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
      client.output.drained()
      return attend(client)
    case .descriptorsTaken(let count): client.output.descriptorsTaken(count)
    case .pendingOutput(let count): client.output.addPending(count)
    case .writeFailed:
      client.output.fail()
      attendance.focuses.clear(id)
      forgetWaiting(client)
      endWatch(of: client)
    case .closed: return forget(client)
    }
    advance(client)
    countInput(of: client)
  }

  /// A client that has too much of an unfinished request is told, and ends.
  private func countInput(of client: Client) {
    guard self[client.id] === client, !shares.countInput(of: client) else { return }
    client.answers.append(RequestFailure(.limit, "too many unfinished requests of this user").line())
    end(client)
    shares.dropInput(of: client)
  }

  /// A connection is greeted, or told why not and closed.
  private func connect(_ id: ClientID, _ caller: Caller) {
    do throws(RequestFailure) {
      let socket = try admission.admit(caller, context.effects)
      let client = Client(id, caller, socket, admission.budget, context.effects)
      table.add(client)
      var greeting = JSONWriter()
      Greeting(
        version: ConfabVersion.text, log: log, last: context.storage.queue.durable, rights: socket.rights,
        spoolSize: context.effects.daemon.files.spoolSize
      ).write(into: &greeting)
      client.output.write(greeting.bytes)
    } catch {
      admission.reject(id, error, context.effects)
    }
  }

  /// Serves what the configuration says; connections of sockets that are gone or have other rights end, and those of
  /// people who may not use them any more.
  package func configure(_ configuration: Configuration) {
    admission.configure(configuration)
    for client in all where !admission.isAdmitted(client) {
      context.effects.journal(
        .info, "closed a connection of user \(client.caller.user): the new configuration does not allow it")
      end(client)
    }
    hooks.configure(configuration.hooks)
  }

  /// Closes a client once its ordered requests are answered, so that it knows what was stored; drops its waits and its
  /// watch.
  private func end(_ client: Client) {
    client.isClosing = true
    forgetWaiting(client)
    endWatch(of: client)
    advance(client)
  }

  /// The connection is gone, or about to be: nothing is owed to it any more.
  func forget(_ client: Client) {
    client.output.drained()
    close(client.requests.takeAllDescriptors() + client.answers.descriptors)
    shares.dropInput(of: client)
    admission.left(client.caller)
    forgetWaiting(client)
    attendance.focuses.clear(client.id)
    endWatch(of: client)
    for account in context.accounts.all { account.parts.clientLeft(client.id) }
    table.remove(client)
  }

  /// Nothing is answered out of order any more.
  private func forgetWaiting(_ client: Client) {
    let ended =
      waiters.forget(client.id) + searches.cancel(of: client.id, context) + tickets.forgetLate(of: client.id)
    for request in ended { shares.endWaiting(request, client) }
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
  package func publish(_ record: Record, _ change: State.Change, sequence: UInt64) {
    guard !watchers.isEmpty, context.storage.isWhole else { return }
    if case .message(let message) = record, case .message(let conversation, let place) = change {
      publish(message, at: place.row, in: conversation, sequence: sequence)
    } else {
      let event = DurableEvents(context: context).read(record, sequence: sequence)
      // An event that is not known now is read from the log later, with all before it that somebody has not had.
      event.isKnown ? watchers.append(event.line, sequence: sequence) : watchers.feed.forgetLines()
    }
  }

  /// A message became durable and has its row: its event is kept ready for live watchers.
  package func publish(
    _ message: borrowing some DetailedMessage & ~Copyable, at row: Int, in conversation: Conversation, sequence: UInt64
  ) {
    let isNotice = attendance.isNotice(conversation.timeline[row], in: conversation, context)
    let line = DurableEvents(context: context).event(
      of: message, at: row, in: conversation, sequence: sequence, isNotice: isNotice)
    watchers.append(line, sequence: sequence)
  }

  /// Something happened that is in no record.
  package func publish(_ events: [EphemeralEvent]) {
    guard context.storage.isWhole else { return watchers.isEmpty ? () : watchers.append(events) }
    if events.contains(where: { $0.kind == .connection }) {
      hooks.connectionsChanged()
      for client in answer(waiters.connectionChanged(context)) { advance(client) }
    }
    guard !watchers.isEmpty else { return }
    watchers.append(events)
    deliver(to: watchers.clients)
  }

  /// A sync came: what waited for it goes on.
  package func durable() {
    guard context.storage.isWhole else { return }
    deliver(to: all)
    hooks.advance()
  }

  /// Hands out the events that came since the last time, once for all that want all of them.
  private func deliver(to clients: [Client]) {
    var batch = watchers.nextBatch(space: min(admission.budget.allowance, ClientOutput.mostEvents))
    for client in clients where batch?.deliver(to: client) != true { attend(client) }
    if let batch, !batch.bytes.isEmpty, !batch.audience.isEmpty {
      context.effects.act(.broadcast(batch.audience, batch.bytes))
    }
    watchers.batchDelivered()
  }

  /// A message of mine got further. Not all of its batch is applied yet, so no client is advanced before `durable`.
  package func delivered(_ delivery: DeliveryRecord) {
    answer(waiters.delivered(delivery))
  }

  /// Answers the requests whose time is up, and goes on with watchers that are behind.
  package func tick() {
    attendance.tick(at: context.effects.now.instant)
    guard context.storage.isWhole else { return }
    hooks.tick()
    for client in watchers.takeBehind(at: context.effects.now.instant) { advance(client) }
    for client in answer(waiters.takeOverdue(context)) { advance(client) }
  }

  /// Hands out answers out of order; the clients that are still there.
  @discardableResult
  private func answer(_ answers: [Waiters.Answer]) -> [Client] {
    answers.compactMap { id, request, line in
      guard let client = table[id] else { return nil }
      shares.endWaiting(request, client)
      if !client.answers.appendBehindPage(line) { client.output.write(line) }
      return client
    }
  }

  /// A search has come to its end.
  package func found(_ id: SearchID, _ outcome: SearchOutcome) {
    guard let search = searches.end(id, context), let client = table[search.client] else { return }
    let shown = outcome.hits.filter(context.isPresent)
    if let next = search.next(behind: outcome, shown: shown) { return searches.add(next, context) }
    var outcome = outcome
    outcome.hits = shown
    shares.endWaiting(search.request, client)
    client.answers.append(search.answer(outcome, context))
    advance(client)
  }

  /// The server answered a request that a client waits for.
  package func answer(_ ticket: Ticket, _ outcome: TicketOutcome) {
    if let request = tickets.takeLate(ticket) { return answerLate(request, ticket.client, outcome) }
    if let descriptor = outcome.descriptor { close([descriptor]) }
    answer(ticket) { request in
      if case .olderFetched(let sequence) = outcome { return .page(after: sequence, request) }
      if let (sequence, completion) = outcome.record { return .stored(sequence: sequence, request, then: completion) }
      return .done(request.answer(outcome, context))
    }
  }

  private func answerLate(_ request: Request, _ id: ClientID, _ outcome: TicketOutcome) {
    guard let client = table[id] else { return }
    shares.endWaiting(request, client)
    switch outcome {
    case .avatar(let avatar): client.answers.append(.passing(request.answer(avatar), avatar.descriptor, after: 0))
    case .file(let file):
      client.answers.append(.passing(request.answer(file), file.descriptor, after: file.facts))
    default:
      if request.row.givesDescriptor { client.output.dropDescriptor() }
      if let (sequence, completion) = outcome.record {
        client.answers.append(.stored(sequence: sequence, request, then: completion))
      } else {
        client.answers.append(request.answer(outcome, context))
      }
    }
    advance(client)
  }

  /// The configuration was read again, or could not be.
  package func reloaded(_ outcome: Result<ConfigurationChanges, ReloadFailure>) {
    for ticket in tickets.takeReloads() { answer(ticket) { .done($0.answer(outcome)) } }
  }

  /// The packs of emoticons were read: requests that wait for them go on.
  package func emoticonsRead(_ emoticons: Emoticons, _ problems: [String]) {
    context.emoticons.take(emoticons, problems, context.effects)
    for client in all { advance(client) }
  }

  /// Files were copied: requests with their key go on.
  func free(_ key: String) {
    reservedKeys.free(key)
    for client in all where client.requests.isDeferred { advance(client) }
  }

  private func answer(_ ticket: Ticket, _ slot: (Request) -> AnswerQueue.Slot) {
    guard let client = table[ticket.client], let place = client.answers.ticket(ticket.number) else { return }
    client.answers.replace(place.index, slot(place.request))
    advance(client)
  }
}

extension TicketOutcome {
  /// The record that has to be durable before it is answered; nil: none.
  fileprivate var record: (sequence: UInt64, then: AnswerQueue.Completion)? {
    switch self {
    case .done(let sequence): (sequence, .plain)
    case .joined(let room, let sequence): (sequence, .room(room))
    case .moderated(let id, let sequence): (sequence, .moderated(id))
    default: nil
    }
  }
}
