import ConfabAccounts
import LineProtocol
import Records
import XMPPCore
import XMPPExtensions

/// `invite`, `kick`, `ban`, `affiliation`, `role`, `destroy`, `configure`, `voice` and `register`: what is asked of a room, which says whether it does it.
extension Command {
  static let roomOrders: [Verb: Handler] = [
    .invite: { try $0.invite() },
    .kick: { try $0.kick() },
    .ban: { try $0.setAffiliation(.outcast) },
    .affiliation: { try $0.setAffiliation() },
    .role: { try $0.setRole() },
    .destroy: { try $0.destroy() },
    .configure: { try $0.configure() },
    .voice: { try $0.voice() },
    .register: { try $0.register() },
  ]

  private func invite() throws(RequestFailure) {
    let room = try joinedRoom()
    room.invite(try jid().bare, reason: reason, isDirect: request.string(.direct) != nil, for: ticket())
  }

  private var reason: String? { request.text.flatMap { $0.isEmpty ? nil : $0 } }

  private func kick() throws(RequestFailure) {
    let room = try joinedRoom()
    let nick = try occupant(in: room)
    room.requests.ask(for: ticket()) { [reason] in
      RoomAdministration.set(Role.none, of: nick, in: room.jid, reason: reason, id: $0)
    }
  }

  private func occupant(in room: Room) throws(RequestFailure) -> String {
    let nick = request.string(ArgumentName.nick) ?? ""
    guard room.occupants[nick] != nil else {
      throw RequestFailure(.notFound, "nobody in the room has the nick '\(nick)'", argument: "nick")
    }
    return nick
  }

  private func setRole() throws(RequestFailure) {
    let room = try joinedRoom()
    let nick = try occupant(in: room)
    guard let role = request.string(.level).flatMap(Role.init) else {
      throw RequestFailure(.badArgument, "there is no such role", argument: "level")
    }
    room.requests.ask(for: ticket()) { RoomAdministration.set(role, of: nick, in: room.jid, id: $0) }
  }

  private func setAffiliation(_ stated: Affiliation? = nil) throws(RequestFailure) {
    let room = try joinedRoom()
    let person = try jid().bare
    guard let affiliation = stated ?? request.string(.level).flatMap(Affiliation.init) else {
      throw RequestFailure(.badArgument, "there is no such affiliation", argument: "level")
    }
    room.requests.ask(for: ticket()) { [reason] in
      RoomAdministration.set(affiliation, of: person, in: room.jid, reason: reason, id: $0)
    }
  }

  private func destroy() throws(RequestFailure) {
    let room = try joinedRoom()
    let moved = try request.string(.moved).map { text throws(RequestFailure) in try context.jid(text, "moved") }
    room.requests.ask(for: ticket()) { [reason] in
      RoomConfiguration.destroy(room.jid, movedTo: moved, reason: reason, id: $0)
    }
  }

  // MARK: - Running it

  private func configure() throws(RequestFailure) {
    let room = try joinedRoom()
    guard let fields = request.fields(.fields) else { return room.requests.showForm(for: ticket()) }
    room.requests.configure(for: ticket()) { form in
      Result { () throws(RequestFailure) in
        var changes: [DataForm.Change] = []
        for field in fields { changes.append(try form.change(field)) }
        return changes
      }
    }
  }

  private func voice() throws(RequestFailure) {
    let room = try joinedRoom()
    guard let nick = request.string(ArgumentName.nick) else { return room.requests.askForVoice(for: ticket()) }
    guard let value = request.string(.value) else {
      throw RequestFailure(.badArgument, "say yes or no to '\(nick)'", argument: "value")
    }
    guard room.record.requests.contains(where: { $0.nick == nick }) else {
      throw RequestFailure(
        .notFound, "'\(nick)' does not ask for the right to speak; role gives it unasked", argument: "nick")
    }
    room.answerRequest(of: nick, isGranted: value == "yes", for: ticket())
  }

  private func register() throws(RequestFailure) {
    let room = try joinedRoom()
    guard let nick = request.string(ArgumentName.nick) else { return room.requests.showRegistration(for: ticket()) }
    guard (try? room.jid.with(resource: nick)) != nil else {
      throw RequestFailure(.badArgument, "a room takes no such nick", argument: "nick")
    }
    room.requests.register(nick, for: ticket())
  }
}
