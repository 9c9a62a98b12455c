import Bytes
import Clocks
import ConfabAccounts
import ConfabEngine
import MarkedText
import MessageLog
import Records
import Search
import ConfabConfiguration
import State

/// The daemon's process: the real engine over the real log, from one start to the next.
final class Daemon {
  let world: World
  let disk: SimulatedDisk
  let network: Network
  let frontEnds: FrontEnds
  private var engine: Engine?
  private let log: LogUUID
  private(set) var events = 0
  /// It stands still until then, and hears of everything later.
  private var stalledUntil = Instant(milliseconds: 0)
  /// What it has not heard, oldest first.
  private var unheard: [Event] = []
  /// Who has not read yet what many were told, and how much that is.
  private var kept: [(ClientID, Int)] = []
  private var life = 0
  /// A deadline that has come and is not over.
  private var idleTicks = 0
  /// Its state is being made anew.
  private var isReadingLog = false
  /// A mistake: the time of a wake-up that is dropped.
  private var forgotten: Instant?

  init(_ world: World, _ disk: SimulatedDisk, _ network: Network, _ frontEnds: FrontEnds, log: LogUUID) {
    (self.world, self.disk, self.network, self.frontEnds, self.log) = (world, disk, network, frontEnds, log)
    network.deliver = { [unowned self] in deliver($0) }
    frontEnds.deliver = { [unowned self] in deliver($0) }
  }

  var isRunning: Bool { engine != nil }

  /// When it wants to be woken.
  var nextDeadline: Instant? {
    guard let deadline = engine?.nextDeadline, deadline != forgotten else { return nil }
    if world.bug == .forgottenDeadline, deadline - world.now.instant > .seconds(100) {
      forgotten = deadline
      return nil
    }
    return max(deadline, stalledUntil)
  }

  // MARK: - Life

  func start() {
    guard engine == nil else { return }
    let fails = world.happens(30)
    if fails {
      world.note(.failedStart)
      disk.failDuringStart()
    }
    disk.failReadsOfStart()
    let isHard = disk.hasReadFailures
    let start = DaemonStart(world, disk, log)
    do {
      engine = try start.engine()
    } catch {
      world.hold(fails || isHard, "the log can be opened: \(error)")
      disk.losePower()
      return startLater()
    }
    network.server.starts += 1
    disk.witness.rooms.starts = network.server.starts
    disk.endFailures()
    world.trace.line(world.now, "the daemon starts; \(disk.witness.durable) records")
    deliver(.started)
    frontEnds.daemonStarted()
  }

  private func startLater() { world.after(world.dice.interval(10...20_000)) { [self] in start() } }

  /// It is gone from one moment to the next; with the machine, or without.
  func die(withMachine: Bool) {
    guard engine != nil else { return }
    end()
    if withMachine { disk.losePower() } else { disk.kill() }
    startLater()
  }

  private func end() {
    engine = nil
    isReadingLog = false
    life += 1
    stalledUntil = world.now.instant
    unheard = []
    network.forgetAll()
    frontEnds.daemonEnded()
  }

  func stop() {
    let isInterrupt = !world.dice.percent(70)
    if world.bug == .hastyClose, isInterrupt { network.closeAll() }
    deliver(.stop(isInterrupt ? .interrupt : .terminate))
  }

  /// The user changes the configuration and reloads it.
  func reload() {
    world.isReconfigured.toggle()
    if world.bug == .hastyClose { network.closeAll() }
    deliver(.configuration(.read(world.configuration)))
  }

  /// The user sends last messages, disconnects as they leave, and connects again.
  func signOff() {
    for _ in 0..<world.dice.within(1...4) { frontEnds.writeOne() }
    world.after(world.dice.interval(0...100)) { [self] in
      if world.bug == .hastyClose { network.closeAll() }
      frontEnds.askAccounts(to: "disconnect")
      world.after(world.dice.interval(1_000...60_000)) { [self] in frontEnds.askAccounts(to: "connect") }
    }
  }

  func stall(_ interval: Interval) {
    guard engine != nil, stalledUntil <= world.now.instant else { return }
    stalledUntil = world.now.instant.advanced(by: interval)
    world.stalledUntil = stalledUntil
  }

  // MARK: - Events and actions

  func deliver(_ event: Event) {
    guard engine != nil else { return }
    guard stalledUntil > world.now.instant || !unheard.isEmpty else { return handle(event) }
    unheard.append(event)
    if unheard.count == 1 { hearLater() }
  }

  /// It goes on, and hears of everything in its order.
  private func hearLater() {
    let life = life
    world.at(stalledUntil) { [self] in
      guard life == self.life else { return }
      if stalledUntil > world.now.instant { return hearLater() }
      hear()
    }
  }

  /// It hears what has come; what comes meanwhile is heard a moment later, so that time goes by.
  private func hear() {
    let (come, life) = (unheard, life)
    for event in come where life == self.life && world.broken == nil { handle(event) }
    guard life == self.life, world.broken == nil else { return }
    unheard.removeFirst(come.count)
    guard !unheard.isEmpty else { return }
    world.after(.milliseconds(1)) { [self] in if life == self.life { hear() } }
  }

  func tick() {
    let before = engine?.nextDeadline
    handle(.tick)
    let isStuck = before != nil && engine?.nextDeadline == before
    idleTicks = isStuck ? idleTicks + 1 : 0
    world.hold(idleTicks < 20, "a deadline that has come is over")
  }

  private func handle(_ event: Event) {
    guard let engine else { return }
    events += 1
    Telling.note(event, world)
    switch event {
    case .link(let id, .closed): network.forget(id)
    case .client(let id, .closed): frontEnds.forget(id)
    default: break
    }
    var actions: [Action] = []
    engine.handle(event, at: world.now, into: &actions)
    for action in actions {
      Telling.note(action, world)
      perform(action)
    }
    while let (id, count) = kept.popLast() { handle(.client(id, .pendingOutput(count))) }
  }

  private func perform(_ action: Action) {
    switch action {
    case .link(let id, let action): network.perform(action, id)
    case .client(let id, let action): frontEnds.perform(action, id)
    case .broadcast(let ids, let bytes):
      // Nobody has read it yet.
      for id in ids {
        frontEnds.perform(.write(bytes), id)
        kept.append((id, bytes.count))
      }
    case .commit(let batch): commit(batch)
    case .keepDiskReserve: answer(.diskReserveKept(disk.keepDiskReserve()))
    case .changeKeys(let order): answer(.keysChanged(disk.change(order)))
    case .checkpoint(let snapshot): answer(.checkpointStored(disk.store(snapshot)))
    case .storePages(let pages): answer(.pagesStored(disk.store(pages)))
    case .search(let id, let query, let scope, _): search(id, query, scope)
    // What was found already is not stopped on its way, as with a real thread.
    case .cancelSearch: break
    case .file(let ticket, .measureFreeSpace): answer(.file(ticket, .freeSpace(world.freeSpace)))
    case .file(let ticket, _): answer(.file(ticket, .missing))
    case .transfer, .cancelTransfer, .runHook, .killHook: break
    case .readEmoticons: answer(.emoticons(Emoticons(), problems: []))
    case .readConfiguration:
      world.after(.milliseconds(1)) { [self] in deliver(.configuration(.read(world.configuration))) }
    case .exit(let status):
      // What the engine says behind that is still heard.
      world.after(.zero) { [self] in exit(status) }
    case .serviceStatus(let words): note(isReadingLog: words.hasPrefix("reading the log"))
    case .journal, .logLevel, .releaseMemory, .refreshNames, .forgetKeys, .closeDescriptors: break
    }
  }

  /// The daemon begins to read the log anew, or has done so.
  private func note(isReadingLog: Bool) {
    guard isReadingLog != self.isReadingLog else { return }
    self.isReadingLog = isReadingLog
    if isReadingLog { disk.failReadsOfRebuild() } else { disk.rebuilt() }
  }

  private func commit(_ batch: LogBatch) {
    disk.commit(batch) { [self] in answer(.committed($0)) }
  }

  private func search(_ id: SearchID, _ query: SearchQuery, _ scope: SearchScope) {
    var queue = SearchQueue(storage: disk.storage)
    queue.add(id, query, in: scope, for: 0)
    while !queue.isEmpty { if let found = queue.step() { answer(.found(found.id, found.outcome)) } }
  }

  /// What the log's thread says, at a time of its own.
  private func answer(_ event: Event) {
    let life = life
    world.after(.zero) { [self] in if life == self.life { deliver(event) } }
  }

  private func exit(_ status: Int32) {
    guard engine != nil else { return }
    world.hold(status == 0, "it ends well, and not with \(status)")
    end()
    disk.kill()
    if world.happens(300) { disk.losePower() }
    startLater()
  }
}
