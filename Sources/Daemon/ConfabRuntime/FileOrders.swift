import ConfabAccounts
import SocketClients
import Reactor
import Syscalls
import Transport

/// Carries out what the engine wants done with files.
final class FileOrders {
  private let loop: EventLoop
  private let clients: ClientConnections
  private let descriptors: HeldDescriptors
  /// The data directory.
  private let data: String
  private let onOutcome: (FileTicket, FileOutcome) -> Void
  private var files: FileWorker?
  /// The files of messages, which may be large.
  private var transferFiles: FileWorker?
  /// For whom files are being opened.
  private var opening: [FileTicket: ClientID] = [:]
  /// Files that are opened once descriptors have been taken, in order. Each client has few of them, because the engine
  /// takes no further request for a descriptor up while it owes many.
  private var waiting: [(FileOrder, FileTicket, ClientID)] = []

  init(
    loop: EventLoop, data: String, _ clients: ClientConnections, _ descriptors: HeldDescriptors,
    onOutcome: @escaping (FileTicket, FileOutcome) -> Void
  ) {
    (self.loop, self.data, self.clients, self.descriptors) = (loop, data, clients, descriptors)
    self.onOutcome = onOutcome
    files = FileWorker("files", loop: loop, data: data) { [unowned self] in ended($0, $1) }
    transferFiles = FileWorker("transfers", loop: loop, data: data) { [unowned self] in ended($0, $1) }
    clients.onDescriptorsTaken = { [unowned self] in startWaiting() }
    descriptors.onTaken = { [unowned self] in
      if !waiting.isEmpty { loop.deferWork { [weak self] in self?.startWaiting() } }
    }
  }

  func carryOut(_ order: FileOrder, _ ticket: FileTicket) {
    guard let client = order.client else { return start(order, ticket) }
    waiting.append((order, ticket, client))
    startWaiting()
  }

  private func start(_ order: FileOrder, _ ticket: FileTicket) {
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
      onOutcome(ticket, (try? Files.freeBytes(data + "/log")).map { .freeSpace($0) } ?? .missing)
    }
  }

  /// Starts the orders for which their clients may be passed a descriptor.
  private func startWaiting() {
    guard !waiting.isEmpty else { return }
    var shares = shares
    let orders = waiting
    waiting = []
    for (order, ticket, client) in orders {
      guard let connection = clients[client] else {
        loop.deferWork { [unowned self] in onOutcome(ticket, .tooMany) }
        continue
      }
      let user = connection.peer.uid
      guard mayPass(to: client, connection, shares.space(for: user)) else {
        waiting.append((order, ticket, client))
        continue
      }
      shares.take(1, user)
      opening[ticket] = client
      start(order, ticket)
    }
  }

  /// The kernel counts descriptors that were sent and not taken, of all processes of a user together: beyond their
  /// bound none could be sent to anybody. Each user has a share.
  private var shares: FairShares {
    var shares = FairShares(owner: ProcessEnvironment.userID, total: HeldDescriptors.mostUntakenOfAll)
    for connection in clients.all { shares.take(connection.untakenDescriptors, connection.peer.uid) }
    for client in opening.values { shares.take(1, clients[client]?.peer.uid ?? ProcessEnvironment.userID) }
    return shares
  }

  /// True if a client may be passed another descriptor. A client that has taken all of its own may get one even if
  /// other clients of its user have used up the share, so that they do not hold it up.
  private func mayPass(to client: ClientID, _ connection: UnixConnection, _ space: Int) -> Bool {
    guard opening.count + descriptors.count < HeldDescriptors.mostOpened else { return false }
    return space > 0 || connection.untakenDescriptors == 0 && !opening.values.contains(client)
  }

  private func ended(_ ticket: FileTicket, _ result: FileWorker.Result) {
    opening[ticket] = nil
    onOutcome(ticket, outcome(result))
    startWaiting()
  }

  private func outcome(_ result: FileWorker.Result) -> FileOutcome {
    switch result {
    case .ended(let outcome): outcome
    case .avatar(let avatar, let descriptor):
      descriptors.hold(descriptor).map { .avatar(OpenAvatar(avatar, $0)) } ?? .tooMany
    case .opened(let descriptor): descriptors.hold(descriptor).map { .opened($0) } ?? .tooMany
    case .fetched(let measured, let descriptor): descriptors.hold(descriptor).map { .fetched(measured, $0) } ?? .tooMany
    }
  }
}
