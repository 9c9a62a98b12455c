import Records
import XMPPCore
import XMPPExtensions

// Occupants of a moderated room who ask for the right to speak (XEP-0045, section 8.6).
extension Room {
  /// Requests that wait; further ones are dropped.
  private static let mostRequests = 100

  /// The room passes a request on.
  func asked(_ request: VoiceRequest) {
    let known = record.requests
    guard machine.isJoined, known.count < Self.mostRequests, !known.contains(where: { $0.nick == request.nick }) else {
      return
    }
    change {
      $0.requests.append(.init(request.nick, jid: request.jid?.description))
      $0.asksForVoice = true
    }
  }

  /// Answers the request of somebody.
  package func answerRequest(of nick: String, isGranted: Bool, for ticket: Ticket) {
    guard let request = record.requests.first(where: { $0.nick == nick }) else { return }
    requests.answer(request, isGranted: isGranted, for: ticket) { [weak self] in
      guard let self else { return false }
      guard !isGranted || occupants[nick]?.role != .visitor else { return false }
      change { $0.requests.removeAll { $0.nick == nick } }
      return true
    }
  }

  /// Forgets the request of somebody who is no visitor any more.
  func forgetRequest(after change: Occupants.Change?) {
    switch change {
    case .changed(let member, let was) where was.role == .visitor && member.role != .visitor: forgetRequests()
    case .left(let member) where member.role == .visitor: forgetRequests()
    default: break
    }
  }

  /// Forgets requests of those who have left, or may speak.
  func forgetRequests() {
    guard !record.requests.isEmpty else { return }
    change { $0.requests.removeAll { [occupants] in occupants[$0.nick]?.role != .visitor } }
  }
}
