import Clocks

/// Finds messages that a room did not take: it answers a self-ping behind what was said before (XEP-0410), so what it has
/// not shown by then, twice, it does not show at all.
struct RoomFence {
  /// How long a room may take to show a message before it is asked.
  static let patience = Interval.seconds(2)
  /// How long it may take after the first answer, as gateways do.
  static let secondPatience = Interval.seconds(5)

  private enum Phase: Equatable {
    case idle
    /// The room is asked at this time.
    case due(Instant)
    /// It was asked behind these messages.
    case asked(Set<UInt64>)
    /// It has answered without showing these, and is asked again.
    case doubtful(Set<UInt64>, until: Instant)
    case askedAgain(Set<UInt64>)
  }

  private var phase = Phase.idle

  /// When the room is to be asked.
  var deadline: Instant? {
    switch phase {
    case .due(let due), .doubtful(_, let due): due
    case .idle, .asked, .askedAgain: nil
    }
  }

  /// A message has left for the room.
  mutating func sent(at now: Instant) { if phase == .idle { phase = .due(now.advanced(by: Self.patience)) } }

  /// True if the room is to be asked now.
  ///
  /// - Parameter open: the messages that it has not shown.
  mutating func tick(_ open: Set<UInt64>, at now: Instant) -> Bool {
    guard let deadline, deadline <= now else { return false }
    if case .doubtful(let asked, _) = phase, !asked.isDisjoint(with: open) {
      phase = .askedAgain(asked.intersection(open))
      return true
    }
    phase = open.isEmpty ? .idle : .asked(open)
    return !open.isEmpty
  }

  /// The room has answered; returns the messages that it did not take.
  mutating func answered(_ open: Set<UInt64>, at now: Instant) -> Set<UInt64> {
    switch phase {
    case .asked(let asked):
      let missing = asked.intersection(open)
      guard missing.isEmpty else {
        phase = .doubtful(missing, until: now.advanced(by: Self.secondPatience))
        return []
      }
      rest(open, at: now)
      return []
    case .askedAgain(let asked):
      let missing = asked.intersection(open)
      rest(open.subtracting(missing), at: now)
      return missing
    case .idle, .due, .doubtful: return []
    }
  }

  /// The room did not answer: it is asked anew.
  mutating func unanswered(at now: Instant) {
    switch phase {
    case .asked, .askedAgain: phase = .due(now.advanced(by: Self.patience))
    case .idle, .due, .doubtful: break
    }
  }

  /// Messages that left since it was asked are waited for in their turn.
  private mutating func rest(_ open: Set<UInt64>, at now: Instant) {
    phase = open.isEmpty ? .idle : .due(now.advanced(by: Self.patience))
  }

  /// No answer comes any more: a join finds out.
  mutating func reset() { phase = .idle }
}
