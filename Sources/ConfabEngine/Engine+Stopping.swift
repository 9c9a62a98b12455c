import Clocks
import Facts
import MessageLog
import Settings

/// The end.
extension Engine {
  func stop(_ request: StopRequest) {
    guard stopping == nil else { return }
    storage.isStopping = true
    leavesStreams = (configuration.daemon.onStop ?? request.manner) == .detach
    storage.queue.hurry()
    stopping = .syncing(until: effects.now.instant.advanced(by: Self.stopPatience))
  }

  private var stopReason: String {
    leavesStreams ? "the daemon is stopping; the next one resumes the stream" : "the daemon is stopping"
  }

  /// Sync, acknowledge and close or leave, wait for the other side, write what is in memory to pages, so that the next start
  /// need not read it, leave a checkpoint, exit.
  func goOnStopping() {
    switch stopping {
    case nil, .done: break
    case .syncing(let until):
      guard storage.queue.isClean || until <= effects.now.instant else { return }
      for account in accounts.all { account.close(.stopped, stopReason, leaving: leavesStreams) }
      stopping = .closing(until: effects.now.instant.advanced(by: Self.stopPatience))
      goOnStopping()
    case .closing(let until):
      let isQuiet = accounts.alive.allSatisfy(\.isQuiet) && storage.queue.isClean
      guard isQuiet || until <= effects.now.instant else { return }
      facts.rest(.last)
      stopping = .storing(until: effects.now.instant.advanced(by: Self.stopPatience))
      goOnStopping()
    case .storing(let until):
      storePages()
      guard !facts.isStoring || until <= effects.now.instant else { return }
      stopping = .done
      takeCheckpoint()
      effects.act(.exit(0))
    }
  }
}
