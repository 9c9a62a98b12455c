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
    case "names": inRoom { .popup(.room(.occupants($0.key))) }
    case "invite": invite(rest)
    case "kick": inRoom { act(.kick, $0, on: rest) }
    case "ban": inRoom { ban(rest, in: $0) }
    case "ignore", "unignore": open.map { ignore(rest, in: $0, word == "ignore") }
    case "topic": open.map { rest.isEmpty ? .popup(.room(.menu($0.key))) : topic(rest, of: $0.key) }
    case "voice": open.flatMap { voice(rest, in: $0) }
    case "rooms", "list": rooms(of: rest)
    case "configure" where rest.isEmpty: inRoom { .room(.configure($0.key)) }
    case "whois": inRoom { whois(rest, in: $0) }
    case "nick": rest.isEmpty ? nil : open.map { RoomMenu.join($0.key, options: [.nick: .string(rest)]) }
    default: nil
    }
  }

  /// True of a command whose next word is a nick.
  static func takesNick(_ typed: String) -> Bool {
    let commands = ["/kick ", "/ban ", "/msg ", "/m ", "/query ", "/ignore ", "/unignore "]
    return commands.contains { typed.hasPrefix($0) && !typed.dropFirst($0.count).contains(" ") }
  }

  private func inRoom(_ body: (RoomRow) -> Intent) -> Intent { open.map(body) ?? .say("Open a room first.") }

  // MARK: Coming and going

  private func join(_ rest: String) -> Intent {
    if rest.isEmpty {
      if let open { return RoomMenu.join(open.key) }
      let invitations = rooms.invitations
      if invitations.count == 1 { return RoomMenu.join(invitations[0].key) }
      return .say("Type /join and the address of a room, as in /join team@rooms.example.org.")
    }
    if let known = rooms.named(rest) { return RoomMenu.join(known.key) }
    let words = rest.split(separator: " ").map(String.init)
    if words.count == 2, words[0].contains("@"), !words[0].contains("="), !words[0].contains(":") {
      let key = ConversationKey(account: slash.conversation?.account ?? "", jid: words[0])
      return RoomMenu.join(key, options: [.password: .string(words[1])])
    }
    guard rest.contains("@") else {
      return .say("No room of yours is called \(rest). Type its address, as in team@rooms.example.org.")
    }
    guard case .request(var request, let label) = slash.request(.join, rest, slash.conversation) else {
      return slash.request(.join, rest, slash.conversation)
    }
    request.options[.wait] = request.options[.wait] ?? .string("joined")
    let jid = request.string(.room) ?? rest
    return .enter(request, label, ConversationKey(account: request.account ?? "", jid: jid))
  }

  private func leave(_ rest: String) -> Intent {
    guard let room = rest.isEmpty ? open ?? only(rooms.invitations) : rooms.named(rest) else {
      return .say(rest.isEmpty ? "Open a room first." : "No room of yours is called \(rest).")
    }
    return .request(Request(.leave, in: room.key), "/leave \(room.key.jid)")
  }

  private func only(_ rows: [RoomRow]) -> RoomRow? { rows.count == 1 ? rows[0] : nil }

  // MARK: One of those who are there

  /// `/msg NICK text` writes to an occupant alone, `/msg NAME text` to a contact; `/query` opens the conversation.
  private func write(_ word: String, _ rest: String) -> Intent? {
    guard !rest.isEmpty else { return .say("Type /\(word) and a nick or an address.") }
    let (who, text) = split(rest)
    let key: ConversationKey
    if let open, !who.contains("@") {
      let occupants = rooms.occupants(of: open.key)
      if occupants.isWhole, occupants[who] == nil { return .say("Nobody in the room is called \(who).") }
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
    return .request(Request(verb, in: room.key, [.nick: .string(nick)], text: text), "/\(verb.rawValue) \(nick)")
  }

  private func ban(_ rest: String, in room: RoomRow) -> Intent {
    let (who, text) = split(rest)
    let jid = who.contains("@") ? who : rooms.occupants(of: room.key)[who]?.jid
    guard let jid else { return .say("Type /ban and an address, or a nick whose address the room shows.") }
    let request = Request(.ban, in: room.key, [.jid: .string(jid)], text: text)
    return .confirm("Ban \(jid) from \(room.key.jid)", .request(request, "/ban \(jid)"))
  }

  private func ignore(_ rest: String, in room: RoomRow, _ isIgnored: Bool) -> Intent {
    let nick = split(rest).who
    guard !nick.isEmpty else { return .say("Type /ignore and a nick.") }
    let request = Request(.ignore, in: room.key, [.nick: .string(nick), .value: .string(isIgnored ? "yes" : "no")])
    return .request(request, "\(isIgnored ? "/ignore" : "/unignore") \(nick)")
  }

  private func whois(_ rest: String, in room: RoomRow) -> Intent {
    guard let occupant = rooms.occupants(of: room.key)[split(rest).who] else {
      return .say("Type /whois and a nick of the room.")
    }
    return .popup(.room(.occupant(room.key, nick: occupant.nick, identity: occupant.identity)))
  }

  private func invite(_ rest: String) -> Intent? {
    guard let open else { return nil }
    let (who, text) = split(rest)
    guard !who.isEmpty, let person = slash.key(of: who) else { return .say("Type /invite and an address or a name.") }
    let request = Request(.invite, in: open.key, [.jid: .string(person.jid)], text: text)
    return .request(request, "/invite \(person.jid)")
  }

  func topic(_ text: String, of room: ConversationKey) -> Intent {
    .request(
      Request(.topic, arguments: [.room: .string(room.jid)], text: text, account: room.accountName), "/topic")
  }

  /// `/voice NICK yes|no` answers who asks for the right to speak; `/voice` asks for it.
  private func voice(_ rest: String, in room: RoomRow) -> Intent? {
    var request = Request(.voice, in: room.key)
    let (who, word) = split(rest)
    guard rest.isEmpty || ["yes", "no"].contains(word) else { return .say("Type /voice NICK yes, or /voice NICK no.") }
    if !rest.isEmpty { (request.arguments[.nick], request.arguments[.value]) = (.string(who), .string(word)) }
    return .request(request, "/voice \(rest)".trimmingSpaces)
  }

  /// The rooms of a service: of the one that is named, else of the room that is open.
  private func rooms(of service: String) -> Intent {
    let known = rooms.services
    let host =
      service.isEmpty ? open.map { RoomList.service(of: $0.key) } ?? (known.count == 1 ? known[0] : "") : service
    guard !host.isEmpty else { return .say("Type /rooms and a service, as in /rooms rooms.example.org.") }
    return .room(.list(ConversationKey(account: slash.conversation?.account ?? "", jid: host)))
  }

  /// The person named first, by a nick of the room with its spaces or by a word, and the text behind.
  private func split(_ rest: String) -> (who: String, text: String) {
    let nicks = open.map { Array(rooms.occupants(of: $0.key).nicks) } ?? []
    let named = nicks.filter { rest == $0 || rest.hasPrefix($0 + " ") }.max { $0.count < $1.count }
    let who = named ?? String(rest.prefix { $0 != " " })
    return (who, String(rest.dropFirst(who.count).drop { $0 == " " }))
  }
}
