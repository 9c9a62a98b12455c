package import Clocks

/// A person's presence at the terminal: by its focus reports, otherwise for a minute after a key press.
package struct Person: Equatable, Sendable {
  /// nil until the terminal has reported a focus.
  private var hasFocus: Bool?
  private var lastKey: Instant?

  static let patience = Interval.minutes(1)

  package init() {}

  package mutating func pressed(at now: Instant) {
    lastKey = now
    // Keys come only where the focus is, whatever was reported before.
    if hasFocus == false { hasFocus = true }
  }

  package mutating func focus(_ has: Bool) { hasFocus = has }

  /// True if a key was pressed within the last moments.
  package func isBusy(at now: Instant) -> Bool { lastKey.map { now - $0 < Self.rest } ?? false }

  /// When it is busy no longer; nil: it is not.
  func rests(after now: Instant) -> Instant? {
    isBusy(at: now) ? lastKey?.advanced(by: Self.rest) : nil
  }

  static let rest = Interval.seconds(10)

  package func isThere(at now: Instant) -> Bool {
    if let hasFocus { return hasFocus }
    return lastKey.map { now - $0 < Self.patience } ?? false
  }

  /// When nobody counts as there any more; nil if no time changes that.
  package func leaves(after now: Instant) -> Instant? {
    guard hasFocus == nil, let lastKey else { return nil }
    let end = lastKey.advanced(by: Self.patience)
    return end > now ? end : nil
  }
}
