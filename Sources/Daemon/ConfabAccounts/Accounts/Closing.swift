import Clocks

/// The orderly end of a stream: stores the stanzas received, waits a limited time for the server's ack of the stanzas
/// sent, then stores the stanzas received meanwhile (decision 0047). Pure; the account carries out each step.
struct Closing {
  /// The longest wait for the server's last acknowledgement.
  static let patience = Interval.seconds(2)

  private enum Stage {
    /// Waits for the log to be durable up to this record.
    case storing(upTo: UInt64)
    /// Waits until then for the server's acknowledgement.
    case asking(until: Instant)
    /// Reads nothing more, and waits for the log to be durable up to this record, which covers the stanzas received
    /// meanwhile.
    case storingRest(upTo: UInt64)
  }

  /// The action that is due.
  enum Step: Equatable {
    case wait
    /// Ask the server to acknowledge the stanzas sent.
    case ask
    /// Store every received stanza at once.
    case store
    case finish
  }

  private var stage: Stage
  /// True if the stream is left to be resumed, and not closed.
  let isLeaving: Bool
  /// True if the server's ack is awaited.
  private let awaitsAck: Bool

  init(storingUpTo sequence: UInt64, isLeaving: Bool = false, awaitsAck: Bool = true) {
    stage = .storing(upTo: sequence)
    (self.isLeaving, self.awaitsAck) = (isLeaving, awaitsAck)
  }

  /// When the close continues without the server's acknowledgement.
  var deadline: Instant? { if case .asking(let until) = stage { until } else { nil } }

  /// True if reading is paused.
  var isPausing: Bool { if case .storingRest = stage { true } else { false } }

  /// - Parameters:
  ///   - isAwaiting: whether messages of mine are unacknowledged.
  ///   - isComplete: whether everything received is durable, so that it may be acknowledged.
  ///   - durable: the last durable record.
  mutating func step(isAwaiting: Bool, isComplete: Bool, durable: UInt64, at now: Instant) -> Step {
    switch stage {
    case .storing(let sequence):
      guard sequence <= durable else { return .wait }
      guard isAwaiting, awaitsAck else { return storeRest(isComplete) }
      stage = .asking(until: now.advanced(by: Self.patience))
      return .ask
    case .asking(let until):
      return isAwaiting && now < until ? .wait : storeRest(isComplete)
    case .storingRest(let sequence):
      return sequence <= durable ? .finish : .wait
    }
  }

  /// The stanzas received meanwhile were appended, the last one as this record.
  mutating func store(upTo sequence: UInt64) { stage = .storingRest(upTo: sequence) }

  private mutating func storeRest(_ isComplete: Bool) -> Step {
    if isComplete { return .finish }
    store(upTo: .max)
    return .store
  }
}
