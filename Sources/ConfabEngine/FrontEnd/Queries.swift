import Clocks
import Conversations
import Facts
import JSON
import LineProtocol
import Records
import XMPPCore

/// Queries: answered from the facts and the log, nothing changed.
extension FrontEnd {
  func history(_ request: Request, _ desk: Desk) throws(RequestFailure) -> PagedAnswer {
    let account = try desk.account(of: request)
    let jid = try desk.jid(request.string(.jid), "jid").bare.description
    let conversation =
      account.facts.conversations[jid] ?? Conversation(account: account.number, jid: jid, gap: desk.facts.gap)
    let position = try position(request, conversation, desk)
    let wish = HistoryPage.Wish(position: position, request: request, seq: desk.storage.queue.durable)
    return PagedAnswer(request, .history(HistoryPage(of: conversation, wish)))
  }

  private func position(
    _ request: Request, _ conversation: Conversation, _ desk: Desk
  ) throws(RequestFailure) -> PagePosition {
    if let id = request.id(.before) { return .before(row: try desk.row(of: id, in: conversation, argument: "before")) }
    if let id = request.id(.after) { return .after(row: try desk.row(of: id, in: conversation, argument: "after")) }
    if let id = request.id(.around) { return .around(row: try desk.row(of: id, in: conversation, argument: "around")) }
    return request.integer(.row).map(PagePosition.row) ?? .newest
  }

  func sections(_ request: Request, _ desk: Desk) throws(RequestFailure) -> [UInt8] {
    let account = try desk.account(of: request)
    let jid = try desk.jid(request.string(.jid), "jid").bare.description
    var writer = JSONWriter()
    if let conversation = account.facts.conversations[jid] {
      var row: Int?
      if let id = request.id(.before) {
        row = try desk.row(of: id, in: conversation, argument: "before")
      }
      let found = conversation.timeline.sections(
        gap: request.duration(.gap), limit: request.integer(.limit) ?? 50, before: row)
      for section in found { Lines.write(section, request, desk, into: &writer) }
    } else if let id = request.id(.before) {
      throw RequestFailure(.notFound, "message \(id) is not one of the conversation with \(jid)", argument: "before")
    }
    Answer.ok(request.tag, into: &writer)
    return writer.bytes
  }

  func roster(_ request: Request, _ desk: Desk) throws(RequestFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    for account in try desk.accounts(of: request) {
      for contact in account.facts.contacts.values.sorted(by: { $0.jid < $1.jid }) {
        bytes += Lines.data("contact", request) { desk.writeContact(contact, into: &$0) }
      }
    }
    return bytes + Lines.ok(request)
  }

  func groups(_ request: Request, _ desk: Desk) throws(RequestFailure) -> [UInt8] {
    var groups: [String: (contacts: Int, unread: Int)] = [:]
    for account in try desk.accounts(of: request) {
      for contact in account.facts.contacts.values {
        for group in Set(contact.groups) {
          groups[group, default: (0, 0)].contacts += 1
          groups[group, default: (0, 0)].unread += account.facts.conversations[contact.jid]?.unread ?? 0
        }
      }
    }
    let lines = groups.sorted { $0.key < $1.key }.flatMap { name, count in
      Lines.data("group", request) {
        $0.member("name", name)
        $0.member("contacts", count.contacts)
        $0.member("unread", count.unread)
      }
    }
    return lines + Lines.ok(request)
  }
}
