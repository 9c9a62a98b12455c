import Clocks
import ConfabAccounts
import ConfabEngine
import MessageLog
import Reactor
import ConfabConfiguration
import Syscalls
import Transport
import XMPPStream

/// Drives the engine with the real world: events in, actions out, no decision of its own.
final class Driver {
  private let loop: EventLoop
  private let engine: Engine
  private let configuration: ServedConfiguration
  private let journal: Journal
  private let service: ServiceManager
  private let links: Links
  private let emoticons: EmoticonReader
  private let descriptors = HeldDescriptors()
  private let clients: ClientConnections
  private var log: LogThread?
  private var keys: KeyWorker?
  private var search: SearchThread?
  private var files: FileOrders?
  private var transfers: RunningTransfers?
  private var hooks: RunningHooks?
  private var isHandling = false
  /// Set by `Action.exit`.
  private(set) var exitStatus: Int32?

  /// - Parameter data: the data directory.
  init(
    loop: EventLoop, engine: Engine, storage: any LogStorage, links: Links, listeners: Listeners,
    configuration: ServedConfiguration, emoticons: EmoticonReader, hooks: HookSurroundings, data: String,
    journal: Journal,
    service: ServiceManager
  ) throws(Errno) {
    (self.loop, self.engine, self.configuration) = (loop, engine, configuration)
    (self.journal, self.service, self.links, self.emoticons) = (journal, service, links, emoticons)
    clients = ClientConnections(loop: loop, descriptors)
    clients.onEvent = { [unowned self] in handle(.client($0, $1)) }
    clients.onDrained = { [unowned self] ids in turn { engine.handle(drained: ids, at: loop.now(), into: &$0) } }
    listeners.onConnection = clients.accept
    links.onEvent = { [unowned self] in handle(.link($0, $1)) }
    log = try LogThread(
      storage: storage, loop: loop, onCommit: { [unowned self] in handle(.committed($0)) },
      onReserve: { [unowned self] in handle(.diskReserveKept($0)) },
      onKeys: { [unowned self] in handle(.keysChanged($0)) },
      onPages: { [unowned self] in handle(.pagesStored($0)) },
      onCheckpoint: { [unowned self] in handle(.checkpointStored($0)) })
    search = SearchThread(storage: storage, loop: loop) { [unowned self] in handle(.found($0, $1)) }
    emoticons.onRead = { [unowned self] in handle(.emoticons($0.emoticons, problems: $0.problems)) }
    files = FileOrders(loop: loop, data: data, clients, descriptors) { [unowned self] in handle(.file($0, $1)) }
    transfers = RunningTransfers(loop: loop) { [unowned self] in handle(.transfer($0, $1)) }
    self.hooks = RunningHooks(loop: loop, hooks) { [unowned self] in handle(.hookEnded($0, $1)) }
    keys = KeyWorker(loop: loop) { [unowned self] in handle(.derived($0, $1)) }
    loop.onDeadline = { [unowned self] in handle(.tick) }
  }

  /// Hands an event to the engine and does what it wants.
  func handle(_ event: Event) { turn { engine.handle(event, at: loop.now(), into: &$0) } }

  private func turn(_ hand: (inout [Action]) -> Void) {
    precondition(!isHandling, "the loop's handlers never nest")
    isHandling = true
    var actions: [Action] = []
    hand(&actions)
    for action in actions { perform(action) }
    loop.setDeadline(engine.nextDeadline)
    isHandling = false
    clients.reportPendingOutputs()
  }

  private func perform(_ action: Action) {
    switch action {
    case .link(let link, .derive(let account, let request)):
      keys?.derive(request, for: link, account: configuration.current.accounts.first { $0.name == account })
    case .link(let link, let action): links.perform(action, on: link)
    case .client(let id, let action): clients.perform(action, on: id)
    case .broadcast(let ids, let bytes): clients.broadcast(bytes, to: ids)
    case .closeDescriptors(let ids): for id in ids { _ = descriptors.take(id) }
    case .commit(let batch): log?.commit(batch)
    case .storePages(let pages): log?.store(pages)
    case .keepDiskReserve: log?.keepDiskReserve()
    case .changeKeys(let order): log?.change(order)
    case .checkpoint(let snapshot): log?.store(snapshot)
    case .search(let id, let query, let scope, let user): search?.start(id, query, in: scope, for: user)
    case .cancelSearch(let id): search?.cancel(id)
    case .refreshNames: links.refreshNames(asking: configuration.current.daemon.dnsServers)
    case .forgetKeys(let account): keys?.forget(account)
    case .file(let ticket, let order): files?.carryOut(order, ticket)
    case .transfer(let ticket, let request, let file): transfers?.start(ticket, request, descriptors.take(file))
    case .cancelTransfer(let ticket): transfers?.cancel(ticket)
    case .runHook(let run): hooks?.start(run)
    case .killHook(let id): hooks?.kill(id)
    case .readEmoticons: emoticons.read()
    case .readConfiguration: reload()
    case .logLevel(let level): journal.level = level
    case .releaseMemory: ProcessEnvironment.releaseMemory()
    case .serviceStatus(let words): service.notify(status: words)
    case .journal(let level, let line, let fields): journal.write(level, line, fields)
    case .exit(let status): leave(status)
    }
  }

  /// Reads the configuration; the engine hears of it once this turn is over.
  func reload() {
    service.notify("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonicMilliseconds)000")
    let outcome = configuration.reload()
    if case .read(let new) = outcome { keys?.keep(only: new.accounts) }
    loop.deferWork { [self] in
      handle(.configuration(outcome))
      service.notify("READY=1")
    }
  }

  /// Ends the loop once the log's thread has done what it was given.
  private func leave(_ status: Int32) {
    exitStatus = status
    keys?.stop()
    hooks?.stop()
    let done = loop.makeMailbox { [unowned self] (_: Void) in loop.stop() }
    log?.afterAll(done)
  }
}
