import ConfabClient
import JSON
import LineProtocol

/// Reports with whom messages of an account are encrypted, and why not: the people and rooms of the newest conversations.
struct EncryptionCheck {
  let account: String

  /// Conversations that are looked at, and names in a line.
  private static let people = 20
  private static let names = 8

  /// Nothing where the daemon is older, or this socket may not ask.
  func checks(_ client: inout DaemonClient) throws(TransportFailure) -> [Check] {
    let own = try client.ask(request(.fingerprint))
    switch own.kind {
    case .done: break
    case .refused(ErrorCode.notSupported.rawValue, let reason):
      return [Check(.encryption, .ok, reason, account: account)]
    case .refused(ErrorCode.notFound.rawValue, let reason):
      return [Check(.encryption, .warning, reason, account: account, advice: "confab connect")]
    default: return []
    }
    return [try device(own.object["device"]?.integer ?? 0, &client)] + (try conversations(&client))
  }

  private func request(_ verb: Verb, _ jid: String? = nil) -> Request {
    var request = Request(verb, account: account)
    if let jid { request.arguments[.jid] = .string(jid) }
    return request
  }

  /// The device of the daemon, and how many others read along.
  private func device(_ id: Int64, _ client: inout DaemonClient) throws(TransportFailure) -> Check {
    var others: [DeviceRow] = []
    _ = try client.ask(request(.devices)) { line in
      if let row = line.object["device"].flatMap(DeviceRow.init), !row.isThis, row.isActive { others.append(row) }
    }
    let undecided = others.count { $0.trust == .undecided }
    let words = "this is device \(id); \(RowFormat.counted(Int64(others.count), "other device")) of the account"
    guard undecided > 0 else { return Check(.encryption, .ok, words, account: account) }
    return Check(
      .encryption, .warning, words + ", \(undecided) of them undecided", account: account,
      advice: "compare with confab devices, then confab trust or confab device-remove")
  }

  // MARK: People

  private func conversations(_ client: inout DaemonClient) throws(TransportFailure) -> [Check] {
    var list = request(.conversations)
    (list.options[.limit], list.options[.known]) = (.integer(Self.people), .string("yes"))
    var jids: [String] = []
    _ = try client.ask(list) { line in
      guard let row = line.object["conversation"], let jid = row["jid"]?.string,
        !jid.contains("/")
      else { return }
      jids.append(jid)
    }
    var groups: [Reason] = []
    for jid in jids {
      let answer = try client.ask(request(.encrypt, jid))
      guard answer.kind == .done, let reason = Reason(answer.object) else { continue }
      if let index = groups.firstIndex(where: { $0.isSame(as: reason) }) {
        groups[index].people.append(jid)
      } else {
        groups.append(reason)
        groups[groups.count - 1].people = [jid]
      }
    }
    return groups.map(check)
  }

  /// People with whom messages are encrypted, or not, for the same reason.
  private struct Reason {
    let isActive: Bool
    /// True if the next message would fail.
    let isStuck: Bool
    let words: String
    var people: [String] = []

    init?(_ state: JSONValue) {
      guard let isActive = state["active"]?.bool, let words = state["reason"]?.string else { return nil }
      (self.isActive, self.words) = (isActive, words)
      isStuck = isActive && (state["usable"]?.integer ?? 0) == 0
    }

    func isSame(as other: Self) -> Bool { (isActive, isStuck, words) == (other.isActive, other.isStuck, other.words) }
  }

  private func check(_ reason: Reason) -> Check {
    let more = reason.people.count - Self.names
    let names = reason.people.prefix(Self.names).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    let words = "\(reason.isActive ? "encrypted" : "not encrypted") with \(names): \(reason.words)"
    guard reason.isStuck else { return Check(.encryption, .ok, words, account: account) }
    let advice =
      "confab devices \(reason.people[0]) shows why; confab trust, or confab encrypt \(reason.people[0]) never"
    return Check(.encryption, .warning, words, account: account, advice: advice)
  }
}
