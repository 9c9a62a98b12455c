import Clocks
import Records

// The state of a room, as others ask for it.
extension RoomMachine {
  package var isJoined: Bool {
    switch state {
    case .joined, .entering: true
    default: false
    }
  }

  /// True while the room sends its history.
  var isEntering: Bool { if case .entering = state { true } else { false } }

  /// The state in the words of the line protocol.
  package var word: String {
    switch state {
    case .left: "left"
    case .waiting, .unheard: "waiting"
    case .asking, .joining, .entering: "joining"
    case .joined: "joined"
    case .refused: "refused"
    }
  }

  /// Why it waits or is refused, in words.
  package var reason: String? {
    switch state {
    case .waiting(_, let reason): reason
    case .unheard: Self.silent
    case .refused(let refusal): refusal.text.map { "\(refusal.condition): \($0)" } ?? refusal.condition
    default: nil
    }
  }

  /// When it is tried again by itself.
  var retry: Instant? {
    switch state {
    case .waiting(let due, _): due
    case .unheard(let due): due
    default: nil
    }
  }

  /// True if it is wanted, and no stream has carried it yet.
  var isQueued: Bool { state == .waiting(until: nil, reason: nil) }

  /// True if the room shows me in it, or is about to.
  var isUnderway: Bool {
    switch state {
    case .asking, .joining, .entering: true
    default: false
    }
  }
}
