import MessageLog
import Reactor
import Search
import Synchronization
import Syscalls

/// The thread that looks for texts in the log. Each search has a stretch of the log at a time; between two of them
/// those that came meanwhile are taken up, and those of closed connections are dropped.
final class SearchThread: Sendable {
  private struct State {
    var queue: SearchQueue
    /// A stretch will be read when all is done that was asked before.
    var goesOn = false
  }

  /// Touched on the thread alone.
  private let state: Mutex<State>
  private let jobs = JobQueue(name: "search")
  private let results: Mailbox<(SearchID, SearchOutcome)>

  /// `onFound` gets what each search came to, on the loop's thread.
  init(storage: any LogStorage, loop: EventLoop, onFound: @escaping (SearchID, SearchOutcome) -> Void) {
    state = Mutex(State(queue: SearchQueue(storage: storage)))
    results = loop.makeMailbox { onFound($0.0, $0.1) }
  }

  func start(_ id: SearchID, _ query: SearchQuery, in scope: SearchScope, for user: UInt32) {
    do throws(Errno) {
      try jobs.run { [self] in
        state.withLock { $0.queue.add(id, query, in: scope, for: user) }
        goOnLater()
      }
    } catch {
      results.send((id, SearchOutcome(failure: StorageError(.failed, "no thread could be started: \(error)"))))
    }
  }

  func cancel(_ id: SearchID) { try? jobs.run { [self] in state.withLock { $0.queue.cancel(id) } } }

  /// Reads a stretch behind whatever was asked meanwhile: what nobody waits for any more by then is not begun.
  private func goOnLater() {
    let isDue = state.withLock { state in
      guard !state.goesOn, !state.queue.isEmpty else { return false }
      state.goesOn = true
      return true
    }
    // The thread runs already: nothing can fail.
    if isDue { try? jobs.run { [self] in goOn() } }
  }

  private func goOn() {
    let found = state.withLock { state in
      state.goesOn = false
      return state.queue.step()
    }
    if let found { results.send(found) }
    goOnLater()
  }
}
