import ConfabClient

/// The owners of the accounts: what is known of a conversation holds for as long as its account has the same one.
package struct AccountOwners: Equatable, Sendable {
  /// Own bare JIDs by the names of the accounts.
  private let jids: [String: String]

  init(_ rows: [AccountRow]) {
    jids = Dictionary(rows.map { ($0.name, $0.jid) }) { $1 }
  }

  var isEmpty: Bool { jids.isEmpty }

  /// A conversation of these accounts, as it is called among others; nil: its owner is not among them.
  func key(_ key: ConversationKey, among others: AccountOwners) -> ConversationKey? {
    guard let account = account(of: key), let name = others.jids.first(where: { $0.value == account.jid })?.key else {
      return nil
    }
    return ConversationKey(account: others.jids.count > 1 ? name : "", jid: key.jid)
  }

  /// True if the account of a conversation has the same name and the same owner in `others`.
  func hasSameAccount(_ key: ConversationKey, among others: AccountOwners) -> Bool {
    account(of: key).map { others.jids[$0.name] == $0.jid } ?? false
  }

  private func account(of key: ConversationKey) -> (name: String, jid: String)? {
    if key.account.isEmpty, jids.count == 1 { return jids.first.map { (name: $0.key, jid: $0.value) } }
    return jids[key.account].map { (name: key.account, jid: $0) }
  }
}
