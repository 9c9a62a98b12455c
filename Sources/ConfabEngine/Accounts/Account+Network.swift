import Clocks

/// What the machine's network and clock mean for one account.
extension Account {
  /// The network changed, or the machine woke: who waits for it tries at once, who is online asks whether the server is
  /// still there, and does not wait for TCP to give up.
  func networkChanged(_ turn: Turn) {
    switch phase {
    case .waiting: hasten(turn)
    case .resolving, .connecting, .negotiating: networkHasChanged = true
    case .online(let session): session.probe(turn)
    case .idle, .closing: break
    }
  }

  /// The try that failed began on another network: the next one is made at once.
  func hastenIfChanged(_ turn: Turn) {
    guard networkHasChanged else { return }
    networkHasChanged = false
    hasten(turn)
  }

  /// Makes the next try now, unless the server asked for the pause or this happens again and again. The back-off goes on
  /// from where it was: an interface that comes and goes says nothing about the server.
  private func hasten(_ turn: Turn) {
    guard case .waiting = phase, !isPauseAskedFor, turn.storageTrouble == nil else { return }
    guard haste.take(1, at: turn.now.instant) else { return }
    connect(turn)
  }

  /// The wall clock was set: the next try is due at another time of its, and what has a time of its at another one of
  /// ours.
  func clockSet(_ turn: Turn) {
    scheduleOutbox(turn)
    guard case .waiting(let until) = phase else { return }
    status.retryAt = turn.now.wall.advanced(by: until - turn.now.instant)
  }
}
