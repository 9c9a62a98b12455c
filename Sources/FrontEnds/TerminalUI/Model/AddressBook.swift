import ConfabClient

/// Contacts and conversations by what somebody may call them.
struct AddressBook {
  /// Names and whom they mean; the name of somebody without one is empty.
  let people: [(name: String, key: ConversationKey)]
  /// People who ask to be contacts.
  var requests: [ConversationKey] = []
  /// True if there are several accounts, so that a new conversation has to choose one.
  var hasAccounts = false

  /// True if several accounts could write to an address and nothing selects one.
  func isAmbiguous(_ who: String) -> Bool {
    guard hasAccounts, who.contains("@"), let jid = TypedAddress.bare(who) else { return false }
    return only(jid) == nil
  }

  /// The conversation with an address that one account alone knows.
  func only(_ jid: String) -> ConversationKey? {
    let known = Set(people.map(\.key).filter { $0.jid == jid })
    return known.count == 1 ? known.first : nil
  }

  /// People of this name; an empty one means nobody.
  func named(_ name: String) -> Set<ConversationKey> {
    guard !name.isEmpty else { return [] }
    return Set(people.filter { $0.name.lowercased() == name.lowercased() }.map(\.key))
  }

  /// People of this name; if there are none, those with it as a part of their name, or of their address before the `@`.
  func matching(_ name: String) -> [ConversationKey] {
    let word = name.lowercased()
    let parts = people.filter { person in
      let user = person.key.jid.prefix { $0 != "@" }
      return person.name.lowercased().contains(word) || user.lowercased().contains(word)
    }
    let named = named(name)
    return (named.isEmpty ? Set(parts.map(\.key)) : named).sorted { ($0.jid, $0.account) < ($1.jid, $1.account) }
  }

  /// The addresses that begin so, or belong to names that do, in lower case.
  func jids(beginningWith word: String) -> [String] {
    let found = people.filter { $0.name.lowercased().hasPrefix(word) || $0.key.jid.hasPrefix(word) }
    return Set(found.map(\.key.jid)).sorted()
  }
}
