package import ConfabAccounts
import SocketClients
package import Clocks
import LineProtocol
package import MessageLog
import Records
package import ConfabConfiguration
package import State

/// The whole of Confab without the world around it: accounts, streams, log, conversations and clients, driven by events
/// and answering with actions. Time, randomness, network, disk and descriptors are handed in, so the same events do the
/// same, byte for byte. Not thread-safe: one thread owns it.
package final class Engine {
  private(set) var state: State
  let accounts = Accounts()
  let clients: Clients
  let effects: Effects
  let storage: Storage
  let records: RecordReader
  /// Reads records for the decisions of accounts.
  let decisive: RecordReader
  let derived: DerivedData
  let epoch: EpochChange
  let log: LogUUID
  var configuration: Configuration { didSet { effects.daemon = configuration.daemon } }
  /// Reads the log while state is not whole yet; nil: it is.
  var replay: LogReplay?
  /// When the index was last found to be damaged.
  private var lastRebuild: Instant?
  /// Set once `stop` came: how far the end is.
  var stopping: OrderlyStop?
  private var network = NetworkChanges()
  private var serviceStatus = ServiceStatus()

  /// An engine over an open log.
  ///
  /// - Parameters:
  ///   - state: all its records applied, or those before `rest`.
  ///   - writer: goes on behind them.
  ///   - host: the process that it runs in.
  ///   - utcOffset: seconds east of UTC at a time, for the titles of sections.
  ///   - keys: of the epochs, for the secrets in the log; empty: nothing is encrypted.
  ///   - rest: the records from here on are applied while clients are served.
  package init(
    configuration: Configuration, state: State, log: LogUUID, writer: LogWriter, reader: LogReader,
    keys: [EpochKey] = [], random: any RandomSource, now: Moment, host: Host, utcOffset: @escaping (Timestamp) -> Int,
    rest: LogCursor? = nil
  ) {
    (self.configuration, self.state, self.log) = (configuration, state, log)
    effects = Effects(now: now, random: random, utcOffset: utcOffset)
    effects.daemon = configuration.daemon
    storage = Storage(LogQueue(writer), of: log, Keyring(keys), effects)
    epoch = EpochChange(storage, effects)
    let unreadable = UnreadablePlaces()
    records = RecordReader(reader, of: storage, unreadable, effects)
    decisive = RecordReader(reader.another(), of: storage, unreadable, effects, interrupting: storage.interruption)
    derived = DerivedData(of: state, log, storage, effects)
    clients = Clients(
      log: log.description, host: host, RequestContext(state, accounts, effects, storage, records, unreadable))
    replay = rest.map { LogReplay(of: state, from: $0, storage, records, derived, effects) }
    epoch.accounts = { [unowned self] in
      self.state.accounts.all.map { account in
        accounts.numbered(account.number)?.parts.messaging.encryption.secrets
          ?? Secrets(account, decisive, storage, effects)
      }
    }
    watchIndex()
  }

  /// When `handle(.tick)` is wanted next; nil: only when something happens.
  package var nextDeadline: Instant? {
    var next = storage.queue.nextStart(at: effects.now.instant).orEarlier(clients.nextDeadline)
      .orEarlier(epoch.deadline).orEarlier(storage.retryDue).orEarlier(network.due).orEarlier(derived.deadline)
      .orEarlier(stopping == nil ? replay?.due : stopping?.deadline)
    for account in accounts.alive { next = next.orEarlier(account.deadline) }
    return next
  }

  /// Handles one event; what is to be done is appended to `actions`, in order.
  package func handle(_ event: Event, at now: Moment, into actions: inout [Action]) {
    effects.now = now
    dispatch(event)
    handOut(&actions)
  }

  /// Handles `drained` events of many connections at once: there may be a thousand.
  package func handle(drained clients: [ClientID], at now: Moment, into actions: inout [Action]) {
    effects.now = now
    for id in clients { dispatch(.client(id, .drained)) }
    handOut(&actions)
  }

  private func handOut(_ actions: inout [Action]) {
    rebuildIfDamaged()
    restartIfInterrupted()
    noteAttendance()
    settle()
    actions += effects.actions
    effects.actions.removeAll(keepingCapacity: true)
  }

  /// Tells servers, and contacts, whether anybody is there.
  private func noteAttendance() {
    let isAttended = clients.areAttended
    clients.attendance.update(at: effects.now)
    for account in accounts.all {
      account.parts.core.clientState.set(isActive: isAttended)
      account.note(clients.attendance.interaction)
    }
  }

  private func dispatch(_ event: Event) {
    switch event {
    case .started: start()
    case .tick: tick()
    case .link(let link, let event): accounts.linked(link)?.handle(event)
    case .derived(let link, let derived): accounts.linked(link)?.connector.derived(derived)
    case .client(let id, let event): clients.handle(id, event)
    case .committed(let outcome):
      committed(outcome)
      replay?.written()
    case .diskReserveKept(let error): diskReserveKept(error)
    case .keysChanged(let error): epoch.changed(error)
    case .pagesStored(let error):
      derived.pagesStored(error)
      replay?.written()
    case .checkpointStored(let outcome):
      derived.checkpointStored(outcome)
      replay?.written()
    case .found(let id, let outcome): clients.found(id, outcome)
    case .file(let ticket, let outcome): effects.ended(ticket, outcome)
    case .transfer(let ticket, let event): effects.reported(ticket, event)
    case .hookEnded(let id, let outcome): clients.hooks.ended(id, outcome)
    case .emoticons(let emoticons, let problems): clients.emoticonsRead(emoticons, problems)
    case .configuration(let outcome): configurationRead(outcome)
    case .networkChanged: if network.changed(at: effects.now.instant) { reportNetwork() }
    case .woke:
      // Connections may be gone, and servers may be reached that could not be.
      effects.journal(.info, "the machine woke up")
      reportNetwork()
    case .clockSet:
      // Connections are not timed by the wall clock; what is reported in its terms is reported anew.
      effects.journal(.info, "the clock was set")
      for account in accounts.alive { account.clockSet() }
    case .stop(let request): stop(request)
    }
  }

  private func start() {
    if let replay {
      replay.begin(.notice, "reading the whole log: no derived file could be used")
      clients.configure(configuration)
      return reportServiceStatus()
    }
    beginWithAccounts()
    derived.takeCheckpointIfDue()
    effects.act(.keepDiskReserve)
  }

  /// State is whole: accounts may connect.
  private func beginWithAccounts() {
    configure(configuration)
    epoch.finishEarlier()
    KeptFiles(context: clients.context).sweep()
    reportUnknownAccounts()
  }

  private func tick() {
    if stopping == nil, let replay {
      if replay.tick() { replayed() } else { reportServiceStatus() }
    }
    if storage.retry(accounts: { accounts.all.map(\.state.record) }) { storageWorks() }
    if network.isDue(at: effects.now.instant) { reportNetwork() }
    derived.tick()
    epoch.tick()
    for account in accounts.alive { account.tick() }
    clients.tick()
  }

  /// State is whole: the rest of the start follows, and requests that waited are answered.
  private func replayed() {
    if let new = replay?.state, new !== state {
      (state, clients.context.state) = (new, new)
      watchIndex()
    }
    replay = nil
    // All is durable; what was noted of a stanza by which damage was met was never appended.
    storage.pending.discard()
    if configuration.daemon.snapInterval != state.accounts.gap {
      state.accounts.changeGap(configuration.daemon.snapInterval)
    }
    beginWithAccounts()
    derived.takeCheckpoint()
    clients.stateRestored()
    reportServiceStatus()
  }

  /// From the moment on in which damage of the index is met, nothing is decided by the state.
  private func watchIndex() {
    state.pages?.onDamage = { [storage] _ in storage.replayed = storage.replayed ?? 0 }
  }

  /// Makes the state anew from the log if the index is damaged. Until that is done no account is connected, as at a
  /// start: links are dropped without an acknowledgement, and their streams resumed later.
  private func rebuildIfDamaged() {
    guard replay == nil, stopping == nil, let damage = state.indexDamage else { return }
    storage.interruption.end()
    dropAccounts("the index is damaged")
    // A disk that damages pages again and again gets no more of them.
    let withPages = lastRebuild.map { effects.now.instant - $0 > .hours(1) } ?? true
    lastRebuild = effects.now.instant
    replay = LogReplay(
      of: state.replacement(withPages: withPages), from: nil, storage, records, derived, effects)
    replay?.begin(.error, "the index is damaged: \(damage); it is made anew from the log, and requests wait")
    clients.stateLost()
    reportServiceStatus()
  }

  /// Begins the accounts anew once everything is durable, if the disk refused to read what one of them had to decide
  /// by.
  private func restartIfInterrupted() {
    guard storage.interruption.isOn, replay == nil, stopping == nil else { return }
    dropAccounts("the disk did not read a record")
    clients.stateLost()
    guard storage.queue.isClean else { return storage.queue.hurry() }
    storage.interruption.end()
    // Records noted for the interrupted stanza were never appended.
    storage.pending.discard()
    configure(configuration)
    clients.stateRestored()
    reportServiceStatus()
  }

  /// Drops links without an acknowledgement, and forgets what is not durable of their accounts.
  private func dropAccounts(_ reason: String) {
    for account in accounts.alive { account.connector.abandon(reason) }
    (accounts.all, accounts.retired) = ([], [])
  }

  private func reportNetwork() {
    network.report(at: effects.now.instant)
    effects.journal(.debug, "the network changed")
    effects.act(.refreshNames)
    for account in accounts.alive { account.networkChanged() }
  }

  func reportServiceStatus() {
    if let words = serviceStatus.changed(clients.context) { effects.act(.serviceStatus(words)) }
  }

  // MARK: - What follows from an event

  /// Hands on what the event led to, before its actions are handed out.
  private func settle() {
    reportToClients()
    for account in accounts.alive { account.flush() }
    continueStopping()
    // A stream that was closed just now has left requests unanswered, and is news.
    reportToClients()
    for account in accounts.alive { account.flush() }
    accounts.forgetEnded()
    rebuildIfDamaged()
    restartIfInterrupted()
    if storage.queue.isDue(at: effects.now.instant) {
      for account in accounts.alive where account.isOnline { account.lifecycle.recordProgress() }
    }
    if let batch = storage.queue.takeBatch(at: effects.now.instant) { effects.act(.commit(batch)) }
  }

  /// Hands out what accounts have for clients; their next requests may lead to more.
  private func reportToClients() {
    while !effects.outcomes.isEmpty || !effects.ephemeralEvents.isEmpty {
      let (outcomes, events) = (effects.outcomes, effects.ephemeralEvents)
      effects.outcomes = []
      effects.ephemeralEvents = []
      for (ticket, outcome) in outcomes { clients.answer(ticket, outcome) }
      clients.publish(events)
      guard events.contains(where: { $0.kind == .connection }) else { continue }
      reportServiceStatus()
      derived.connectionsChanged()
    }
  }

  // MARK: - The end

  private func stop(_ request: StopRequest) {
    guard stopping == nil else { return }
    storage.isStopping = true
    epoch.begin()
    clients.hooks.stop()
    storage.queue.hurry()
    stopping = OrderlyStop(
      leavesStreams: (configuration.daemon.onStop ?? request.manner) == .detach, at: effects.now.instant)
  }

  private func continueStopping() {
    guard let stop = stopping else { return }
    let now = effects.now.instant
    switch stop.stage {
    case .syncing:
      guard stop.isOver(storage.queue.isClean && !epoch.isUnderWay, at: now) else { return }
      let reason = "the daemon is stopping" + (stop.leavesStreams ? "; the next one resumes the stream" : "")
      for account in accounts.all { account.close(.stopped, reason, leaving: stop.leavesStreams) }
      stopping?.enter(.closing, at: now)
    case .closing:
      let isQuiet = accounts.alive.allSatisfy(\.isQuiet) && storage.queue.isClean
      guard stop.isOver(isQuiet, at: now) else { return }
      state.eviction?.rest(.last)
      stopping?.enter(.storing, at: now)
    case .storing:
      derived.storePages()
      guard stop.isOver(state.eviction?.isStoring != true, at: now) else { return }
      stopping?.enter(.done, at: now)
      derived.takeCheckpoint()
      return effects.act(.exit(0))
    case .done: return
    }
    continueStopping()
  }
}
