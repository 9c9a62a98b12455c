import Clocks

/// The orderly end of a session: what was received is stored first, then the server's word on what was sent is awaited for
/// a moment, and what came meanwhile is stored too (decision 0047). A value that decides; it writes nothing itself.
struct Closing {
  /// How long the server's last acknowledgement is awaited.
  static let patience = Interval.seconds(2)

  private enum Stage {
    /// The log is to be durable up to this record.
    case storing(upTo: UInt64)
    /// The server is asked what it has of ours, and is awaited until then.
    case asking(until: Instant)
    /// The log is to be durable up to this record, with everything that came meanwhile, and nothing more is read.
    case storingRest(upTo: UInt64)
  }

  /// The action that is due now.
  enum Step: Equatable {
    case wait
    /// The server is asked to acknowledge what was sent.
    case ask
    /// Everything received is stored at once.
    case store
    case finish
  }

  private var stage: Stage

  init(storingUpTo sequence: UInt64) { stage = .storing(upTo: sequence) }

  /// When it goes on whatever the server says.
  var deadline: Instant? { if case .asking(let until) = stage { until } else { nil } }

  /// Nothing more is to be received.
  var isPausing: Bool { if case .storingRest = stage { true } else { false } }

  /// - Parameters:
  ///   - isAwaiting: messages of mine are not acknowledged.
  ///   - isComplete: all that was received is durable and may be acknowledged.
  ///   - durable: the last record that is.
  mutating func step(isAwaiting: Bool, isComplete: Bool, durable: UInt64, at now: Instant) -> Step {
    switch stage {
    case .storing(let sequence):
      guard sequence <= durable else { return .wait }
      guard isAwaiting else { return storeRest(isComplete) }
      stage = .asking(until: now.advanced(by: Self.patience))
      return .ask
    case .asking(let until):
      return isAwaiting && now < until ? .wait : storeRest(isComplete)
    case .storingRest(let sequence):
      return sequence <= durable ? .finish : .wait
    }
  }

  /// The log has everything that came meanwhile, up to this record.
  mutating func store(upTo sequence: UInt64) { stage = .storingRest(upTo: sequence) }

  private mutating func storeRest(_ isComplete: Bool) -> Step {
    if isComplete { return .finish }
    store(upTo: .max)
    return .store
  }
}
