/// Contacts and conversations by what somebody may call them.
struct AddressBook {
  /// Those without a name have an empty one.
  let people: [(name: String, key: ConversationKey)]
  /// Those who ask to be contacts.
  var requests: [ConversationKey] = []

  /// Those of this name; nobody is meant by an empty one.
  func named(_ name: String) -> Set<ConversationKey> {
    guard !name.isEmpty else { return [] }
    return Set(people.filter { $0.name.lowercased() == name.lowercased() }.map(\.key))
  }

  /// The addresses that begin so, or belong to names that do, in lower case.
  func jids(beginningWith word: String) -> [String] {
    let found = people.filter { $0.name.lowercased().hasPrefix(word) || $0.key.jid.hasPrefix(word) }
    return Set(found.map(\.key.jid)).sorted()
  }
}
