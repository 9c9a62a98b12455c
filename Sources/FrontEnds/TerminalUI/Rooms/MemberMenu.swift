import ConfabClient
import LineProtocol

/// The occupants of a room as a list, and what can be done with one of them.
struct MemberMenu {
  let model: SocketModel
  let key: ConversationKey

  /// All of a small room; of a large one the moderators and who spoke, or who was found.
  func members(_ query: String) -> (items: [PickerItem], isMore: Bool) {
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

  private func item(_ member: RoomMemberRow) -> PickerItem {
    PickerItem(
      member.sign + member.nick, member.words(besides: member.nick),
      .popup(.room(.member(key, nick: member.nick, identity: member.identity))),
      more: .room(.mention(key, nick: member.nick)))
  }

  // MARK: One of them

  func member(_ nick: String, as identity: String?) -> [PickerItem] {
    guard let member = model.rooms.occupants(of: key)[nick], member.identity == identity else {
      return [PickerItem("\(nick) is not there any more.")]
    }
    let facts = [member.jid ?? "", member.words(besides: member.jid ?? "")].filter { !$0.isEmpty }
    guard nick != model.rooms[key]?.nick else {
      return [
        PickerItem(facts.joined(separator: "  ")),
        PickerItem("Another nick …", "", .prompt(.room(.nick, key), text: nick)),
      ]
    }
    return [PickerItem(facts.joined(separator: "  "))] + talking(member)
      + (model.rooms[key].map { acts(RoomRights(room: $0, member: member)) } ?? [])
  }

  private func talking(_ member: RoomMemberRow) -> [PickerItem] {
    let alone = ConversationKey(account: key.account, jid: "\(key.jid)/\(member.nick)")
    let person = member.jid.map { ConversationKey(account: key.account, jid: $0) }
    let direct = person.map { person in
      [
        PickerItem("Write outside of the room", person.jid, .open(person, name: "")),
        PickerItem(
          "Profile", "asks their server for it",
          .ask(Request(.profile, arguments: [.jid: .string(person.jid)], account: key.accountName))),
      ]
    }
    return [
      PickerItem("Write to \(member.nick) alone", "nobody else in the room sees it", .open(alone, name: "")),
      PickerItem("Name \(member.nick) in the text", "", .room(.mention(key, nick: member.nick))),
    ] + (direct ?? []) + [
      request(
        .ignore, member.nick, [.value: .string("yes")], "Ignore", "hides what \(member.nick) says, for you alone"),
      request(.ignore, member.nick, [.value: .string("no")], "Stop ignoring", ""),
    ]
  }

  /// The choices that my role and affiliation allow.
  private func acts(_ rights: RoomRights) -> [PickerItem] {
    let (nick, member) = (rights.member.nick, rights.member)
    var items: [PickerItem] = []
    if rights.mayChangeVoice, member.role == .visitor {
      items.append(request(.role, nick, [.level: .string("participant")], "Let them speak", ""))
    }
    if rights.mayChangeVoice, member.role == .participant {
      items.append(
        request(.role, nick, [.level: .string("visitor")], "Remove the right to speak", "in a moderated room"))
    }
    if rights.mayMakeModerator {
      let isModerator = member.role == .moderator
      let level = isModerator ? "participant" : "moderator"
      items.append(
        request(.role, nick, [.level: .string(level)], isModerator ? "No longer a moderator" : "Make a moderator", ""))
    }
    if rights.mayMakeMember, let jid = member.jid {
      let isMember = member.affiliation == .member
      items.append(
        affiliation(
          jid, isMember ? "none" : "member", isMember ? "No longer a member" : "Make a member", asks: isMember))
    }
    if rights.mayKick {
      let kick = request(.kick, nick, [:], "Kick", "")
      items.append(PickerItem("Kick", "they may come back", kick.intent.map { .popup(.confirm("Kick \(nick)", $0)) }))
    }
    if rights.mayBan, let jid = member.jid { items.append(affiliation(jid, "outcast", "Ban", asks: true)) }
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

extension RoomMemberRow {
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
