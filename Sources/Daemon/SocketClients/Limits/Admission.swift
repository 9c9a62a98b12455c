import ConfabAccounts
import LineProtocol
import ConfabConfiguration
/// Admits connections: the sockets that are served, and how many connections there may be.
struct Admission {
  let host: Host
  let budget = OutputBudget()
  /// The connections.
  private var places: FairShares
  /// The main one first.
  private(set) var sockets: [ServedSocket] = []
  private var rejected: Set<ClientID> = []

  /// The most rejected clients that are waited for until they close: each has a descriptor.
  static let mostRejected = 8

  init(host: Host) {
    self.host = host
    places = FairShares(owner: host.user, total: host.connections)
  }

  /// The socket of a new connection, if its user may use it and there is room, which it takes until `left`.
  mutating func admit(_ caller: Caller, _ effects: Effects) throws(RequestFailure) -> ServedSocket {
    guard let socket = sockets.first(where: { $0.name == caller.socket }), isAdmitted(caller, socket) else {
      effects.journal(
        .warning, .strangers, "user \(caller.user) may not use the socket \(caller.socket ?? "of [daemon]")")
      throw RequestFailure(.notAllowed, "this user may not use the socket")
    }
    do throws(RequestFailure) {
      try checkPlaces(for: caller.user)
    } catch {
      effects.journal(.warning, .crowd, "rejected a connection of user \(caller.user): \(error.reason)")
      throw error
    }
    places.take(1, caller.user)
    return socket
  }

  /// A connection that was served is over.
  mutating func left(_ caller: Caller) { places.giveBack(1, caller.user) }

  /// Tells a connection why it is not served, and closes it.
  mutating func reject(_ id: ClientID, _ failure: RequestFailure, _ effects: Effects) {
    effects.act(.client(id, .write(failure.line())))
    guard rejected.count < Self.mostRejected else { return effects.act(.client(id, .close)) }
    rejected.insert(id)
    effects.act(.client(id, .rejectAndClose))
  }

  /// A connection that is not served has closed.
  mutating func closed(_ id: ClientID) { rejected.remove(id) }

  /// Serves what the configuration says.
  mutating func configure(_ configuration: Configuration) {
    budget.limits = configuration.daemon.limits
    places.total = min(budget.limits.connections, host.connections)
    sockets = configuration.servedSockets().map { settings in
      let new = ServedSocket(settings)
      let same = sockets.first { $0.name == new.name && $0.rights == new.rights && $0.accounts == new.accounts }
      guard let same else { return new }
      same.update(settings)
      return same
    }
  }

  /// The client may stay: its socket is served with the same rights and accounts, and its user may use it.
  func isAdmitted(_ client: Client) -> Bool {
    sockets.contains { $0 === client.socket } && isAdmitted(client.caller, client.socket)
  }

  private func isAdmitted(_ caller: Caller, _ socket: ServedSocket) -> Bool {
    socket.access.admits(user: caller.user, groups: caller.groups, owner: host.user)
  }

  private func checkPlaces(for user: UInt32) throws(RequestFailure) {
    guard places.space(for: user) > 0 else {
      throw RequestFailure(
        .limit,
        "there are already as many connections as may be: \(places.total) in all (max-connections), of which "
          + "one other user has at most half, and some places are kept for the daemon's own user and root")
    }
    let mostOfUser = budget.limits.connectionsPerUser
    guard places.amount(of: user) < mostOfUser else {
      throw RequestFailure(.limit, "user \(user) has \(mostOfUser) connections already")
    }
  }
}
