package import Clocks
import Records
import XMPPCore
import XMPPExtensions

// Pings to myself in the room (XEP-0410).
extension Room {
  func ping(then answered: @escaping (IQAnswer) -> Void) {
    guard let mine else { return }
    surroundings.requests.ask(mine, { SelfPing.request(mine, id: $0) }, then: answered)
  }

  /// Asks behind messages of mine that the room has not reflected.
  func pingBehindMessages() {
    ping { [weak self] answer in
      if RoomMachine.PingOutcome(answer) == .inside { self?.outbox.answered() } else { self?.outbox.unanswered() }
      self?.pinged(answer)
    }
  }

  func pinged(_ answer: IQAnswer) {
    guard let outcome = RoomMachine.PingOutcome(answer) else { return }
    if outcome != .inside, outcome != .silent { doubted() }
    if outcome == .nobody { doubtInfo() }
    handle(.pinged(outcome))
    privateOutbox.release()
  }

  /// Somebody who looks at a room that has been quiet for so long is to know whether I am still in it.
  private static let shownQuiet = Interval.minutes(1)

  /// A client shows the room: it is asked whether I am in it, if it has been quiet.
  package func isShown() { handle(.questioned(ifQuietFor: Self.shownQuiet)) }

  /// When it is tried again by itself.
  package var retryAt: Timestamp? { machine.retry.map { time.advanced(by: $0 - now) } }
}
