import XML
package import XMPPCore
import XMPPExtensions

/// Looks up profiles for clients: a vCard 4 (XEP-0292), else an older one (XEP-0054). Nothing is kept: each look-up
/// asks.
package final class Profiles {
  private let own: JID
  private let requests: Requests
  private let nodes: PersonalNodes
  private let effects: Effects
  private let account: UInt32

  init(of own: JID, account: UInt32, _ requests: Requests, _ nodes: PersonalNodes, _ effects: Effects) {
    (self.own, self.account, self.requests, self.nodes, self.effects) = (own, account, requests, nodes, effects)
  }

  /// Looks up the profile of an account; it is the ticket's outcome.
  package func lookUp(_ jid: JID, for ticket: Ticket) {
    nodes.requestItems(of: Profile.node, at: owner(jid), mostRecent: 1, isOfClient: true) { [weak self] answer in
      switch answer {
      case .result(let iq):
        let item = PubSub.items(in: iq, of: Profile.node)?.last
        guard let profile = item.flatMap({ Profile(vCard4: $0) }), !profile.isEmpty else { fallthrough }
        self?.effects.answer(ticket, .profile(profile, of: jid, account: self?.account ?? 0))
      case .error: self?.lookUpLegacy(jid, for: ticket)
      case .missing(let outcome): self?.effects.answer(ticket, outcome)
      }
    }
  }

  private func lookUpLegacy(_ jid: JID, for ticket: Ticket) {
    requests.ask(owner(jid), isOfClient: true) {
      VCardTemp.request(of: owner(jid), id: $0)
    } then: { [weak self, account] answer in
      self?.effects.answer(ticket, Self.outcome(answer, of: jid, account))
    }
  }

  private static func outcome(_ answer: IQAnswer, of jid: JID, _ account: UInt32) -> TicketOutcome {
    switch answer {
    case .result(let iq):
      guard let profile = Profile(legacy: iq), !profile.isEmpty else { return .notFound("\(jid) has no profile") }
      return .profile(profile, of: jid, account: account)
    case .error(let iq):
      let error = StanzaError(parsing: iq)
      let isAbsent = ["item-not-found", "service-unavailable", "feature-not-implemented"].contains(error.condition)
      return isAbsent ? .notFound("\(jid) has no profile, or nobody is there: \(error.sentence)") : answer.outcome
    case .missing(let outcome): return outcome
    }
  }

  private func owner(_ jid: JID) -> JID? { jid == own ? nil : jid }
}
