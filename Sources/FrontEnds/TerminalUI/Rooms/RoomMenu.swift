import ConfabClient
import LineProtocol

/// Pop-ups about a room as a whole.
struct RoomMenu {
  let model: SocketModel
  let key: ConversationKey

  private var row: RoomRow? { model.rooms[key] }

  /// The beginning of the topic, my role, and the actions on the room; without a join, its state.
  var items: [PickerItem] {
    guard let row else { return [PickerItem("This is no room of yours."), joining] }
    guard row.state == .joined else {
      return [PickerItem(row.stateWords)] + moving(row) + [joining] + (row.state == .left ? [] : [leaving(row)])
    }
    return facts(row) + [
      PickerItem(
        "Who is here", model.occupantCount(in: row).map { "\($0) here" } ?? "", .popup(.room(.occupants(key)))),
      PickerItem("Topic …", "", .prompt(.room(.topic, key), text: row.topic)),
      PickerItem("Invite somebody …", "", .prompt(.room(.invite, key), text: "")),
      PickerItem("Another nick …", row.nick, .prompt(.room(.nick, key), text: row.nick)),
      PickerItem("Notices …", "", .popup(.mute(key))),
      PickerItem("Comings and goings …", "", .popup(.room(.noise(key)))),
      PickerItem(
        model.showsIgnored.contains(key) ? "Hide what ignored people say" : "Show what ignored people say", "",
        .act(.showIgnored)),
    ] + owning(row) + [leaving(row)]
  }

  private func facts(_ row: RoomRow) -> [PickerItem] {
    let author = row.topicAuthor.isEmpty ? "" : " by \(row.topicAuthor)"
    let topic = PickerItem(
      "Topic\(author): " + ShownLine.clean(row.topic, limit: Self.topicLetters), "", .popup(.room(.topic(key))))
    let rank = [row.role.rawValue, row.affiliation == .none ? "" : row.affiliation.rawValue]
    let me = "You are \(row.nick)" + rank.filter { !$0.isEmpty && $0 != "none" }.map { ", \($0)" }.joined()
    let about = [row.description, me].filter { !$0.isEmpty }.map { PickerItem($0) }
    return (row.topic.isEmpty ? [] : [topic]) + about
  }

  /// Letters of a topic in a menu; all of it is a choice away.
  private static let topicLetters = 120

  /// The room in the place of one that was destroyed.
  private func moving(_ row: RoomRow) -> [PickerItem] {
    guard !row.movedTo.isEmpty else { return [] }
    return [
      PickerItem(
        "Join the new one", row.movedTo, RoomMenu.join(ConversationKey(account: key.account, jid: row.movedTo)))
    ]
  }

  private func owning(_ row: RoomRow) -> [PickerItem] {
    guard row.affiliation == .owner else { return [] }
    let destroy = Intent.request(Request(.destroy, in: key), "/destroy \(key.jid)")
    return [
      PickerItem("Configuration …", "who may join and speak, what is kept", .room(.configure(key))),
      PickerItem("Destroy the room", "for everybody", .popup(.confirm("Destroy \(key.jid) for everybody", destroy))),
    ]
  }

  private var joining: PickerItem { PickerItem("Join", key.jid, RoomMenu.join(key)) }

  private func leaving(_ row: RoomRow) -> PickerItem {
    PickerItem(
      "Leave the room", "its history stays",
      .request(Request(.leave, in: key), "/leave \(key.jid)"))
  }

  /// Waits for the room's answer: a room that is not there may be made.
  static func join(_ key: ConversationKey, options: NamedValues<OptionName> = [:]) -> Intent {
    var request = Request(.join, in: key, options: options)
    request.options[.wait] = .string("joined")
    return .enter(request, "/join \(key.jid)", key)
  }

  // MARK: What waits for an answer

  var invitation: [PickerItem] {
    let inviter = row.map { $0.inviter.isEmpty ? "" : "by \($0.inviter)" } ?? ""
    let about = [inviter, row?.reason ?? "", row?.description ?? ""].filter { !$0.isEmpty }.map { PickerItem($0) }
    let decline = Request(.leave, in: key)
    return about + [
      PickerItem("Join", key.jid, RoomMenu.join(key)),
      PickerItem("Decline", "", .request(decline, "decline the invitation to \(key.jid)")),
      PickerItem("Not now", "the invitation waits", .closePopup),
    ]
  }

  func voiceRequest(_ nick: String) -> [PickerItem] {
    func answer(_ word: String) -> Intent {
      .request(Request(.voice, in: key, [.nick: .string(nick), .value: .string(word)]), "/voice \(nick) \(word)")
    }
    return [
      PickerItem("Let \(nick) speak", "", answer("yes")), PickerItem("Refuse", "", answer("no")),
      PickerItem("Not now", "", .closePopup),
    ]
  }

  /// A room that is not there.
  var missing: [PickerItem] {
    [
      PickerItem("Create it …", "asks for a name", .prompt(.room(.name(membersOnly: false), key), text: "")),
      PickerItem(
        "Create it, for members only …", "by invitation", .prompt(.room(.name(membersOnly: true), key), text: "")),
      PickerItem("No, go back", "", .closePopup),
    ]
  }

  var noise: [PickerItem] {
    let levels = [
      ("never", "Hide them", ""), ("smart", "Show those of people who talk", "5 minutes before, or 30 after"),
      ("always", "Show all", ""),
    ]
    return levels.map { level, title, detail in
      PickerItem(title, detail, .request(Request(.noise, in: key, [.level: .string(level)]), "/noise \(level)"))
    }
  }
}
