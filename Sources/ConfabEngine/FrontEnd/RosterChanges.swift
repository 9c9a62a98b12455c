import Facts
import LineProtocol
import Records
import XMPPCore

// MARK: - Changes of the roster: the server answers

extension FrontEnd {
  func add(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    let jid = try desk.jid(request.string(.jid), "jid").bare
    let roster = try desk.roster(of: try desk.account(of: request))
    roster.add(
      jid, name: request.string(.name), groups: request.string(.group).map { [$0] } ?? [],
      ticket: ticket(client, request))
  }

  func remove(_ request: Request, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    let account = try desk.account(of: request)
    let jid = try desk.jid(request.string(.jid), "jid").bare
    let roster = try desk.roster(of: account)
    guard account.facts.contacts[jid.description]?.subscription != nil else {
      throw RequestFailure(.notFound, "\(jid) is not in the roster", argument: "jid")
    }
    roster.remove(jid, ticket: ticket(client, request))
  }

  func settleRequest(_ request: Request, accept: Bool, _ client: Client, _ desk: Desk) throws(RequestFailure) {
    try desk.checkStorage()
    let jid = try desk.jid(request.string(.jid), "jid").bare
    let account = try desk.account(of: request)
    let roster = try desk.roster(of: account)
    let contact = account.facts.contacts[jid.description]
    let seesUs = ["from", "both"].contains(contact?.subscription ?? "")
    guard contact?.request == true || (!accept && seesUs) else {
      throw RequestFailure(.notFound, "\(jid) has not asked to see your presence", argument: "jid")
    }
    let sequence = roster.settleRequest(of: jid, accept: accept)
    client.lastAppended = sequence
    client.slots.append(.stored(sequence: sequence, request, then: .plain))
  }
}
