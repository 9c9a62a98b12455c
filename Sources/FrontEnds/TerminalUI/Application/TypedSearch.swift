import Clocks

/// Begins a search while somebody types it, once the letters pause.
struct TypedSearch {
  private var query: String?
  private(set) var due: Instant?

  /// Between two letters of somebody who types slowly.
  private static let pause = Interval.milliseconds(300)

  /// - Parameter query: letters that were not searched for yet; nil: there are none.
  /// - Returns: whether they are searched for now.
  mutating func settle(_ query: String?, at now: Instant) -> Bool {
    if query != self.query { (self.query, due) = (query, query == nil ? nil : now.advanced(by: Self.pause)) }
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }
}
