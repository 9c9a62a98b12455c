import ConfabAccounts
import JSON
import LineProtocol
import State
import XMPPCore
import XMPPExtensions

/// `nick`, `profile`, `block`, `unblock`, `blocked` and `report`.
extension Command {
  static let people: [Verb: Handler] = [
    .nick: { try $0.nick() },
    .profile: { try $0.profile() },
    // A full JID stands for its resource alone.
    .block: { try $0.order(.block($0.contact())) },
    .unblock: { try $0.order(.unblock($0.contact())) },
    .blocked: { try $0.order(.list) },
    .report: { try $0.order(.report($0.contact(), $0.abuseReport)) },
  ]

  private func nick() throws(RequestFailure) {
    let account = try account()
    guard let text = request.text else {
      return answerOK { $0.member("nick", account.state.contacts.nicknames[account.jid.description] ?? "") }
    }
    let nickname = Nickname.clean(text) ?? ""
    guard nickname.unicodeScalars.elementsEqual(text.unicodeScalars.trimmed) else {
      throw RequestFailure(
        .badArgument,
        "a nickname has at most \(Nickname.longest) characters, no line breaks, controls or bidi characters, and is no address",
        argument: "text")
    }
    try context.checkOnline(account)
    account.parts.people.nicknames.publish(nickname, for: ticket())
  }

  private func profile() throws(RequestFailure) {
    let account = try account()
    let jid = try jid().bare
    try context.checkOnline(account)
    account.parts.people.profiles.lookUp(jid, for: lateTicket())
  }

  private func order(_ order: Blocking.Order) throws(RequestFailure) {
    let account = try account()
    try context.checkOnline(account)
    account.parts.people.blocking.carryOut(order, for: ticket())
  }

  private var abuseReport: AbuseReport {
    let reason = request.string(.reason).flatMap { AbuseReport.Reason(rawValue: $0) }
    return AbuseReport(reason ?? .spam, text: request.text.flatMap { $0.isEmpty ? nil : $0 })
  }
}

extension String.UnicodeScalarView {
  /// Without white space around it.
  fileprivate var trimmed: Substring.UnicodeScalarView {
    var scalars = drop { $0.properties.isWhitespace }
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return scalars
  }
}

extension Request {
  /// The answer of `profile`.
  ///
  /// - Parameter account: the account's name where it is shown.
  func answer(_ profile: Profile, of jid: JID, account: String?) -> [UInt8] {
    data("profile") { writer in
      writer.member("jid", jid.description)
      if let account { writer.member("account", account) }
      for property in Profile.Property.allCases {
        guard let values = profile.values[property], let first = values.first else { continue }
        guard values.count > 1 else {
          writer.member(property.name, first)
          continue
        }
        writer.array(property.name) { array in values.forEach { array.value($0) } }
      }
    } + ok()
  }

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
