import XML
import XMPPCore
import XMPPExtensions

/// Blocks and reports JIDs for clients (XEP-0191, XEP-0377). The server has the only list, and is asked each time a
/// client wants it.
final class Blocking: StreamPart {
  enum Order {
    case block(JID)
    case unblock(JID)
    case report(JID, AbuseReport)
    case list
  }

  private let requests: Requests
  private let features: ServerFeatures
  private let effects: Effects
  private let account: UInt32
  /// Orders that wait until the server's features are known.
  private var waiting: [(order: Order, ticket: Ticket)] = []

  init(of account: UInt32, _ requests: Requests, _ features: ServerFeatures, _ effects: Effects) {
    (self.account, self.requests, self.features, self.effects) = (account, requests, features, effects)
  }

  /// Hands an order to the server; its answer is the ticket's.
  func carryOut(_ order: Order, for ticket: Ticket) {
    guard features.isKnown else { return waiting.append((order, ticket)) }
    if let reason = obstacle(to: order) { return effects.answer(ticket, .unsupported(reason)) }
    switch order {
    case .block(let jid): ask(ticket) { BlockList.block(jid, id: $0) }
    case .unblock(let jid): ask(ticket) { BlockList.unblock(jid, id: $0) }
    case .report(let jid, let report): ask(ticket) { BlockList.block(jid, report, id: $0) }
    case .list: ask(ticket, { BlockList.request(id: $0) }, read: list)
    }
  }

  private func ask(
    _ ticket: Ticket, _ stanza: (String) -> [UInt8], read: @escaping (Element) -> TicketOutcome = { _ in .done(0) }
  ) {
    requests.ask(isOfClient: true, stanza) { [effects] answer in
      effects.answer(ticket, answer.outcome(read))
    }
  }

  private func list(in answer: Element) -> TicketOutcome {
    guard let list = BlockList(answer) else { return .refused("the server's answer holds no block list") }
    return .blocked(list.jids, account: account)
  }

  private func obstacle(to order: Order) -> String? {
    guard features.hasBlocking else { return "the server does not offer to block JIDs (XEP-0191)" }
    if case .report = order, !features.takesReports {
      return "the server takes no reports (XEP-0377); block works without one"
    }
    return nil
  }

  func featuresAreKnown() {
    let orders = waiting
    waiting = []
    for (order, ticket) in orders { carryOut(order, for: ticket) }
  }

  /// The link is lost: orders that wait will not be carried out.
  func linkLost() {
    for (_, ticket) in waiting { effects.answer(ticket, .disconnected) }
    waiting = []
  }
}
