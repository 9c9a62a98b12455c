import ConfabEngine
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

  init(
    loop: EventLoop, data: String, _ clients: ClientConnections, _ descriptors: HeldDescriptors,
    onOutcome: @escaping (FileTicket, FileOutcome) -> Void
  ) {
    (self.loop, self.data, self.clients, self.descriptors) = (loop, data, clients, descriptors)
    self.onOutcome = onOutcome
    files = FileWorker("files", loop: loop, data: data) { [unowned self] in ended($0, $1) }
    transferFiles = FileWorker("transfers", loop: loop, data: data) { [unowned self] in ended($0, $1) }
  }

  func carryOut(_ order: FileOrder, _ ticket: FileTicket) {
    if let client = order.client {
      guard mayPass(to: client) else {
        return loop.deferWork { [unowned self] in onOutcome(ticket, .tooMany) }
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
      onOutcome(ticket, (try? Files.freeBytes(data + "/log")).map { .freeSpace($0) } ?? .missing)
    }
  }

  /// The kernel counts descriptors that were sent and not taken, of all processes of a user together: beyond their bound
  /// none could be sent to anybody. Each user has a share.
  private func mayPass(to client: ClientID) -> Bool {
    guard let connection = clients[client] else { return false }
    var shares = FairShares(owner: ProcessEnvironment.userID, total: HeldDescriptors.mostUntakenOfAll)
    for connection in clients.all { shares.take(connection.untakenDescriptors, connection.peer.uid) }
    for client in opening.values { shares.take(1, clients[client]?.peer.uid ?? ProcessEnvironment.userID) }
    let untaken = opening.values.count { $0 == client } + connection.untakenDescriptors
    return untaken < HeldDescriptors.mostUntaken && shares.space(for: connection.peer.uid) > 0
  }

  private func ended(_ ticket: FileTicket, _ result: FileWorker.Result) {
    opening[ticket] = nil
    onOutcome(ticket, outcome(result))
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
