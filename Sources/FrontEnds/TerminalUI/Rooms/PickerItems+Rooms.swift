import ConfabClient

/// Pop-ups about rooms.
extension PickerItems {
  func room(_ popup: RoomPopup, _ query: String) -> [PickerItem] {
    switch popup {
    case .menu(let key): return RoomMenu(model: model, key: key).items
    case .occupants(let key):
      guard model.rooms[key]?.state == .joined else { return [PickerItem("You are not in the room.")] }
      let (items, isPart) = OccupantMenu(model: model, key: key).occupants(query)
      return isPart && !query.isEmpty ? ranked(items, query) + [PickerItem("Searching …")] : ranked(items, query)
    case .occupant(let key, let nick, let identity):
      return OccupantMenu(model: model, key: key).occupant(nick, as: identity)
    case .topic(let key): return [PickerItem(model.rooms[key]?.topic ?? "")]
    case .noise(let key): return RoomMenu(model: model, key: key).noise
    case .invitation(let key): return RoomMenu(model: model, key: key).invitation
    case .voiceRequest(let key, let nick): return RoomMenu(model: model, key: key).voiceRequest(nick)
    case .missing(let key): return RoomMenu(model: model, key: key).missing
    case .service: return model.rooms.service.map { ranked($0.items, query) } ?? []
    case .listed(let key): return listed(key)
    case .form: return model.rooms.form.map { ranked($0.items, query) } ?? []
    case .field(_, let name, _): return model.rooms.form?.choices(name) ?? []
    }
  }

  /// Describes a room by its own words.
  private func listed(_ key: ConversationKey) -> [PickerItem] {
    guard let row = model.rooms.listed, row.key.jid == key.jid else { return [PickerItem("Asking the room …")] }
    let kind = [row.isForMembers ? "for members only" : "", row.isModerated ? "moderated" : ""]
    let facts = [row.count.map { "\($0) there" } ?? ""] + kind
    let words = [row.name, row.description, row.topic, facts.filter { !$0.isEmpty }.joined(separator: ", ")]
    return words.filter { !$0.isEmpty }.map { PickerItem($0) } + [
      PickerItem("Join", key.jid, RoomMenu.join(key)), PickerItem("No, go back", "", .closePopup),
    ]
  }
}
