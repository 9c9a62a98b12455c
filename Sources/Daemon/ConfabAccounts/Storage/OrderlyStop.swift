package import Clocks

/// The stages of the daemon's end: sync, acknowledge and close or leave the streams, wait for the servers, write what
/// is in memory to pages, so that the next start need not read it, leave a checkpoint, exit. Each has a limited time.
package struct OrderlyStop {
  package enum Stage {
    /// Waits for the last sync.
    case syncing
    /// Waits for the streams to close.
    case closing
    /// Waits for pages.
    case storing
    case done
  }

  /// How long a stage may take.
  private static let patience = Interval.seconds(5)

  package private(set) var stage = Stage.syncing
  private var limit: Instant
  /// True if streams are left to be resumed, and not closed.
  package let leavesStreams: Bool

  package init(leavesStreams: Bool, at now: Instant) {
    self.leavesStreams = leavesStreams
    limit = now.advanced(by: Self.patience)
  }

  /// When the present stage ends in any case; nil: it is the last.
  package var deadline: Instant? { stage == .done ? nil : limit }

  /// True if the present stage is over: it is ready, or has taken too long.
  package func isOver(_ isReady: Bool, at now: Instant) -> Bool { isReady || limit <= now }

  package mutating func enter(_ stage: Stage, at now: Instant) {
    self.stage = stage
    limit = now.advanced(by: Self.patience)
  }
}
