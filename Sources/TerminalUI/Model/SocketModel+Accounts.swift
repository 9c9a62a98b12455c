import LineProtocol

/// Accounts come in one answer. What is known here belongs to their owners.
extension SocketModel {
  mutating func receive(_ account: AccountRow) { incomingAccounts.append(account) }

  /// Texts go out, and drafts are shared, once it is known whose accounts these are.
  mutating func finishAccounts() -> [ModelEvent] {
    let (old, isFirst) = (AccountOwners(accounts), awaitsOwners)
    (accounts, incomingAccounts, awaitsOwners) = (incomingAccounts, [], false)
    let new = AccountOwners(accounts)
    let events = old.isEmpty || old == new ? [] : change(old, to: new)
    guard isFirst else { return events }
    for message in outgoing.all { transmit(message) }
    return events + [.ownersKnown]
  }

  /// Everything is asked for anew; texts of an owner who is gone are given back.
  private mutating func change(_ old: AccountOwners, to new: AccountOwners) -> [ModelEvent] {
    (windows, sections, awaitedSections, search, fetches, typing) = ([:], [:], [], nil, FileFetches(), [])
    conversations.removeAll()
    contacts = ContactList()
    let left = outgoing.move { old.key($0, among: new) }
    askPeople()
    return [.otherOwners(old, new)] + left.map { .refused($0, "its account is gone, or has another owner") }
  }

  mutating func askPeople() {
    askConversations(known: true)
    askConversations(known: false, limit: Self.strangersAtFirst)
    ask(Request(.roster), .contacts)
  }
}
