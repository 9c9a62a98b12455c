package import ConfabClient

/// The state of a file of a message, for its box.
package enum FileState: Equatable, Sendable {
  /// How far it is; nil: it has not begun.
  case fetching(FileProgress?)
  /// Why it could not be had.
  case notFetched(String)
  /// Advice about a file of mine that was not sent.
  case notSent(String)

  /// A sentence that is in place of the file's kind; nil: it is below that.
  var progress: String? {
    guard case .fetching(let progress) = self else { return nil }
    guard let progress, progress.total != nil || progress.done > 0 else { return "Fetching" }
    return "Fetching \(progress.amount)"
  }

  /// The longest sentence of that kind, so that a box has one width all the time.
  var longestProgress: String? {
    guard case .fetching(let progress?) = self else { return progress }
    return FileState.fetching(progress.completed).progress
  }

  /// A sentence on what went wrong.
  var trouble: String? {
    switch self {
    case .fetching: nil
    case .notFetched(let reason): "Not fetched: \(reason)"
    case .notSent(let help): help
    }
  }
}

/// Files that a person waits for, and why others could not be had.
package struct FileFetches {
  private struct Fetch: Equatable {
    let wanted: WantedFile
    let key: ConversationKey
    /// True once the request was sent to the daemon.
    var isAsked = false
    /// True if the person cancelled the transfer and its answer is still to come.
    var isStopped = false
    var progress: FileProgress?

    func isOf(_ message: UInt64, _ index: Int) -> Bool { (wanted.message, wanted.index) == (message, index) }
  }

  private struct Failure {
    let message: UInt64
    let index: Int
    let reason: String
  }

  private var fetches: [Fetch] = []
  /// The newest is last.
  private var failures: [Failure] = []

  /// Asked for at once: fewer than the descriptors that the daemon owes a client at most, beyond which it takes no request.
  private static let mostAtOnce = 12
  private static let mostFailures = 100

  /// - Returns: whether it is another wish than those before.
  mutating func add(_ wanted: WantedFile, _ key: ConversationKey) -> Bool {
    failures.removeAll { ($0.message, $0.index) == (wanted.message, wanted.index) }
    let fetch = Fetch(wanted: wanted, key: key)
    guard !fetches.contains(where: { $0.wanted == wanted && $0.key == key && !$0.isStopped }) else { return false }
    fetches.append(fetch)
    return true
  }

  /// The next file that the daemon is to be asked for; it counts as asked for then.
  mutating func next() -> (WantedFile, ConversationKey)? {
    guard fetches.count(where: \.isAsked) < Self.mostAtOnce, let index = fetches.firstIndex(where: { !$0.isAsked })
    else { return nil }
    fetches[index].isAsked = true
    return (fetches[index].wanted, fetches[index].key)
  }

  /// - Returns: whether somebody waits for the file.
  mutating func take(_ progress: FileProgress, of message: UInt64) -> Bool {
    let concerned = fetches.indices.filter {
      fetches[$0].isOf(message, Int(clamping: progress.index)) && !fetches[$0].isStopped
    }
    for index in concerned { fetches[index].progress = progress }
    return !concerned.isEmpty
  }

  /// The person wants the file no longer.
  ///
  /// - Returns: whether the daemon has to know it.
  mutating func stop(_ message: UInt64, _ index: Int) -> Bool {
    fetches.removeAll { $0.isOf(message, index) && !$0.isAsked }
    let asked = fetches.indices.filter { fetches[$0].isOf(message, index) && !fetches[$0].isStopped }
    for index in asked { fetches[index].isStopped = true }
    return !asked.isEmpty
  }

  /// The oldest request for the file is answered.
  ///
  /// - Parameter failure: nil: the file is here.
  /// - Returns: whether the person still waits for it.
  mutating func end(_ wanted: WantedFile, failure: String? = nil) -> Bool {
    guard let index = fetches.firstIndex(where: { $0.wanted == wanted && $0.isAsked }) else { return false }
    guard !fetches.remove(at: index).isStopped else { return false }
    if let failure { fail(wanted, failure) }
    return true
  }

  /// The link is lost: all fetches fail with this reason.
  mutating func cut(_ reason: String) {
    for fetch in fetches where !fetch.isStopped { fail(fetch.wanted, reason) }
    fetches = []
  }

  private mutating func fail(_ wanted: WantedFile, _ reason: String) {
    failures.removeAll { ($0.message, $0.index) == (wanted.message, wanted.index) }
    failures.append(Failure(message: wanted.message, index: wanted.index, reason: reason))
    failures.removeFirst(max(0, failures.count - Self.mostFailures))
  }

  /// The files of a message that a person waits for, by their indices.
  func indices(of message: UInt64) -> Set<Int> {
    Set(fetches.filter { $0.wanted.message == message && !$0.isStopped }.map(\.wanted.index))
  }

  /// The files of a message that are on their way, or could not be had, by their indices.
  func states(of message: UInt64) -> [Int: FileState] {
    let failed = failures.filter { $0.message == message }.map { ($0.index, FileState.notFetched($0.reason)) }
    let running = fetches.filter { $0.wanted.message == message && !$0.isStopped }.map {
      ($0.wanted.index, FileState.fetching($0.progress))
    }
    return Dictionary(failed + running) { $1 }
  }
}
