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
  /// Orders that wait until the server's features are known.
  private var waiting: [(order: Order, ticket: Ticket)] = []

  init(_ requests: Requests, _ features: ServerFeatures, _ effects: Effects) {
    (self.requests, self.features, self.effects) = (requests, features, effects)
  }

  /// Hands an order to the server; its answer is the ticket's.
  func carryOut(_ order: Order, for ticket: Ticket) {
    guard features.isKnown else { return waiting.append((order, ticket)) }
    if let reason = obstacle(to: order) { return effects.outcomes.append((ticket, .unsupported(reason))) }
    switch order {
    case .block(let jid): requests.send(.blocking(ticket)) { BlockList.block(jid, id: $0) }
    case .unblock(let jid): requests.send(.blocking(ticket)) { BlockList.unblock(jid, id: $0) }
    case .report(let jid, let report): requests.send(.blocking(ticket)) { BlockList.block(jid, report, id: $0) }
    case .list: requests.send(.blockList(ticket)) { BlockList.request(id: $0) }
    }
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
    for (_, ticket) in waiting { effects.outcomes.append((ticket, .disconnected)) }
    waiting = []
  }
}
