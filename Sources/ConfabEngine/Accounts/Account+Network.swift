import Clocks

/// What the machine's network and clock mean for one account.
extension Account {
  /// The network changed, or the machine woke: who waits for it tries at once, who is online asks whether the server is
  /// still there, and does not wait for TCP to give up.
  func networkChanged() {
    switch phase {
    case .waiting: hasten()
    case .resolving, .connecting, .negotiating: networkHasChanged = true
    case .online(let session): session.probe()
    case .idle, .closing: break
    }
  }

  /// The try that failed began on another network: the next one is made at once.
  func hastenIfChanged() {
    guard networkHasChanged else { return }
    networkHasChanged = false
    hasten()
  }

  /// Makes the next try now, unless the server asked for the pause or this happens again and again. The back-off goes on
  /// from where it was: an interface that comes and goes says nothing about the server.
  private func hasten() {
    guard case .waiting = phase, !isPauseAskedFor, storage.trouble == nil else { return }
    guard haste.take(1, at: effects.now.instant) else { return }
    connect()
  }

  /// The wall clock was set: the next try is due at another time of its, and what has a time of its at another one of
  /// ours.
  func clockSet() {
    scheduleOutbox()
    guard case .waiting(let until) = phase else { return }
    status.retryAt = effects.now.wall.advanced(by: until - effects.now.instant)
  }
}
