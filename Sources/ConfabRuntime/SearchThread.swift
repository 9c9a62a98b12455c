import MessageLog
import Reactor
import Search
import Synchronization
import Syscalls

/// The thread that looks for texts in the log. Each search has a stretch of the log at a time; between two of them those
/// that came meanwhile are taken up, and those that nobody waits for any more are dropped.
final class SearchThread: Sendable {
  /// Touched on the thread alone.
  private let queue: Mutex<SearchQueue>
  private let worker: WorkerThread
  private let results: Mailbox<(SearchID, SearchOutcome)>

  /// `onFound` gets what each search came to, on the loop's thread.
  init(
    storage: any LogStorage, loop: EventLoop, onFound: @escaping (SearchID, SearchOutcome) -> Void
  ) throws(Errno) {
    queue = Mutex(SearchQueue(storage: storage))
    worker = try WorkerThread(name: "search")
    results = loop.makeMailbox { onFound($0.0, $0.1) }
  }

  func start(_ id: SearchID, _ query: SearchQuery, in scope: SearchScope) {
    do throws(Errno) {
      try worker.run { [self] in
        let isFirst = queue.withLock { queue in
          defer { queue.add(id, query, in: scope) }
          return queue.isEmpty
        }
        if isFirst { goOn() }
      }
    } catch {
      results.send((id, SearchOutcome(failure: StorageError(.failed, "no thread could be started: \(error)"))))
    }
  }

  func cancel(_ id: SearchID) { try? worker.run { [self] in queue.withLock { $0.cancel(id) } } }

  /// One stretch, then whatever else was asked meanwhile, then the next one.
  private func goOn() {
    let (found, isEmpty) = queue.withLock { ($0.step(), $0.isEmpty) }
    if let found { results.send(found) }
    // The thread runs already: nothing can fail.
    if !isEmpty { try? worker.run { [self] in goOn() } }
  }
}
