import Clocks
import ConfabAccounts
import JSON
import LineProtocol
import Records
import State
import XMPPCore
import XMPPExtensions

/// `join`, `leave`, `rooms`, `room`, `members` and `topic`.
extension Command {
  static let rooms: [Verb: Handler] = [
    .join: { try $0.join() },
    .leave: { try $0.leave() },
    .rooms: { try $0.listRooms() },
    .room: { try $0.showRoom() },
    .members: { try $0.members() },
    .topic: { try $0.topic() },
  ]

  // MARK: - Joining and leaving

  /// The room that the request names, as `ROOM` or as an address of one.
  func roomAddress() throws(RequestFailure) -> RoomAddress {
    let text = request.string(.room) ?? ""
    guard let address = RoomAddress(text), address.room.local != nil else {
      throw RequestFailure(.badArgument, "'\(text)' is not the address of a room", argument: "room")
    }
    return address
  }

  private func join() throws(RequestFailure) {
    try context.checkStorage()
    let account = try account()
    let address = try roomAddress()
    if let action = address.otherAction {
      throw RequestFailure(.badArgument, "the URI asks for '\(action)', not for joining a room", argument: "room")
    }
    let nick = request.string(OptionName.nick) ?? address.nick
    if let nick, (try? address.room.with(resource: nick)) == nil {
      throw RequestFailure(.badArgument, "a room takes no such nick", argument: "nick")
    }
    let rooms = account.parts.messaging.rooms
    guard !rooms.isOfPerson(address.room) else {
      throw RequestFailure(.badArgument, "\(address.room) is a contact or yourself, and no room", argument: "room")
    }
    guard let room = rooms.room(address.room) else {
      throw RequestFailure(.limit, "the account has \(Rooms.most) rooms")
    }
    if let nick, room.machine.isJoined, nick != room.nick {
      try context.checkOnline(account)
      return room.requests.changeNick(to: nick, for: ticket())
    }
    let sequence = room.want(
      nick: nick, password: request.string(.password) ?? address.password, mayBeMade: request.string(.create) != nil)
    guard request.string(.wait) != nil else { return answer(whenDurable: sequence) }
    room.answer(
      lateTicket(),
      whenSettledBefore: context.effects.now.instant.advanced(by: request.duration(.timeout) ?? .seconds(30)))
  }

  private func leave() throws(RequestFailure) {
    try context.checkStorage()
    let account = try account()
    let jid = try roomAddress().room
    guard let room = account.parts.messaging.rooms[jid.description], !room.record.isUnused else { throw noRoom(jid) }
    answer(whenDurable: room.leaveForGood())
  }

  func noRoom(_ jid: JID) -> RequestFailure { RequestFailure(.notFound, "there is no room \(jid)", argument: "room") }

  /// A room that I am in.
  func joinedRoom() throws(RequestFailure) -> Room {
    let account = try account()
    try context.checkOnline(account)
    let jid = try roomAddress().room
    guard let room = account.parts.messaging.rooms[jid.description], room.machine.isJoined else {
      throw RequestFailure(.notFound, "you are not in the room \(jid)", argument: "room")
    }
    return room
  }

  // MARK: - What there is

  private func listRooms() throws(RequestFailure) {
    if let service = request.string(.at) { return try listRooms(at: context.jid(service, "at")) }
    var rooms: [(record: RoomRecord, last: Timestamp)] = []
    for account in try context.accounts(of: request) {
      for record in account.state.rooms.byJID.values {
        let last = account.state.conversations[record.jid]?.newestTime
        rooms.append((record, last ?? Timestamp(milliseconds: record.firstJoined ?? 0)))
      }
    }
    rooms.sort { ($0.last, $1.record.jid) > ($1.last, $0.record.jid) }
    var rest = rooms[...]
    if let before = request.string(.before) {
      let jid = try context.jid(before, "before").bare.description
      guard let place = rooms.firstIndex(where: { $0.record.jid == jid }) else {
        throw RequestFailure(.notFound, "there is no room \(jid)", argument: "before")
      }
      rest = rooms[(place + 1)...]
    }
    let shown = rest.prefix(request.integer(.limit) ?? 50)
    answer(
      shown.flatMap { room in request.data("room") { context.write(room.record, into: &$0) } }
        + request.ok {
          $0.member("count", rooms.count)
          $0.member("more_before", shown.count < rest.count)
        })
  }

  private func listRooms(at service: JID) throws(RequestFailure) {
    try checkMayAskServers()
    let account = try account()
    try context.checkOnline(account)
    let last = try request.string(.before).map { (text) throws(RequestFailure) in try context.jid(text, "before").bare }
    account.parts.messaging.rooms.list(
      at: service, behind: last, limit: request.integer(.limit) ?? 50, for: ticket())
  }

  private func checkMayAskServers() throws(RequestFailure) {
    guard client.socket.rights == .full else {
      throw RequestFailure(.notAllowed, "this socket may only see rooms that you are in")
    }
  }

  private func showRoom() throws(RequestFailure) {
    let account = try account()
    let jid = try roomAddress().room
    if let record = account.room(jid) {
      return answer(request.data("room") { context.write(record, into: &$0) } + request.ok())
    }
    try checkMayAskServers()
    try context.checkOnline(account)
    account.parts.messaging.rooms.describe(jid, for: ticket())
  }

  private func members() throws(RequestFailure) {
    let room = try joinedRoom()
    let nick = request.string(.match)
    let (match, role) = (nick?.lowercased(), request.string(.role).flatMap(Role.init))
    if let affiliation = request.string(.affiliation).flatMap(Affiliation.init) {
      try checkMayAskServers()
      return room.requests.list(affiliation, for: ticket()) { [weak room] listed in
        Self.sorted((room?.occupants.joined(with: listed) ?? listed).filter { $0.isShown(role, match) }, first: nick)
      }
    }
    let sorted = Self.sorted(room.occupants.all.filter { $0.isShown(role, match) }, first: nick)
    answer(
      sorted.prefix(request.integer(.limit) ?? Limits.page).flatMap { member in
        request.data("member") { member.write(into: &$0) }
      } + request.ok { $0.member("count", sorted.count) })
  }

  /// By role, then by nick and JID; who is called as somebody looks for comes first.
  private static func sorted(_ members: [RoomOccupant], first nick: String?) -> [RoomOccupant] {
    let rank = { (member: RoomOccupant) in
      member.nick == nick ? -1 : Role.allCases.firstIndex { $0 == member.role } ?? Role.allCases.count
    }
    return members.sorted { (rank($0), $0.nick, $0.jid ?? "") < (rank($1), $1.nick, $1.jid ?? "") }
  }

  private func topic() throws(RequestFailure) {
    guard let text = request.text else {
      let jid = try roomAddress().room
      guard let record = try account().room(jid) else { throw noRoom(jid) }
      return answerOK { $0.member("topic", record.topic?.text ?? "") }
    }
    guard client.socket.rights == .full else { throw RequestFailure(.notAllowed, "this socket may only show it") }
    let room = try joinedRoom()
    room.requests.setTopic(text, for: ticket())
  }
}

extension Request {
  /// The answer of `rooms at=`.
  func answer(_ listing: RoomListing) -> [UInt8] {
    let lines = listing.rooms.flatMap { room in
      data("room") {
        $0.member("jid", room.jid.description)
        if let name = room.title ?? room.name { $0.member("name", name) }
        if let members = room.members { $0.member("members", members) }
      }
    }
    return lines
      + ok {
        $0.member("count", listing.total)
        $0.member("more_before", listing.isCutOff)
      }
  }
}

extension RoomOccupant {
  /// True if it has that role, and the text in its nick or JID.
  fileprivate func isShown(_ role: Role?, _ match: String?) -> Bool {
    guard role == nil || self.role == role, let match else { return role == nil || self.role == role }
    return nick.lowercased().contains(match) || jid?.lowercased().contains(match) == true
  }
}
