import Clocks

/// Notices that the daemon takes requests and answers none: it hangs, or is stopped.
struct AnswerWatch: Equatable {
  /// Since when an answer is awaited and nothing came at all.
  private var since: Instant?
  private(set) var isOverdue = false

  private static let patience = Interval.seconds(5)

  /// - Parameters:
  ///   - isAwaiting: whether an answer is awaited that takes no time.
  ///   - hasHeard: whether the daemon has just said something.
  mutating func update(isAwaiting: Bool, hasHeard: Bool, at now: Instant) {
    if !isAwaiting {
      since = nil
    } else if hasHeard || since == nil {
      since = now
    }
    isOverdue = since.map { now - $0 >= Self.patience } ?? false
  }

  /// When the patience ends; nil: nothing is awaited, or it has ended.
  var due: Instant? { isOverdue ? nil : since?.advanced(by: Self.patience) }
}
