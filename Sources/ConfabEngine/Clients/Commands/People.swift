import JSON
import LineProtocol
import XMPPCore
import XMPPExtensions

/// `block`, `unblock`, `blocked` and `report`.
extension Command {
  static let people: [Verb: Handler] = [
    .block: { try $0.order(.block($0.blockableJID())) },
    .unblock: { try $0.order(.unblock($0.blockableJID())) },
    .blocked: { try $0.order(.list) },
    .report: { try $0.order(.report($0.blockableJID(), $0.abuseReport)) },
  ]

  private func order(_ order: Blocking.Order) throws(RequestFailure) {
    let account = try account()
    try context.checkOnline(account)
    account.router.blocking.carryOut(order, for: ticket())
  }

  /// A full JID stays one: it stands for its resource alone.
  private func blockableJID() throws(RequestFailure) -> JID { try context.jid(request.string(.jid), "jid") }

  private var abuseReport: AbuseReport {
    let reason = request.string(.reason).flatMap { AbuseReport.Reason(rawValue: $0) }
    return AbuseReport(reason ?? .spam, text: request.text.flatMap { $0.isEmpty ? nil : $0 })
  }
}

extension Request {
  /// The answer of `blocked`.
  ///
  /// - Parameter account: the account's name where it is shown.
  func answer(blocked jids: [JID], account: String?) -> [UInt8] {
    let lines = jids.map(\.description).sorted().flatMap { jid in
      data("blocked") {
        $0.member("jid", jid)
        if let account { $0.member("account", account) }
      }
    }
    return lines + ok()
  }
}
