import Records
import XMPPCore
import XMPPExtensions

/// Asks a room what it is, by disco#info (XEP-0045, section 6.4); one question at a time.
final class RoomInfoRequest {
  enum Outcome {
    case described(RoomInfo)
    /// It is there, and tells who is not in it nothing.
    case hidden
    case notThere(RoomRecord.Refusal)
    case failed(RoomRecord.Refusal, isPassing: Bool)
  }

  private let jid: JID
  private let requests: Requests
  private var isPending = false

  init(_ jid: JID, _ requests: Requests) { (self.jid, self.requests) = (jid, requests) }

  func ask(then answered: @escaping (Outcome) -> Void) {
    guard !isPending else { return }
    isPending = true
    requests.ask(jid) { [jid] in
      ServiceDiscovery.infoRequest(to: jid, id: $0)
    } then: { [weak self] answer in
      self?.isPending = false
      answered(Self.outcome(of: answer))
    }
  }

  private static func outcome(of answer: IQAnswer) -> Outcome {
    switch answer {
    case .result(let iq):
      DiscoInfo(iq).flatMap(RoomInfo.init).map { .described($0) }
        ?? .notThere(RoomRecord.Refusal("item-not-found", text: "there is no room at this address"))
    case .error(let iq): outcome(of: StanzaError(parsing: iq), MultiUserChat.movedTo(iq))
    case .missing: .failed(RoomRecord.Refusal("remote-server-timeout"), isPassing: true)
    }
  }

  private static func outcome(of error: StanzaError, _ moved: JID?) -> Outcome {
    let refusal = RoomRecord.Refusal(error, movedTo: moved)
    return switch error.condition {
    case "forbidden", "not-authorized", "registration-required", "service-unavailable": .hidden
    case "item-not-found", "gone": .notThere(refusal)
    default: .failed(refusal, isPassing: error.isPassing)
    }
  }
}
