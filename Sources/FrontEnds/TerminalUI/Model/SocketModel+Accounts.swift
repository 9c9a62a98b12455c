import LineProtocol

/// The accounts, which come in one answer, and the owners of all that is known here.
extension SocketModel {
  mutating func receive(_ account: AccountRow) { incomingAccounts.append(account) }

  /// Texts go out, and drafts are shared, once it is known whose accounts these are.
  mutating func finishAccounts() -> [ModelEvent] {
    let old = AccountOwners(accounts)
    let offline = Set(accounts.filter { !$0.isOnline }.map(\.name))
    (accounts, incomingAccounts) = (incomingAccounts, [])
    // Contacts who were there all the time have no event for it.
    if !awaitsOwners, accounts.contains(where: { $0.isOnline && offline.contains($0.name) }) { askContacts() }
    let new = AccountOwners(accounts)
    return (old.isEmpty || old == new ? [] : change(old, to: new)) + learnOwners()
  }

  /// Ends the wait for the owners of the accounts, and sends the waiting messages.
  mutating func learnOwners() -> [ModelEvent] {
    guard awaitsOwners else { return [] }
    awaitsOwners = false
    for message in outgoing.all { transmit(message) }
    return [.ownersKnown]
  }

  /// Everything is asked for anew; texts of an owner who is gone are given back.
  private mutating func change(_ old: AccountOwners, to new: AccountOwners) -> [ModelEvent] {
    (windows, sections, awaitedSections, search, fetches, typing) = ([:], [:], [], nil, FileFetches(), Typists())
    conversations.removeAll()
    contacts = ContactList()
    let left = outgoing.move(from: old, to: new)
    askPeople()
    // Each comes back in front of what is in the input.
    return [.otherOwners(old, new)]
      + left.reversed().map { .refused($0, "its account is gone, or has another name or owner") }
  }

  mutating func askPeople() {
    askConversations(known: true)
    askConversations(known: false, limit: Self.strangersAtFirst)
    askContacts()
  }

  private mutating func askContacts() { ask(Request(.roster), .contacts) }
}
