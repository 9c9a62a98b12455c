import LineProtocol
import Settings

/// Who comes in, and who must go.
extension FrontEnd {
  /// Somebody connected: greeted, or told why not and closed.
  func connect(_ id: ClientID, _ caller: Caller, _ desk: Desk) {
    do throws(RequestFailure) {
      let socket = try admit(caller, desk)
      let client = Client(id, caller, socket, budget, desk.effects)
      add(client)
      client.write(
        Lines.greeting(log: log, last: desk.storage.queue.durable, rights: socket.rights))
    } catch {
      turnAway(id, error, desk)
    }
  }

  /// Those who are turned away and have not closed: each has a descriptor, so of many only some are waited for.
  static let mostTurnedAway = 8

  private func turnAway(_ id: ClientID, _ failure: RequestFailure, _ desk: Desk) {
    desk.effects.act(.client(id, .write(Lines.failure(failure, nil))))
    guard turnedAway.count < Self.mostTurnedAway else { return desk.effects.act(.client(id, .close)) }
    turnedAway.insert(id)
    desk.effects.act(.client(id, .turnAway))
  }

  private func admit(_ caller: Caller, _ desk: Desk) throws(RequestFailure) -> ServedSocket {
    guard let socket = sockets.first(where: { $0.name == caller.socket }), isAdmitted(caller, socket) else {
      desk.effects.journal(
        .warning, .strangers, "user \(caller.user) may not use the socket \(caller.socket ?? "of [daemon]")")
      throw RequestFailure(.notAllowed, "this user may not use the socket")
    }
    do throws(RequestFailure) {
      try checkRoom(for: caller)
    } catch {
      desk.effects.journal(.warning, .crowd, "a connection of user \(caller.user) is turned away: \(error.reason)")
      throw error
    }
    return socket
  }

  private func isAdmitted(_ caller: Caller, _ socket: ServedSocket) -> Bool {
    socket.access.admits(user: caller.user, groups: caller.groups, owner: host.user)
  }

  private func checkRoom(for caller: Caller) throws(RequestFailure) {
    let limits = budget.limits
    let most = min(limits.connections, host.connections)
    guard clients.count < most else {
      throw RequestFailure(.limit, "there are \(most) connections already, which is all there may be")
    }
    guard clients.count(where: { $0.caller.user == caller.user }) < limits.connectionsPerUser else {
      throw RequestFailure(.limit, "user \(caller.user) has \(limits.connectionsPerUser) connections already")
    }
  }

  /// Serves what the configuration says; connections of sockets that are gone or have other rights end, and those of
  /// people who may not use them any more.
  func configure(_ configuration: Configuration, _ desk: Desk) {
    budget.limits = configuration.daemon.limits
    sockets = configuration.servedSockets().map { settings in
      let new = ServedSocket(settings)
      guard let same = sockets.first(where: { $0.name == new.name && $0.rights == new.rights }) else { return new }
      same.update(settings)
      return same
    }
    for client in clients where !isAdmitted(client) {
      desk.effects.journal(.info, "a connection of user \(client.caller.user) is ended by the configuration")
      end(client, desk)
    }
  }

  private func isAdmitted(_ client: Client) -> Bool {
    sockets.contains { $0 === client.socket } && isAdmitted(client.caller, client.socket)
  }

  /// What it asked in order is still answered, so that it knows what was stored; it waits for nothing more.
  private func end(_ client: Client, _ desk: Desk) {
    client.isClosing = true
    client.waits = 0
    waiters.forget(client.id)
    endSearches(of: client, desk)
    endWatch(of: client)
    advance(client, desk)
  }
}
