import ConfabClient

/// Names of people.
extension SocketModel {
  /// The name of a contact, or of a conversation; else the address.
  func name(of key: ConversationKey) -> String {
    if let name = contacts[key]?.name, !name.isEmpty { return name }
    if let name = conversations[key]?.name, !name.isEmpty { return name }
    if let name = rooms[key]?.name, !name.isEmpty { return name }
    return key.title
  }

  /// About somebody whom I had asked, and who asked me.
  func acceptedWords(_ key: ConversationKey) -> String {
    "\(name(of: key)) asked for the same: each sees when the other is online."
  }

  /// `3 rooms, 5 unread`
  var roomCountWords: String {
    let rows = rooms.rows.keys.compactMap { conversations[$0] }.filter { !$0.isArchived }
    let unread = rows.reduce(0) { $0 + $1.news }
    return "\(rows.count) room\(rows.count == 1 ? "" : "s")" + (unread > 0 ? ", \(unread) unread" : "")
  }

  /// About a room that somebody invites me to.
  ///
  /// - Parameter goTo: the key to its row; empty: none leads there now.
  func invitationWords(_ key: ConversationKey, by person: String, _ reason: String, goTo: String = "") -> String {
    let who = person.isEmpty ? "Somebody" : name(of: ConversationKey(account: key.account, jid: person))
    let why = reason.isEmpty ? "" : " (\(ShownLine.clean(reason, limit: 100)))"
    let way = goTo.isEmpty ? "" : " \(goTo) goes to it."
    return "\(who) invites you to \(key.jid)\(why): /join \(key.jid) or /leave \(key.jid).\(way)"
  }

  /// The inviter and the reason, for the list.
  func invitationWords(_ key: ConversationKey) -> String {
    guard let room = rooms[key], !room.inviter.isEmpty else { return "Enter joins or declines" }
    let person = ConversationKey(account: key.account, jid: String(room.inviter.prefix { $0 != "/" }))
    let who = person.jid == key.jid ? String(room.inviter.dropFirst(key.jid.count + 1)) : name(of: person)
    return who + (room.reason.isEmpty ? " invites you" : ": \(room.reason)")
  }

  /// About somebody who asks to speak in a room of mine.
  func voiceRequestWords(_ key: ConversationKey, _ nick: String) -> String {
    "\(nick) asks to speak in \(name(of: key)): /voice \(nick) yes or /voice \(nick) no."
  }

  /// True if a name is also that of another contact, or looks like an address: only the address then identifies the
  /// person.
  func isImitated(_ name: String, _ key: ConversationKey) -> Bool {
    guard !name.isEmpty, name != key.jid else { return false }
    if name.contains("@") || name.lowercased() == "me" { return true }
    return contacts.isTaken(name, besides: key)
  }

  /// True once contacts and conversations are loaded, whose names a person can type.
  var hasPeople: Bool { contacts.isLoaded && conversations.isLoaded }

  var book: AddressBook {
    let contacts = contacts.rows.values.map { (name: $0.name, key: $0.key) }
    let conversations = conversations.rows.values.map { (name: $0.name, key: $0.key) }
    return AddressBook(
      people: contacts + conversations, requests: self.contacts.requests.map(\.key), hasAccounts: accounts.count > 1)
  }
}
