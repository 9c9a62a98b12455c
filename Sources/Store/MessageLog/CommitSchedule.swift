package import Clocks

/// Decides when the next batch is begun ("group commit"; why ten milliseconds:
/// docs/decisions/0058-group-commit-waits-10-ms.md). Pure; asks for no timer itself.
///
/// A record that a front end waits for is urgent: its batch begins as soon as the one before has ended. Records that
/// only the server waits for are written at once after a pause, and otherwise `max(10 ms, what the last batch took)`
/// after the last one ended, so that inbound traffic alone causes at most 100 syncs a second.
package struct CommitSchedule: Sendable {
  /// The least time between the end of a batch and the start of the next where nobody at a front end waits.
  package static let pause = Interval.milliseconds(10)

  private enum Waiting { case nothing, patient, urgent }

  private var waiting = Waiting.nothing
  private var startedAt: Instant?
  private var notBefore: Instant?

  package init() {}

  /// A record has been appended. `urgent`: a front end waits for it.
  package mutating func appended(urgent: Bool) {
    if urgent { waiting = .urgent } else if waiting == .nothing { waiting = .patient }
  }

  /// A batch of all that was appended is under way.
  package mutating func started(at now: Instant) {
    startedAt = now
    waiting = .nothing
  }

  /// The batch has ended, well or not.
  package mutating func completed(at now: Instant) {
    let took = startedAt.map { now - $0 } ?? .zero
    notBefore = now.advanced(by: max(Self.pause, took))
    startedAt = nil
  }

  /// When to begin the next batch: nil if there is nothing to write or one is under way; a time that has passed means
  /// now.
  package func nextStart(at now: Instant) -> Instant? {
    guard startedAt == nil else { return nil }
    switch waiting {
    case .nothing: return nil
    case .urgent: return now
    case .patient: return notBefore.map { max($0, now) } ?? now
    }
  }
}
