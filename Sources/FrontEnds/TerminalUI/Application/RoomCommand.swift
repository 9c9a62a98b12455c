import ConfabClient
import LineProtocol

/// Commands about rooms, with the words that hands know from IRC. They concern the room that is open, unless they name
/// one.
struct RoomCommand {
  let slash: SlashCommand
  let rooms: RoomList

  /// The room that is open; in a private conversation with an occupant, none is.
  private var open: RoomRow? { slash.conversation.flatMap { rooms[$0] } }

  /// Nil: the word is no command about rooms, or none here.
  func intent(_ word: String, _ rest: String) -> Intent? {
    switch word {
    case "join", "j": join(rest)
    case "part", "leave": leave(rest)
    case "msg", "m", "query": write(word, rest)
    case "names":
      inRoom { .ask(Request(.members, arguments: [.room: .string($0.key.jid)], account: $0.key.accountName)) }
    case "invite": invite(rest)
    case "kick": inRoom { act(.kick, $0, on: rest) }
    case "ban": inRoom { ban(rest, in: $0) }
    case "ignore", "unignore": open.map { ignore(rest, in: $0, word == "ignore") }
    case "topic": open.map { topic(rest, of: $0) }
    case "nick": rest.isEmpty ? nil : open.map { join($0.key, options: [.nick: .string(rest)]) }
    default: nil
    }
  }

  /// True of a command whose next word is a nick.
  static func takesNick(_ typed: String) -> Bool {
    let commands = ["/kick ", "/ban ", "/msg ", "/m ", "/query ", "/ignore ", "/unignore "]
    return commands.contains { typed.hasPrefix($0) && !typed.dropFirst($0.count).contains(" ") }
  }

  private func inRoom(_ body: (RoomRow) -> Intent) -> Intent { open.map(body) ?? .say("Open the room first.") }

  // MARK: Coming and going

  private func join(_ rest: String) -> Intent {
    if rest.isEmpty {
      if let open { return join(open.key) }
      let invitations = rooms.invitations
      if invitations.count == 1 { return join(invitations[0].key) }
      return .say("Type /join and the address of a room, as in /join team@rooms.example.org.")
    }
    if let known = rooms.named(rest) { return join(known.key) }
    guard rest.contains("@") else { return .say("No room is called \(rest); its address is name@service.") }
    guard case .request(let request, let label) = slash.request(.join, rest, slash.conversation) else {
      return slash.request(.join, rest, slash.conversation)
    }
    let jid = request.string(.room) ?? rest
    return .enter(request, label, ConversationKey(account: request.account ?? "", jid: jid))
  }

  private func join(_ key: ConversationKey, options: NamedValues<OptionName> = [:]) -> Intent {
    let request = Request(.join, options: options, arguments: [.room: .string(key.jid)], account: key.accountName)
    return .enter(request, "/join \(key.jid)", key)
  }

  private func leave(_ rest: String) -> Intent {
    guard let room = rest.isEmpty ? open ?? only(rooms.invitations) : rooms.named(rest) else {
      return .say(rest.isEmpty ? "Open the room first." : "No room of yours is called \(rest).")
    }
    let request = Request(.leave, arguments: [.room: .string(room.key.jid)], account: room.key.accountName)
    return .request(request, "/leave \(room.key.jid)")
  }

  private func only(_ rows: [RoomRow]) -> RoomRow? { rows.count == 1 ? rows[0] : nil }

  // MARK: One of those who are there

  /// `/msg NICK text` writes to an occupant alone, `/msg NAME text` to a contact; `/query` opens the conversation.
  private func write(_ word: String, _ rest: String) -> Intent? {
    guard !rest.isEmpty else { return .say("Type /\(word) and a nick or an address.") }
    let (who, text) = split(rest)
    let key: ConversationKey
    if let open, !who.contains("@") {
      key = ConversationKey(account: open.key.account, jid: open.key.jid + "/" + who)
    } else if let found = slash.key(of: who) {
      key = found
    } else {
      return .say("No contact is called \(who).")
    }
    return word == "query" || text.isEmpty ? .open(key, name: "") : .sendTo(key, text)
  }

  private func act(_ verb: Verb, _ room: RoomRow, on rest: String) -> Intent {
    let (nick, text) = split(rest)
    guard !nick.isEmpty else { return .say("Type /\(verb.rawValue) and a nick.") }
    let arguments: NamedValues<ArgumentName> = [.room: .string(room.key.jid), .nick: .string(nick)]
    let request = Request(verb, arguments: arguments, text: text.isEmpty ? nil : text, account: room.key.accountName)
    return .request(request, "/\(verb.rawValue) \(nick)")
  }

  private func ban(_ rest: String, in room: RoomRow) -> Intent {
    let (who, text) = split(rest)
    let jid = who.contains("@") ? who : rooms.occupants(of: room.key).first { $0.nick == who }?.jid
    guard let jid else { return .say("Type /ban and an address; the room does not show that of \(who).") }
    let arguments: NamedValues<ArgumentName> = [.room: .string(room.key.jid), .jid: .string(jid)]
    let request = Request(.ban, arguments: arguments, text: text.isEmpty ? nil : text, account: room.key.accountName)
    return .confirm("Ban \(jid) from \(room.key.jid)", .request(request, "/ban \(jid)"))
  }

  private func ignore(_ nick: String, in room: RoomRow, _ isIgnored: Bool) -> Intent {
    guard !nick.isEmpty else { return .say("Type /ignore and a nick.") }
    let arguments: NamedValues<ArgumentName> = [
      .room: .string(room.key.jid), .nick: .string(nick), .value: .string(isIgnored ? "yes" : "no"),
    ]
    let request = Request(.ignore, arguments: arguments, account: room.key.accountName)
    return .request(request, "\(isIgnored ? "/ignore" : "/unignore") \(nick)")
  }

  private func invite(_ rest: String) -> Intent? {
    guard let open else { return nil }
    let (who, text) = split(rest)
    guard !who.isEmpty, let person = slash.key(of: who) else { return .say("Type /invite and an address or a name.") }
    let arguments: NamedValues<ArgumentName> = [.room: .string(open.key.jid), .jid: .string(person.jid)]
    let request = Request(.invite, arguments: arguments, text: text.isEmpty ? nil : text, account: open.key.accountName)
    return .request(request, "/invite \(person.jid)")
  }

  private func topic(_ text: String, of room: RoomRow) -> Intent {
    guard !text.isEmpty else { return .say(room.topic.isEmpty ? "The room has no topic." : room.topic) }
    let request = Request(
      .topic, arguments: [.room: .string(room.key.jid)], text: text, account: room.key.accountName)
    return .request(request, "/topic")
  }

  /// The person named first, by a nick of the room with its spaces or by a word, and the text behind.
  private func split(_ rest: String) -> (who: String, text: String) {
    let nicks = open.map { rooms.occupants(of: $0.key).map(\.nick) } ?? []
    let named = nicks.filter { rest == $0 || rest.hasPrefix($0 + " ") }.max { $0.count < $1.count }
    let who = named ?? String(rest.prefix { $0 != " " })
    return (who, String(rest.dropFirst(who.count).drop { $0 == " " }))
  }
}
