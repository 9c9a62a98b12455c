import Clocks
import MessageLog

/// The end.
extension Engine {
  func stop() {
    guard stopping == nil else { return }
    turn.isStopping = true
    turn.ledger.hurry()
    stopping = .syncing(until: turn.now.instant.advanced(by: Self.stopPatience))
  }

  /// Sync, acknowledge and close, wait for the other side, leave a checkpoint, exit.
  func goOnStopping() {
    switch stopping {
    case nil, .done: break
    case .syncing(let until):
      guard turn.ledger.isClean || until <= turn.now.instant else { return }
      for account in accounts.all { account.close(.stopped, "the daemon is stopping", turn) }
      stopping = .closing(until: turn.now.instant.advanced(by: Self.stopPatience))
      goOnStopping()
    case .closing(let until):
      let isQuiet = accounts.all.allSatisfy(\.isQuiet) && turn.ledger.isClean
      guard isQuiet || until <= turn.now.instant else { return }
      stopping = .done
      takeCheckpoint()
      turn.act(.exit(0))
    }
  }
}
