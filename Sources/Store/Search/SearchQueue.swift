package import MessageLog

/// The searches that are under way, each of which reads a range of the log in its turn, so that none waits for
/// another's end; users take turns, however many searches each has. Confined to one thread.
package struct SearchQueue {
  private let storage: any LogStorage
  /// Searches in the order of their turns.
  private var running: [(id: SearchID, search: Search, user: UInt32)] = []
  /// Only while something runs.
  private var reader: LogRangeReader?
  /// Ranges read so far.
  package private(set) var steps = 0

  package init(storage: any LogStorage) { self.storage = storage }

  package var isEmpty: Bool { running.isEmpty }
  /// How many are under way.
  package var count: Int { running.count }

  package mutating func add(_ id: SearchID, _ query: SearchQuery, in scope: SearchScope, for user: UInt32) {
    running.append((id, Search(query, scope), user))
  }

  /// Drops a search whose result is no longer wanted.
  package mutating func cancel(_ id: SearchID) {
    running.removeAll { $0.id == id }
    if running.isEmpty { reader = nil }
  }

  /// Reads one range for the one whose turn it is; what it came to, where it is at its end.
  package mutating func step() -> (id: SearchID, outcome: SearchOutcome)? {
    guard !running.isEmpty else { return nil }
    var (id, search, user) = running.removeFirst()
    let reader = self.reader ?? LogRangeReader(storage: storage)
    steps += 1
    let outcome = search.step(storage, reader)
    running = running.filter { $0.user != user } + running.filter { $0.user == user }
    if outcome == nil { running.append((id, search, user)) }
    self.reader = running.isEmpty ? nil : reader
    return outcome.map { (id, $0) }
  }
}
