package import Clocks
import Conversations
package import Facts
package import MessageLog
import Records
package import Settings
import LineProtocol
import XMPPCore

/// The whole of Confab without the world around it: accounts, streams, log, conversations and front ends, driven by
/// events and answering with actions. Time, randomness, network, disk and descriptors are handed in, so the same events
/// do the same, byte for byte. Not thread-safe: one thread owns it.
package final class Engine {
  let facts: Facts
  let accounts = Accounts()
  let clients: Clients
  let effects: Effects
  let storage: Storage
  let records: RecordReader
  let log: LogUUID
  var configuration: Configuration
  /// Set once `stop` came: how the end is going.
  var stopping: Stopping?
  /// Streams are left to be resumed, and not closed.
  var leavesStreams = false
  /// Since when the disk has failed, and when it is tried again.
  var failingSince: Instant?
  var storageRetry: Instant?
  /// When the accounts were last told that the network changed, and when they are to be told again.
  var networkTold: Instant?
  var networkDue: Instant?
  /// The accounts' records that are durable.
  var declared: [UInt32: AccountRecord] = [:]
  /// The facts are not whole yet: the log is being read.
  var replay: Replay?
  /// The last record of the checkpoint that is being written.
  var checkpointUnderWay: UInt64?
  /// When pages that could not be written are tried again, at the earliest.
  var pagesRetry: Instant?
  /// When memory is given back.
  var release = MemoryRelease()
  /// The last of `Action.serviceStatus`.
  var saidToServiceManager = ""

  enum Stopping {
    /// Waiting for the last sync, then for the streams to close, then for pages, until this time at the latest.
    case syncing(until: Instant)
    case closing(until: Instant)
    /// What is in memory goes to pages.
    case storing(until: Instant)
    case done
  }

  /// How long a stop may take.
  static let stopPatience = Interval.seconds(5)
  /// Records between two checkpoints, so that a start reads no more than that.
  static let checkpointEvery = 200_000

  /// An engine over an open log.
  ///
  /// - Parameters:
  ///   - facts: the fold of all its records, or of those before `rest`.
  ///   - writer: goes on behind them.
  ///   - host: the process that it runs in.
  ///   - utcOffset: seconds east of UTC at a time, for the titles of sections.
  ///   - rest: the records from here on are folded while front ends are served.
  package init(
    configuration: Configuration, facts: Facts, log: LogUUID, writer: LogWriter, reader: LogReader,
    random: any RandomSource, now: Moment, host: Host, utcOffset: @escaping (Timestamp) -> Int,
    rest: LogCursor? = nil
  ) {
    self.configuration = configuration
    self.facts = facts
    replay = rest.map { Replay(cursor: $0) }
    self.log = log
    declared = facts.accounts.mapValues(\.record)
    effects = Effects(now: now, random: random, utcOffset: utcOffset)
    storage = Storage(LogQueue(writer))
    records = RecordReader(reader, of: storage, effects)
    let context = RequestContext(
      facts: facts, accounts: accounts, effects: effects, storage: storage, records: records)
    clients = Clients(log: log.description, host: host, context)
    facts.mendPages { [storage] in storage.queue.index }
  }

  /// When `handle(.tick)` is wanted next; nil: only when something happens.
  package var nextDeadline: Instant? {
    var next = storage.queue.nextStart(at: effects.now.instant).orEarlier(clients.nextDeadline)
      .orEarlier(storageRetry).orEarlier(networkDue).orEarlier(release.deadline)
      .orEarlier(stopping == nil ? replay?.due : nil)
    for account in accounts.alive { next = next.orEarlier(account.deadline) }
    switch stopping {
    case .syncing(let until), .closing(let until), .storing(let until): return next.orEarlier(until)
    case .done, nil: return next
    }
  }

  /// Handles one event; what is to be done is appended to `actions`, in order.
  package func handle(_ event: Event, at now: Moment, into actions: inout [Action]) {
    effects.now = now
    dispatch(event)
    handOut(&actions)
  }

  /// The same for connections that have taken all that was written to them: there may be a thousand at once.
  package func handle(drained clients: [ClientID], at now: Moment, into actions: inout [Action]) {
    effects.now = now
    for id in clients { dispatch(.client(id, .drained)) }
    handOut(&actions)
  }

  private func handOut(_ actions: inout [Action]) {
    settle()
    actions += effects.actions
    effects.actions.removeAll(keepingCapacity: true)
  }

  private func dispatch(_ event: Event) {
    switch event {
    case .started:
      guard replay == nil else { return beginReplaying() }
      configure(configuration)
      tellOfUnknownAccounts()
      takeCheckpointIfDue()
      effects.act(.keepReserve)
    case .tick: tick()
    case .link(let link, let event): accounts.linked(link)?.handle(event)
    case .derived(let link, let derived): accounts.linked(link)?.connector.derived(derived)
    case .client(let id, let event): clients.handle(id, event)
    case .committed(.stored): committed(inReserve: false)
    case .committed(.storedInReserve): committed(inReserve: true)
    case .reserveKept(let error): reserveKept(error)
    case .committed(.failed(let error, let isWithdrawn)): storageFailed(error, isWithdrawn: isWithdrawn)
    case .pagesStored(let error): pagesStored(error)
    case .checkpointStored(let outcome): checkpointStored(outcome)
    case .found(let id, let outcome): clients.found(id, outcome)
    case .configuration(let outcome): configurationRead(outcome)
    case .networkChanged: networkChanged()
    case .woke: woke()
    case .clockSet: clockSet()
    case .stop(let request): stop(request)
    }
  }

  /// What follows from an event, before its actions are handed out.
  private func settle() {
    tellFrontEnds()
    for account in accounts.alive { account.flush() }
    goOnStopping()
    // A stream that was closed just now has left questions open, and is news.
    tellFrontEnds()
    for account in accounts.alive { account.flush() }
    accounts.forgetEnded()
    if storage.queue.isDue(at: effects.now.instant) {
      for account in accounts.alive { if account.isOnline { account.router.recordProgress() } }
    }
    if let batch = storage.queue.takeBatch(at: effects.now.instant) { effects.act(.commit(batch)) }
  }

  /// Hands out what accounts have for front ends; their next requests may lead to more.
  private func tellFrontEnds() {
    while !effects.outcomes.isEmpty || !effects.ephemeralEvents.isEmpty {
      let (outcomes, events) = (effects.outcomes, effects.ephemeralEvents)
      effects.outcomes = []
      effects.ephemeralEvents = []
      for (ticket, outcome) in outcomes { clients.answer(ticket, outcome) }
      clients.publish(events)
      guard events.contains(where: { $0 is ConnectionChanged }) else { continue }
      tellServiceManager()
      release.connectionsChanged(at: effects.now.instant)
    }
  }

  private func tick() {
    goOnReplaying()
    if let retry = storageRetry, retry <= effects.now.instant { tryStorage() }
    if let due = networkDue, due <= effects.now.instant { tellOfNetwork() }
    while let pause = release.takeDue(at: effects.now.instant) { giveMemoryBack(in: pause) }
    for account in accounts.alive { account.tick() }
    clients.tick()
  }
}
