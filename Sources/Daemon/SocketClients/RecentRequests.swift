import Clocks

/// When clients last asked for something: for a minute from then on somebody is taken to be there.
struct RecentRequests {
  static let patience = Interval.minutes(1)

  private var lastRequest: Instant?
  /// When to look again: not moved by each request.
  private(set) var deadline: Instant?

  var isAny: Bool { lastRequest != nil }

  mutating func note(at now: Instant) {
    lastRequest = now
    if deadline == nil { deadline = now.advanced(by: Self.patience) }
  }

  mutating func tick(at now: Instant) {
    guard let lastRequest, let due = deadline, due <= now else { return }
    let end = lastRequest.advanced(by: Self.patience)
    if end <= now { self.lastRequest = nil }
    deadline = end <= now ? nil : end
  }
}
