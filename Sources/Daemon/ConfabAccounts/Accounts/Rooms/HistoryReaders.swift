/// Front ends that wait for older messages of an archive.
struct HistoryReaders {
  /// Pages that are fetched for them at most: an archive may have pages without any message.
  private static let mostPages = 20

  private var waiting: [(count: Int, answered: () -> Void)] = []
  /// How many messages were taken from the archive when they are content; nil: nothing was fetched for them yet.
  private var target: Int?
  private var pages = 0

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ count: Int, _ answered: @escaping () -> Void) { waiting.append((count, answered)) }

  /// True if a further page is to be fetched.
  ///
  /// - Parameter taken: how many messages were taken from the archive so far.
  mutating func wantMore(behind taken: Int) -> Bool {
    guard let most = waiting.map(\.count).max() else { return false }
    let target = target ?? taken + most
    self.target = target
    pages += 1
    return taken < target && pages <= Self.mostPages
  }

  /// Answers all.
  mutating func answer() {
    let answered = waiting.map(\.answered)
    self = HistoryReaders()
    for answer in answered { answer() }
  }
}
