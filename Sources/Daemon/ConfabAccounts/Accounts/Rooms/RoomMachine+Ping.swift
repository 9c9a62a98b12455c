import Records
import XMPPCore
import XMPPExtensions

extension RoomMachine.PingOutcome {
  /// Reads the answer to a self-ping; nil: it is lost with the stream, and tells nothing.
  init?(_ answer: IQAnswer) {
    guard let iq = answer.stanza else {
      guard case .missing(.timedOut) = answer else { return nil }
      self = .silent
      return
    }
    self =
      switch SelfPing.outcome(of: iq) {
      case .joined: .inside
      case .notJoined: .outside
      case .nickChangedOrGone: .nobody
      case .gone(let moved):
        .gone(RoomRecord.Refusal("gone", text: "the room is not there any more", movedTo: moved?.description))
      case .unknown: .silent
      }
  }
}
