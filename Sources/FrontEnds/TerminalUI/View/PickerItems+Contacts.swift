import ConfabClient
import LineProtocol

/// The contacts: a tree of groups, contacts and sections, and what can be done with one of them.
extension PickerItems {
  /// All of them by group, or those that fit the query.
  func contacts(_ picker: Picker) -> [PickerItem] {
    let typed = address(picker.query).first
    let add = PickerItem(typed.map { "Add \($0) …" } ?? "Add a contact …", "", .prompt(.addContact, text: typed ?? ""))
    let all = model.contacts.rows.values.filter { !$0.isRequest }
    guard picker.query.isEmpty else { return ranked(all.sorted(by: isBefore).map(person), picker.query) + [add] }
    let requests = model.contacts.requests.map { row in
      PickerItem(row.key.jid, "asks to be a contact: Enter accepts or denies", .popup(.contact(row.key)))
    }
    let groups = Set(all.flatMap(\.groups)).sorted().flatMap { name in
      group(name, all.filter { $0.groups.contains(name) }, picker)
    }
    return requests + leftOut + [add] + groups + people(all.filter(\.groups.isEmpty), in: [], picker)
  }

  /// Requests that are not here, as too many waited.
  private var leftOut: [PickerItem] {
    let count = model.contacts.requestsLeftOut
    return count == 0
      ? [] : [PickerItem("\(count) more left out", "too many wait; the server repeats them at the next login")]
  }

  /// A group, and its contacts if it is unfolded.
  private func group(_ name: String, _ members: [ContactRow], _ picker: Picker) -> [PickerItem] {
    let path = ["group \(name)"]
    let isUnfolded = picker.unfolded.contains(path)
    let known = members.compactMap { model.availability($0.key) }
    let people = members.count == 1 ? "1 contact" : "\(members.count) contacts"
    let online = known.count { $0 > .offline }
    let words = known.contains { $0 != .blocked } ? "\(online) of \(members.count) online" : people
    let unread = members.reduce(0) { $0 + (model.conversations[$1.key]?.unread ?? 0) }
    var item = PickerItem(
      (isUnfolded ? "- " : "+ ") + name, "group, \(words)" + (unread > 0 ? ", \(unread) unread" : ""), .fold(path))
    item.path = path
    return [item] + (isUnfolded ? self.people(members, in: path, picker) : [])
  }

  /// Contacts, each with its sections if it is unfolded.
  private func people(_ rows: [ContactRow], in path: [String], _ picker: Picker) -> [PickerItem] {
    let indent = String(repeating: " ", count: 2 * path.count)
    return rows.sorted(by: isBefore).flatMap { row in
      var item = person(row)
      item.title = indent + item.title
      item.path = path + ["contact \(row.key.account) \(row.key.jid)"]
      guard picker.unfolded.contains(item.path) else { return [item] }
      return [item]
        + sections(row.key).enumerated().map { number, section in
          PickerItem(
            indent + "  " + section.title, section.detail, section.intent, path: item.path + ["section \(number)"])
        }
    }
  }

  /// Orders contacts: those who are there come first.
  private func isBefore(_ one: ContactRow, _ other: ContactRow) -> Bool {
    let (here, there) = (model.availability(one.key), model.availability(other.key))
    return (there?.rawValue ?? 0, one.name.lowercased(), one.key.jid)
      < (here?.rawValue ?? 0, other.name.lowercased(), other.key.jid)
  }

  private func person(_ row: ContactRow) -> PickerItem {
    return PickerItem(
      title(row.key, row.name), detail(row.key, row.name, model.presenceWords(row)), .open(row.key, name: row.name),
      more: .popup(.contact(row.key)))
  }

  private func blocking(_ key: ConversationKey, _ request: (Verb) -> Request) -> PickerItem {
    guard model.availability(key) != .blocked else {
      return PickerItem("Unblock", "", .request(request(.unblock), "unblock \(key.jid)"))
    }
    return PickerItem(
      "Block", "the server delivers nothing from them any more",
      .popup(.confirm("Block \(key.jid)", .request(request(.block), "block \(key.jid)"))))
  }

  /// All groups of the account: a choice takes the contact out of one that it is in, and puts it into another one.
  func groups(_ key: ConversationKey) -> [PickerItem] {
    let own = model.contacts[key]?.groups ?? []
    let all = Set(model.contacts.rows.values.filter { $0.key.account == key.account }.flatMap(\.groups)).sorted()
    let choices = all.map { group in
      let isIn = own.contains(group)
      return PickerItem(group, isIn ? "in it; Enter takes out" : "Enter puts in", .group(key, group, isIn: !isIn))
    }
    return choices + [PickerItem("A new group …", "", .popup(.prompt(.group(key))))]
  }

  /// Both are to see each other, unless that was asked for before.
  private func accepting(_ key: ConversationKey, _ accept: Request) -> [PickerItem] {
    let row = model.contacts[key]
    let alone = PickerItem("Accept", "\(key.jid) then sees when you are online", .request(accept, "accept \(key.jid)"))
    guard row?.isSeen != true, row?.isAsked != true else { return [alone] }
    var only = alone
    only.title = "Accept only"
    return [PickerItem("Accept and ask back", "both then see when the other is online", .befriend(key)), only]
  }

  func contact(_ key: ConversationKey) -> [PickerItem] {
    func request(_ verb: Verb) -> Request {
      Request(verb, arguments: [.jid: .string(key.jid)], account: key.accountName)
    }
    let open = PickerItem("Open the conversation", key.jid, .open(key, name: model.contacts[key]?.name ?? ""))
    guard model.contacts[key]?.isRequest != true else {
      return accepting(key, request(.accept)) + [
        PickerItem(
          "Deny", "forgets the request; nobody is told when you are online", .request(request(.deny), "deny \(key.jid)")
        ), open,
      ]
    }
    let asking =
      model.contacts[key]?.isSeen == false
      ? [
        PickerItem(
          "Ask to see when they are online", "they may refuse", .request(request(.add), "ask \(key.jid) for presence"))
      ] : []
    return [open] + asking + [
      PickerItem("Sections of the conversation", "", .popup(.sections(key))),
      PickerItem("Get the avatar", "asks the contact's server for it", .fetchAvatar(key)),
      PickerItem("Profile", "asks the contact's server for it", .ask(request(.profile))),
      PickerItem("Rename …", "", .popup(.prompt(.rename(key)))),
      PickerItem(
        "Groups …", model.contacts[key]?.groups.joined(separator: ", ") ?? "", .popup(.groups(key))),
      PickerItem(
        "Encryption and devices …", model.encryption.states[key]?.word ?? "", .popup(.device(.list(key)))),
      PickerItem("Mute …", "", .popup(.mute(key))),
      blocking(key, request),
      PickerItem(
        "Remove from the contacts", "the messages stay",
        .popup(.confirm("Remove \(key.jid) from the contacts", .request(request(.remove), "remove \(key.jid)")))),
    ]
  }
}
