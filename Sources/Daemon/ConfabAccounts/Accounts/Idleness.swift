package import Clocks

/// Since when nobody has looked at a conversation in a front end. Contacts are told five minutes later (XEP-0319,
/// section 3.1).
package struct Idleness {
  /// The last interaction of a person, as far as it is known.
  package enum Interaction: Equatable {
    /// None since this process began.
    case unknown
    /// Somebody is there, or was not long ago.
    case recent
    case idle(since: Timestamp)
  }

  static let patience = Interval.minutes(5)

  package private(set) var interaction = Interaction.unknown
  /// When the last one looked away; nil: somebody looks, or all is said.
  private var lastLook: Moment?

  package init() {}

  /// When to look again.
  package var deadline: Instant? { lastLook?.instant.advanced(by: Self.patience) }

  /// - Parameter isShown: a front end shows a conversation to somebody who is there.
  package mutating func update(isShown: Bool, at now: Moment) {
    if isShown {
      (interaction, lastLook) = (.recent, nil)
    } else if interaction == .recent, lastLook == nil {
      lastLook = now
    }
    guard let lastLook, let deadline, deadline <= now.instant else { return }
    (interaction, self.lastLook) = (.idle(since: lastLook.wall), nil)
  }
}

extension Idleness.Interaction {
  /// Since when nobody has been there, as contacts are told; nil: there is nothing new to tell.
  var said: Timestamp?? {
    switch self {
    case .unknown: nil
    case .recent: .some(nil)
    case .idle(let since): since
    }
  }
}
