import Records
import State
import XML
package import XMPPCore
package import XMPPExtensions

/// Blocks and reports JIDs for clients (XEP-0191, XEP-0377). The server has the only list, and is asked each time a
/// client wants it. A copy, which the server's pushes keep current, says which contacts are blocked.
package final class Blocking: StreamPart {
  package enum Order {
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

  /// The most JIDs of the copy; a longer list is not taken.
  static let mostKnown = 100_000
  /// The most contacts whose presence is requested after they were unblocked at once.
  private static let mostProbes = 100

  init(_ stream: ReliableStream, _ requests: Requests, _ features: ServerFeatures, _ effects: Effects) {
    (self.stream, self.requests, self.features, self.effects) = (stream, requests, features, effects)
  }

  private var account: UInt32 { stream.state.number }

  /// True if a contact is blocked: its account, or its whole domain.
  package func blocks(_ contact: String) -> Bool {
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
  /// presence of who is blocked, and none when that ends: it is unknown until somebody says otherwise.
  private func take(_ new: BlockList) {
    guard new != list else { return }
    let old = list
    list = new
    var unblocked: [JID] = []
    for contact in stream.state.contacts.all {
      guard let jid = try? JID(contact.jid), new.blocks(jid) != old.blocks(jid) else { continue }
      if !new.blocks(jid), contact.showsPresence { unblocked.append(jid) }
      forgetPresence(of: contact.jid)
    }
    for jid in unblocked.sorted().prefix(Self.mostProbes) { stream.send(SubscriptionRequest.probe(jid)) }
  }

  /// Watchers hear of it once the record is durable, or at once if there is nothing to record.
  private func forgetPresence(of contact: String) {
    guard !stream.isNews(.unknown(contact)) else { return stream.note(.unknown(contact)) }
    effects.publish(.presence(account: account, contact: contact))
  }

  private func askList() {
    requestList(isOfClient: false) { [self] answer, jids in
      switch answer {
      case .result(let iq): if let list = Self.list(iq, jids) { take(list) }
      case .error: take(BlockList())
      case .missing: break
      }
    }
  }

  private func answerList(_ ticket: Ticket) {
    requestList(isOfClient: true) { [self] answer, jids in
      let outcome = answer.outcome { iq in
        guard let list = Self.list(iq, jids) else { return .refused("the server's answer is not a block list") }
        take(list)
        return .blocked(Array(list.jids), account: account)
      }
      effects.answer(ticket, outcome)
    }
  }

  /// Requests the list, which comes in parts: one of 10,000 JIDs is larger than other stanzas may be.
  private func requestList(isOfClient: Bool, then answered: @escaping (IQAnswer, Set<JID>) -> Void) {
    var jids: Set<JID> = []
    requests.askInParts(isOfClient: isOfClient) {
      BlockList.request(id: $0)
    } takePart: {
      if let jid = BlockList.jid(of: $0), jids.count <= Self.mostKnown { jids.insert(jid) }
    } then: {
      answered($0, jids)
    }
  }

  /// The list whose JIDs came before this answer, or in it; nil if it is none, or too long.
  private static func list(_ answer: Element, _ jids: Set<JID>) -> BlockList? {
    guard let list = BlockList(answer), jids.count <= mostKnown else { return nil }
    return BlockList(list.jids.union(jids))
  }

  /// Hands an order to the server; its answer is the ticket's.
  package func carryOut(_ order: Order, for ticket: Ticket) {
    guard features.isKnown else { return waiting.append((order, ticket)) }
    if let reason = obstacle(to: order) { return effects.answer(ticket, .unsupported(reason)) }
    switch order {
    case .block(let jid): ask(ticket) { BlockList.block(jid, id: $0) }
    case .unblock(let jid): ask(ticket) { BlockList.unblock(jid, id: $0) }
    case .report(let jid, let report): ask(ticket) { BlockList.block(jid, report, id: $0) }
    case .list: answerList(ticket)
    }
  }

  private func ask(_ ticket: Ticket, _ stanza: (String) -> [UInt8]) {
    requests.ask(isOfClient: true, stanza) { [effects] in effects.answer(ticket, $0.outcome) }
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
