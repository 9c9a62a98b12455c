package import Clocks

/// Gathers changes of the network: one that comes up reports many things at once. Accounts hear of the first, and of
/// the rest together.
package struct NetworkChanges {
  private static let pause = Interval.seconds(1)

  private var reported: Instant?
  /// When accounts are to hear of more changes.
  package private(set) var due: Instant?

  package init() {}

  /// A change; true if it is reported now.
  package mutating func changed(at now: Instant) -> Bool {
    guard due == nil else { return false }
    if let next = reported?.advanced(by: Self.pause), next > now {
      due = next
      return false
    }
    return true
  }

  package func isDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? false }

  package mutating func report(at now: Instant) { (reported, due) = (now, nil) }
}
