import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// Blocks and reports JIDs for clients (XEP-0191, XEP-0377). The server has the only list, and is asked each time a
/// client wants it. A copy, which the server's pushes keep current, says which contacts are blocked.
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
  private let stream: ReliableStream
  /// The server's list as it is known here; empty before the server has sent it.
  private var list = BlockList()
  /// Orders that wait until the server's features are known.
  private var waiting: [(order: Order, ticket: Ticket)] = []

  /// JIDs of the copy, beyond which pushes are not taken.
  private static let mostKnown = 10_000

  init(_ stream: ReliableStream, _ requests: Requests, _ features: ServerFeatures, _ effects: Effects) {
    (self.stream, self.requests, self.features, self.effects) = (stream, requests, features, effects)
  }

  private var account: UInt32 { stream.state.number }

  /// Whether a contact is blocked: its account, or everybody of its domain.
  func blocks(_ contact: String) -> Bool {
    guard !list.jids.isEmpty, let jid = try? JID(contact) else { return false }
    return list.blocks(jid)
  }

  /// A push of the server: the list changed.
  func receivePush(_ push: Element) {
    var list = list
    list.apply(push)
    if list.jids.count <= Self.mostKnown { take(list) }
  }

  /// Takes the list as it is now, and tells watchers of contacts that are blocked now or no longer. The server sends no
  /// presence of who is blocked, so what came before is forgotten.
  private func take(_ new: BlockList) {
    guard new != list else { return }
    let old = list
    list = new
    for contact in stream.state.contacts.all {
      guard let jid = try? JID(contact.jid), new.blocks(jid) != old.blocks(jid) else { continue }
      if new.blocks(jid) { stream.note(PresenceRecord(jid: contact.jid, resource: "")) }
      effects.publish(PresenceChanged(account: account, contact: contact.jid))
    }
  }

  private func askList() {
    requests.ask {
      BlockList.request(id: $0)
    } then: { [self] in
      switch $0 {
      case .result(let answer): if let list = BlockList(answer) { take(list) }
      case .error: take(BlockList())
      case .missing: break
      }
    }
  }

  /// Hands an order to the server; its answer is the ticket's.
  func carryOut(_ order: Order, for ticket: Ticket) {
    guard features.isKnown else { return waiting.append((order, ticket)) }
    if let reason = obstacle(to: order) { return effects.answer(ticket, .unsupported(reason)) }
    switch order {
    case .block(let jid): ask(ticket) { BlockList.block(jid, id: $0) }
    case .unblock(let jid): ask(ticket) { BlockList.unblock(jid, id: $0) }
    case .report(let jid, let report): ask(ticket) { BlockList.block(jid, report, id: $0) }
    case .list: ask(ticket, { BlockList.request(id: $0) }, read: readList)
    }
  }

  private func ask(
    _ ticket: Ticket, _ stanza: (String) -> [UInt8], read: @escaping (Element) -> TicketOutcome = { _ in .done(0) }
  ) {
    requests.ask(isOfClient: true, stanza) { [effects] answer in
      effects.answer(ticket, answer.outcome(read))
    }
  }

  private func readList(_ answer: Element) -> TicketOutcome {
    guard let list = BlockList(answer) else { return .refused("the server's answer holds no block list") }
    take(list)
    return .blocked(Array(list.jids), account: account)
  }

  private func obstacle(to order: Order) -> String? {
    guard features.hasBlocking else { return "the server does not offer to block JIDs (XEP-0191)" }
    if case .report = order, !features.takesReports {
      return "the server takes no reports (XEP-0377); block works without one"
    }
    return nil
  }

  func featuresAreKnown() {
    features.hasBlocking ? askList() : take(BlockList())
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
