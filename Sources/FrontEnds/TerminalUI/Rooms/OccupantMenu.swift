import ConfabClient
import LineProtocol

/// The occupants of a room as a list, and what can be done with one of them.
struct OccupantMenu {
  let model: SocketModel
  let key: ConversationKey

  /// All of a small room; of a large one the moderators and who spoke, or who was found.
  func occupants(_ query: String) -> (items: [PickerItem], isMore: Bool) {
    let occupants = model.rooms.occupants(of: key)
    guard !occupants.isWhole else { return (occupants.rows.map(item), false) }
    if !query.isEmpty, let found = occupants.found, found.query == query {
      return (found.rows.map(item), !found.isWhole)
    }
    let speakers = model.speakers(in: key).compactMap { occupants[$0] }
    let moderators = occupants.rows.filter { $0.role == .moderator }
    let shown = moderators + speakers.filter { $0.role != .moderator }
    let more = PickerItem("\(occupants.count - shown.count) more: type a part of a nick")
    return (shown.map(item) + (query.isEmpty ? [more] : []), true)
  }

  private func item(_ occupant: OccupantRow) -> PickerItem {
    PickerItem(
      occupant.sign + occupant.nick, words(occupant, besides: occupant.nick),
      .popup(.room(.occupant(key, nick: occupant.nick, identity: occupant.identity))),
      more: .room(.mention(key, nick: occupant.nick)))
  }

  private func words(_ occupant: OccupantRow, besides name: String) -> String {
    let mark = model.rooms.occupants(of: key).isIgnored(occupant) ? "ignored" : ""
    return [mark, occupant.words(besides: name)].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  // MARK: One of them

  func occupant(_ nick: String, as identity: String?) -> [PickerItem] {
    guard let occupant = model.rooms.occupants(of: key)[nick], occupant.identity == identity else {
      return [PickerItem("\(nick) is not there any more.")]
    }
    let facts = [occupant.jid ?? "", words(occupant, besides: occupant.jid ?? "")].filter { !$0.isEmpty }
    guard nick != model.rooms[key]?.nick else {
      return [
        PickerItem(facts.joined(separator: "  ")),
        PickerItem("Another nick …", "", .prompt(.room(.nick, key), text: nick)),
      ]
    }
    return [PickerItem(facts.joined(separator: "  "))] + talking(occupant)
      + (model.rooms[key].map { acts(RoomRights(room: $0, occupant: occupant)) } ?? [])
  }

  private func talking(_ occupant: OccupantRow) -> [PickerItem] {
    let alone = ConversationKey(account: key.account, jid: "\(key.jid)/\(occupant.nick)")
    let person = occupant.jid.map { ConversationKey(account: key.account, jid: $0) }
    let direct = person.map { person in
      [
        PickerItem("Write outside of the room", person.jid, .open(person, name: "")),
        PickerItem(
          "Profile", "asks their server for it",
          .ask(Request(.profile, arguments: [.jid: .string(person.jid)], account: key.accountName))),
      ]
    }
    return [
      PickerItem("Write to \(occupant.nick) alone", "nobody else in the room sees it", .open(alone, name: "")),
      PickerItem("Name \(occupant.nick) in the text", "", .room(.mention(key, nick: occupant.nick))),
    ] + (direct ?? []) + [ignoring(occupant)]
  }

  private func ignoring(_ occupant: OccupantRow) -> PickerItem {
    if model.rooms.occupants(of: key).isIgnored(occupant) {
      return request(
        .ignore, occupant.nick, [.value: .string("no")], "Stop ignoring", "shows what \(occupant.nick) says")
    }
    return request(
      .ignore, occupant.nick, [.value: .string("yes")], "Ignore", "hides what \(occupant.nick) says, for you alone")
  }

  /// The choices that my role and affiliation allow.
  private func acts(_ rights: RoomRights) -> [PickerItem] {
    let (nick, occupant) = (rights.occupant.nick, rights.occupant)
    var items: [PickerItem] = []
    if rights.mayChangeVoice, occupant.role == .visitor {
      items.append(request(.role, nick, [.level: .string("participant")], "Let them speak", ""))
    }
    if rights.mayChangeVoice, occupant.role == .participant {
      items.append(
        request(.role, nick, [.level: .string("visitor")], "Remove the right to speak", "in a moderated room"))
    }
    if rights.mayMakeModerator {
      let isModerator = occupant.role == .moderator
      let level = isModerator ? "participant" : "moderator"
      items.append(
        request(.role, nick, [.level: .string(level)], isModerator ? "No longer a moderator" : "Make a moderator", ""))
    }
    if rights.mayMakeMember, let jid = occupant.jid {
      let isMember = occupant.affiliation == .member
      items.append(
        affiliation(
          jid, isMember ? "none" : "member", isMember ? "No longer a member" : "Make a member", asks: isMember))
    }
    if rights.mayKick {
      let kick = request(.kick, nick, [:], "Kick", "")
      items.append(PickerItem("Kick", "they may come back", kick.intent.map { .popup(.confirm("Kick \(nick)", $0)) }))
    }
    if rights.mayBan, let jid = occupant.jid { items.append(affiliation(jid, "outcast", "Ban", asks: true)) }
    return items
  }

  private func request(
    _ verb: Verb, _ nick: String, _ more: NamedValues<ArgumentName>, _ title: String, _ detail: String
  ) -> PickerItem {
    var request = Request(verb, in: key, more)
    request.arguments[.nick] = .string(nick)
    return PickerItem(title, detail, .request(request, "\(title.lowercased()): \(nick)"))
  }

  private func affiliation(_ jid: String, _ level: String, _ title: String, asks: Bool) -> PickerItem {
    let request = Request(.affiliation, in: key, [.jid: .string(jid), .level: .string(level)])
    let intent = Intent.request(request, "\(title.lowercased()): \(jid)")
    return PickerItem(title, jid, asks ? .popup(.confirm("\(title): \(jid)", intent)) : intent)
  }
}

extension OccupantRow {
  /// `@` for a moderator, `-` for who may only listen.
  var sign: String { role == .moderator ? "@" : role == .visitor ? "-" : "" }

  /// `owner, away: at lunch`
  ///
  /// - Parameter name: what is said already.
  func words(besides name: String) -> String {
    let state = [show, status].filter { !$0.isEmpty }.joined(separator: ": ")
    let rank = affiliation == .none ? role == .participant ? "" : role.rawValue : affiliation.rawValue
    return [rank, state, jid.flatMap { $0 == name ? nil : $0 } ?? ""].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
