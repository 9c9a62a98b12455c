import Clocks
import Facts
import JSON
import LineProtocol
import Records
import XMPPCore

/// `conversations`: the list by recency, page by page.
extension FrontEnd {
  func conversations(_ request: Request, _ desk: Desk) throws(RequestFailure) -> PagedAnswer {
    let limit = request.integer(.limit) ?? 50
    let bound = try bound(request, desk)
    // One more than the limit: its presence is `more_before`.
    var all = NewestConversations(limit + 1, now: desk.effects.now.wall, behind: bound)
    for account in try desk.accounts(of: request) {
      var list = NewestConversations(limit + 1, now: desk.effects.now.wall, behind: bound)
      if let group = request.string(.group) {
        for contact in account.facts.contacts.values where contact.groups.contains(group) {
          if let conversation = account.facts.conversations[contact.jid] { list.insert(conversation) }
        }
      } else {
        account.facts.conversations.fill(&list)
      }
      for conversation in list.sorted() { all.insert(conversation) }
    }
    let found = all.sorted()
    let final = Lines.ok(request) { $0.member("more_before", found.count > limit) }
    return PagedAnswer(request, .conversations(Array(found.prefix(limit))), final: final)
  }

  /// The place of the conversation that `before=` names.
  private func bound(_ request: Request, _ desk: Desk) throws(RequestFailure) -> Conversation.Place? {
    guard let text = request.string(.before) else { return nil }
    let jid = try desk.jid(text, "before").bare.description
    let places = try desk.accounts(of: request).compactMap {
      $0.facts.conversations[jid]?.place(asOf: desk.effects.now.wall)
    }
    guard places.count < 2 else { throw desk.accountNeeded }
    guard let place = places.first else {
      throw RequestFailure(.notFound, "there is no conversation with \(jid)", argument: "before")
    }
    return place
  }
}
