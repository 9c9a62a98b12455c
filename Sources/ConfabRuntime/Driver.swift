import Clocks
import ConfabEngine
import MessageLog
import Reactor
import Settings
import Syscalls
import Transport
import XMPPStream

/// Drives the engine with the real world: events in, actions out, no decision of its own.
final class Driver {
  private let loop: EventLoop
  private let engine: Engine
  private let journal: Journal
  private let service: ServiceManager
  private let readConfiguration: () -> ConfigurationOutcome
  private var configuration: Configuration
  private var log: LogThread?
  private var keys: KeyWorker?
  private var search: SearchThread?
  private let emoticons: EmoticonReader
  private var files: FileWorker?
  /// The files of messages, which may be large.
  private var transferFiles: FileWorker?
  private var transfers: RunningTransfers?
  private let links: Links
  private let listeners: Listeners
  /// The path of the main socket, until the next start; nil if systemd passed the socket and its path is unknown.
  private let mainSocket: String?
  private var clients: [ClientID: UnixConnection] = [:]
  private var lastClient: UInt64 = 0
  private let descriptors = HeldDescriptors()
  /// For whom files are being opened.
  private var opening: [FileTicket: ClientID] = [:]
  /// Connections that have sent all their output; the engine hears of them together.
  private var drained: [ClientID] = []
  /// Those that have not taken all of what they were told with others, and how much that was.
  private var pendingOutputs: [(ClientID, Int)] = []
  private var isHandling = false
  /// The data directory.
  private let data: String
  /// Set by `Action.exit`.
  private(set) var exitStatus: Int32?

  init(
    loop: EventLoop, engine: Engine, storage: any LogStorage, links: Links, listeners: Listeners, mainSocket: String?,
    configuration: Configuration, emoticons: EmoticonReader, data: String, journal: Journal, service: ServiceManager,
    readConfiguration: @escaping () -> ConfigurationOutcome
  ) throws(Errno) {
    self.loop = loop
    self.engine = engine
    self.links = links
    self.listeners = listeners
    self.mainSocket = mainSocket
    self.configuration = configuration
    (self.emoticons, self.data) = (emoticons, data)
    self.journal = journal
    self.service = service
    self.readConfiguration = readConfiguration
    links.onEvent = { [unowned self] in handle(.link($0, $1)) }
    log = try LogThread(
      storage: storage, loop: loop, onCommit: { [unowned self] in handle(.committed($0)) },
      onReserve: { [unowned self] in handle(.diskReserveKept($0)) },
      onPages: { [unowned self] in handle(.pagesStored($0)) },
      onCheckpoint: { [unowned self] in handle(.checkpointStored($0)) })
    search = SearchThread(storage: storage, loop: loop) { [unowned self] in handle(.found($0, $1)) }
    emoticons.onRead = { [unowned self] in handle(.emoticons($0.emoticons, problems: $0.problems)) }
    files = FileWorker("files", loop: loop, data: data) { [unowned self] in ended($0, $1) }
    transferFiles = FileWorker("transfers", loop: loop, data: data) { [unowned self] in ended($0, $1) }
    transfers = RunningTransfers(loop: loop) { [unowned self] in handle(.transfer($0, $1)) }
    keys = KeyWorker(loop: loop) { [unowned self] in handle(.derived($0, $1)) }
    listeners.onConnection = { [unowned self] in accept($0, $1) }
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
    guard !pendingOutputs.isEmpty else { return }
    let pendingOutputs = pendingOutputs
    self.pendingOutputs = []
    for (id, count) in pendingOutputs { handle(.client(id, .pendingOutput(count))) }
  }

  /// A front end connected; whether it may, the engine says.
  private func accept(_ connection: UnixConnection, _ socket: SocketSettings) {
    lastClient += 1
    let id = ClientID(lastClient)
    clients[id] = connection
    connection.onEvent = { [unowned self] in handle(event: $0, of: id) }
    let groups = socket.access.group == nil ? [] : connection.peerGroups
    let process = UInt32(exactly: connection.peer.pid) ?? 0
    handle(
      .client(id, .connected(Caller(socket: socket.name, user: connection.peer.uid, process: process, groups: groups))))
  }

  private func handle(event: UnixConnection.Event, of id: ClientID) {
    switch event {
    case .received(let bytes, let passed): handle(.client(id, .received(bytes, passed.compactMap(descriptors.hold))))
    case .endOfInput: handle(.client(id, .endOfInput))
    case .writeFailed: handle(.client(id, .writeFailed))
    case .drained:
      if drained.isEmpty { loop.deferWork { [unowned self] in reportDrained() } }
      drained.append(id)
    case .closed:
      clients[id] = nil
      handle(.client(id, .closed))
    }
  }

  private func reportDrained() {
    let ids = drained
    drained = []
    turn { engine.handle(drained: ids, at: loop.now(), into: &$0) }
  }

  private func perform(_ action: Action) {
    switch action {
    case .link(let link, .derive(let account, let request)):
      keys?.derive(request, for: link, account: configuration.accounts.first { $0.name == account })
    case .link(let link, let action): links.perform(action, on: link)
    case .client(let id, let action): perform(action, on: id)
    case .broadcast(let ids, let bytes):
      // Looked up here and not where it can be changed, which is checked for each.
      let clients = clients
      for id in ids where clients[id]?.writeAtOnce(bytes) == false { pendingOutputs.append((id, bytes.count)) }
    case .closeDescriptors(let ids): for id in ids { _ = descriptors.take(id) }
    case .commit(let batch): log?.commit(batch)
    case .storePages(let pages): log?.store(pages)
    case .keepDiskReserve: log?.keepDiskReserve()
    case .checkpoint(let snapshot): log?.store(snapshot)
    case .search(let id, let query, let scope, let user): search?.start(id, query, in: scope, for: user)
    case .cancelSearch(let id): search?.cancel(id)
    case .refreshNames: links.refreshNames(asking: configuration.daemon.dnsServers)
    case .forgetKeys(let account): keys?.forget(account)
    case .file(let ticket, let order): carryOut(order, ticket)
    case .transfer(let ticket, let request, let file): transfers?.start(ticket, request, descriptors.take(file))
    case .cancelTransfer(let ticket): transfers?.cancel(ticket)
    case .readEmoticons: emoticons.read()
    case .readConfiguration: reload()
    case .logLevel(let level): journal.level = level
    case .releaseMemory: ProcessEnvironment.releaseMemory()
    case .serviceStatus(let words): service.notify(status: words)
    case .journal(let level, let line, let fields): journal.write(level, line, fields)
    case .exit(let status): leave(status)
    }
  }

  private func carryOut(_ order: FileOrder, _ ticket: FileTicket) {
    if let client = order.client {
      guard mayPass(to: client) else {
        return loop.deferWork { [unowned self] in handle(.file(ticket, .tooMany)) }
      }
      opening[ticket] = client
    }
    let taken = order.descriptors.compactMap(descriptors.take)
    switch order {
    case .measureFreeSpace: measureFreeSpace(for: ticket)
    case .read, .keepAvatar, .openAvatar: files?.carryOut(order, ticket, taken)
    default: transferFiles?.carryOut(order, ticket, taken)
    }
  }

  /// One short system call, on the file system that the log is on.
  private func measureFreeSpace(for ticket: FileTicket) {
    loop.deferWork { [unowned self] in
      handle(.file(ticket, (try? Files.freeBytes(data + "/log")).map { .freeSpace($0) } ?? .missing))
    }
  }

  /// The kernel counts descriptors that were sent and not taken, of all processes of a user together: beyond their bound
  /// none could be sent to anybody. Each user has a share.
  private func mayPass(to client: ClientID) -> Bool {
    guard let connection = clients[client] else { return false }
    var shares = FairShares(owner: ProcessEnvironment.userID, total: HeldDescriptors.mostUntakenOfAll)
    for connection in clients.values { shares.take(connection.untakenDescriptors, connection.peer.uid) }
    for client in opening.values { shares.take(1, clients[client]?.peer.uid ?? ProcessEnvironment.userID) }
    let untaken = opening.values.count { $0 == client } + connection.untakenDescriptors
    return untaken < HeldDescriptors.mostUntaken && shares.space(for: connection.peer.uid) > 0
  }

  private func ended(_ ticket: FileTicket, _ result: FileWorker.Result) {
    opening[ticket] = nil
    handle(.file(ticket, outcome(result)))
  }

  private func outcome(_ result: FileWorker.Result) -> FileOutcome {
    switch result {
    case .ended(let outcome): outcome
    case .avatar(let avatar, let descriptor):
      descriptors.hold(descriptor).map { .avatar(OpenAvatar(avatar, $0)) } ?? .tooMany
    case .opened(let descriptor): descriptors.hold(descriptor).map { .opened($0) } ?? .tooMany
    case .fetched(let facts, let descriptor): descriptors.hold(descriptor).map { .fetched(facts, $0) } ?? .tooMany
    }
  }

  private func perform(_ action: ClientAction, on id: ClientID) {
    guard let client = clients[id] else {
      if case .writePassing(_, let descriptor) = action { _ = descriptors.take(descriptor) }
      return
    }
    switch action {
    case .write(let bytes): client.write(bytes)
    case .writePassing(let bytes, let id):
      guard let descriptor = descriptors.take(id) else { return }
      client.write(bytes, passing: descriptor)
    case .pause: client.pauseReading()
    case .resume: client.resumeReading()
    case .close: client.closeAfterFlush()
    case .rejectAndClose: client.closeAfterFlush(within: .seconds(2), lingering: true)
    }
  }

  /// Reads the configuration; the engine hears of it once this turn is over.
  func reload() {
    service.notify("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonicMilliseconds)000")
    var outcome = readConfiguration()
    if case .read(let new) = outcome {
      do throws(UnixListenerError) {
        try listeners.serve(new.servedSockets(main: mainSocket))
        configuration = new
        keys?.keep(only: new.accounts)
      } catch {
        outcome = .refused("\(error)")
      }
    }
    loop.deferWork { [self] in
      handle(.configuration(outcome))
      service.notify("READY=1")
    }
  }

  /// Ends the loop once the log's thread has done what it was given.
  private func leave(_ status: Int32) {
    exitStatus = status
    keys?.stop()
    let done = loop.makeMailbox { [unowned self] (_: Void) in loop.stop() }
    log?.afterAll(done)
  }
}
