import ConfabAccounts
import State
import JSON
import LineProtocol
import Records
import XMPPCore

/// `roster`, `groups`, `add`, `remove`, `accept` and `deny`.
extension Command {
  static let roster: [Verb: Handler] = [
    .roster: { try $0.list() },
    .groups: { try $0.groups() },
    .add: { try $0.add() },
    .remove: { try $0.remove() },
    .accept: { try $0.answerSubscription(accept: true) },
    .deny: { try $0.answerSubscription(accept: false) },
  ]

  private func list() throws(RequestFailure) {
    var bytes: [UInt8] = []
    for account in try context.accounts(of: request) {
      for contact in account.state.contacts.all.sorted(by: { $0.jid < $1.jid }) {
        bytes += request.data("contact") { context.write(contact, into: &$0) }
      }
    }
    let leftOut = try context.accounts(of: request).reduce(0) { $0 + $1.parts.people.roster.requestsLeftOut }
    answer(bytes + request.ok { if leftOut > 0 { $0.member("requests_left_out", leftOut) } })
  }

  private func groups() throws(RequestFailure) {
    var groups: [String: (contacts: Int, unread: Int)] = [:]
    for account in try context.accounts(of: request) {
      for contact in account.state.contacts.all {
        for group in Set(contact.groups) {
          groups[group, default: (0, 0)].contacts += 1
          groups[group, default: (0, 0)].unread += account.state.conversations[contact.jid]?.unread ?? 0
        }
      }
    }
    let lines = groups.sorted { $0.key < $1.key }.flatMap { name, count in
      request.data("group") {
        $0.member("name", name)
        $0.member("contacts", count.contacts)
        $0.member("unread", count.unread)
      }
    }
    answer(lines + request.ok())
  }

  private func add() throws(RequestFailure) {
    let jid = try contact().bare
    let account = try account()
    try context.checkOnline(account)
    account.parts.people.roster.add(
      jid, name: request.string(.name), group: request.string(.group).flatMap { $0.isEmpty ? nil : $0 },
      ticket: ticket())
  }

  private func remove() throws(RequestFailure) {
    let account = try account()
    let jid = try contact().bare
    try context.checkOnline(account)
    guard account.state.contacts[jid.description]?.subscription != nil else {
      throw RequestFailure(.notFound, "\(jid) is not in the roster", argument: "jid")
    }
    if let group = request.string(.group) {
      return account.parts.people.roster.remove(jid, from: group, ticket: ticket())
    }
    account.parts.people.roster.remove(jid, ticket: ticket())
  }

  private func answerSubscription(accept: Bool) throws(RequestFailure) {
    try context.checkStorage()
    let jid = try contact().bare
    let account = try account()
    try context.checkOnline(account)
    let contact = account.state.contacts[jid.description]
    guard contact?.request == true || !accept && contact?.seesPresence == true else {
      throw RequestFailure(.notFound, "\(jid) has not asked to see your presence", argument: "jid")
    }
    answer(whenDurable: account.parts.people.roster.answerRequest(of: jid, accept: accept))
  }
}

extension Request {
  /// How the server answered what was asked of it.
  func answer(_ outcome: TicketOutcome, _ context: RequestContext) -> [UInt8] {
    switch outcome {
    case .done, .joined, .moderated, .avatar, .file, .olderFetched: ok()
    case .blocked(let jids, let account): answer(blocked: jids, account: context.shownName(of: account))
    case .profile(let profile, let jid, let account): answer(profile, of: jid, account: context.shownName(of: account))
    case .rooms(let listing): answer(listing)
    case .room(let record): data("room") { context.write(record, into: &$0) } + ok()
    case .members(let members):
      members.prefix(integer(.limit) ?? Limits.page).flatMap { member in data("member") { member.write(into: &$0) } }
        + ok { $0.member("count", members.count) }
    case .devices(let number, let jid):
      (context.accounts.numbered(number).map { devices(of: jid, $0) } ?? []) + ok()
    case .topic(let text): ok { $0.member("topic", text) }
    case .form(let form): answer(form)
    case .registered(let nick): ok { if let nick { $0.member("nick", nick) } }
    case .notFound(let words): error(RequestFailure(.notFound, words, argument: "jid"))
    case .failed(let failure): error(failure)
    case .refused(let words): error(RequestFailure(.failed, words))
    case .disconnected: error(RequestFailure(.notConnected, "the connection ended before the server answered"))
    case .timedOut: error(RequestFailure(.timeout, "the server did not answer"))
    case .unsupported(let words): error(RequestFailure(.notSupported, words))
    }
  }
}
