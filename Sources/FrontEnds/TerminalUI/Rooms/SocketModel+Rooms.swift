import ConfabClient
import JSON
import LineProtocol
import Screen

/// Rooms, as the daemon tells of them.
extension SocketModel {
  mutating func askRooms() { ask(Request(.rooms, options: [.limit: .integer(Limits.page)]), .rooms) }

  /// Asks who is in a room that is opened, or in which more came and went than is told one by one.
  mutating func askOccupants(of key: ConversationKey) {
    guard rooms[key]?.state == .joined, windows[key] != nil, !questions.contains(.occupants(key)) else { return }
    askOccupants(of: key, limit: RoomOccupants.firstLimit)
    askIgnored(of: key)
  }

  private mutating func askOccupants(of key: ConversationKey, limit: Int) {
    rooms.change(key) { $0.begin() }
    let options: NamedValues<OptionName> = [.limit: .integer(limit)]
    ask(
      Request(.members, in: key, options: options),
      .occupants(key))
  }

  /// All that was asked for is here; of a small room the rest is asked for.
  mutating func finishOccupants(of key: ConversationKey, count: Int) {
    if rooms.occupants(of: key).lacks(of: count) {
      askOccupants(of: key, limit: RoomOccupants.limit)
    } else {
      rooms.change(key) { $0.finish(count: count) }
    }
  }

  /// Asks whom I ignore in a room: no event tells of it.
  mutating func askIgnored(of key: ConversationKey) {
    rooms.change(key) { $0.beginIgnored() }
    ask(Request(.ignored, in: key), .ignored(key))
  }

  /// Looks for occupants of a large room, of whom not all are here.
  mutating func findOccupants(_ query: String, in key: ConversationKey) {
    let occupants = rooms.occupants(of: key)
    guard !query.isEmpty, !occupants.isWhole, occupants.found?.query != query, link == .connected else { return }
    rooms.change(key) { $0.seek(query) }
    askOccupants(like: query, in: key)
  }

  /// Asks for those who spoke in a large room and are not here, all at once: their answers make one frame.
  mutating func findSpeakers(in key: ConversationKey) {
    guard link == .connected, rooms.occupants(of: key).count > RoomOccupants.limit else { return }
    let speakers = speakers(in: key)
    var unknown: [String] = []
    rooms.change(key) { unknown = $0.seek(speakers) }
    // The one who is called so is the first of those whose nicks have it in them.
    for nick in unknown { askOccupants(like: nick, in: key, limit: 1) }
  }

  private mutating func askOccupants(like query: String, in key: ConversationKey, limit: Int = RoomOccupants.limit) {
    let options: NamedValues<OptionName> = [.limit: .integer(limit), .match: .string(query)]
    ask(
      Request(.members, in: key, options: options),
      .foundOccupants(key, query))
  }

  // MARK: Rooms that are looked at

  mutating func askForm(of key: ConversationKey) {
    rooms.form = RoomForm(key)
    ask(Request(.configure, in: key), .form(key))
  }

  mutating func askRooms(of service: ConversationKey) {
    rooms.service = RoomService(service)
    let options: NamedValues<OptionName> = [.at: .string(service.jid), .limit: .integer(Limits.page)]
    ask(Request(.rooms, options: options, account: service.accountName), .service(service))
  }

  mutating func look(at key: ConversationKey) {
    rooms.listed = nil
    ask(Request(.room, in: key), .look(key))
  }

  /// Makes a room, and then gives it its name.
  mutating func make(_ key: ConversationKey, name: String, membersOnly: Bool) {
    let options: NamedValues<OptionName> = [.create: .string("yes"), .wait: .string("joined")]
    ask(
      Request(.join, in: key, options: options),
      .making(key, name: name, membersOnly: membersOnly))
  }

  mutating func configureMade(_ key: ConversationKey, name: String, membersOnly: Bool) {
    let fields =
      (name.isEmpty ? [] : [FieldValues("muc#roomconfig_roomname", [name])])
      + (membersOnly ? [FieldValues("muc#roomconfig_membersonly", ["yes"])] : [])
    guard !fields.isEmpty else { return }
    command(Request(.configure, in: key, [.fields: .fields(fields)]), "/configure \(key.jid)")
  }

  mutating func takeRoom(_ object: JSONValue) -> [ModelEvent] {
    guard let row = object["room"].flatMap(RoomRow.init) else { return [] }
    let old = rooms[row.key]?.state
    rooms.take(row)
    showInList(row)
    if old != .joined { askOccupants(of: row.key) }
    if windows[row.key] != nil { askEncryption(of: row.key) }
    if row.state == .refused, rooms.failedJoin == row.key {
      rooms.failedJoin = nil
      return [.notJoined(row.key, row.reason)]
    }
    if old == .joined, row.state == .refused { return [.removed(row.key)] }
    return old == row.state ? [] : [.roomChanged(row.key)]
  }

  /// A join failed: its reason is known once the daemon tells how the room is now.
  mutating func joinFailed(_ key: ConversationKey, _ reason: String) -> [ModelEvent] {
    if rooms[key]?.state == .refused { return [.notJoined(key, reason)] }
    rooms.failedJoin = key
    return [.failed("\(name(of: key)): \(reason)")]
  }

  /// A room in which nobody has said anything is no conversation of the daemon's yet.
  mutating func showInList(_ room: RoomRow) {
    if ![.left, .invited].contains(room.state) {
      conversations.ensure(room.key, name: room.name, isLast: true)
    }
    if let row = conversations[room.key], row.name != room.name, !room.name.isEmpty {
      conversations.change(room.key) { $0.name = room.name }
    }
  }

  mutating func takeInvitation(_ object: JSONValue) -> [ModelEvent] {
    guard let jid = object["room"]?.string else { return [] }
    askRooms()
    let key = ConversationKey(account: object["account"]?.string ?? "", jid: jid)
    return [.invited(key, by: object["from"]?.string ?? "", reason: object["reason"]?.string ?? "")]
  }

  mutating func takeOccupant(_ object: JSONValue) {
    guard let key = key(of: object, "room"), let occupant = object["member"].flatMap(OccupantRow.init) else { return }
    rooms.change(key) { occupants in
      switch object["change"]?.string {
      case "left", "kicked", "banned": occupants.leave(occupant.nick)
      case "nick": occupants.rename(object["was"]?.string ?? "", occupant)
      case "joined": occupants.join(occupant)
      default: occupants.change(occupant)
      }
    }
  }

  /// Many came and went at once.
  mutating func takeCount(_ object: JSONValue) {
    guard let key = key(of: object, "room") else { return }
    rooms.setCount(object["count"]?.integer, of: key)
    askOccupants(of: key)
  }

  /// Somebody has displayed a message, and with it those that came before.
  mutating func takeReader(_ object: JSONValue) {
    guard let key = key(of: object), let id = object["id"]?.integer, let nick = object["nick"]?.string else { return }
    for row in windows[key]?.rows ?? [] where row.id <= UInt64(clamping: id) && !row.readers.contains(nick) {
      windows[key]?.update(row.id) { $0.readers.append(nick) }
    }
  }

  mutating func takeVoiceRequest(_ object: JSONValue) -> [ModelEvent] {
    guard let key = key(of: object, "room"), let nick = object["nick"]?.string else { return [] }
    askRooms()
    return [.askedToSpeak(key, nick)]
  }

  /// Shows what ignored occupants say, or hides it again.
  mutating func toggleIgnored(in key: ConversationKey) {
    if showsIgnored.remove(key) == nil { showsIgnored.insert(key) }
    refresh(key)
  }

  /// The number of occupants: by their coming and going, where those are known.
  func occupantCount(in room: RoomRow) -> Int? {
    let count = rooms.occupants(of: room.key).count
    return count > 0 ? count : room.count
  }

  /// The nicks of a room but mine: who spoke last first, and behind them the others by name.
  func nicks(in key: ConversationKey) -> [String] {
    let (occupants, mine) = (rooms.occupants(of: key), rooms[key]?.nick ?? "")
    let speakers = self.speakers(in: key).filter { occupants[$0] != nil || !occupants.isWhole }
    return speakers + occupants.nicks.filter { $0 != mine && !speakers.contains($0) }.sorted()
  }

  /// The text that the colour of a speaker's name in a room is made of: the JID if it is known, else the nick; nil:
  /// the conversation is no room.
  func colourName(_ row: MessageRow, in key: ConversationKey) -> String? {
    guard let nick = row.nick, rooms[key] != nil else { return nil }
    return rooms.occupants(of: key)[nick]?.colourName ?? nick
  }

  /// The JID or the id behind a nick of scripts that no language mixes, or words if the room shows neither; nil: the
  /// nick is in no doubt.
  func ownerOfDoubtfulNick(_ row: MessageRow, in key: ConversationKey) -> String? {
    guard !row.isMine, let nick = row.nick, rooms[key] != nil, Scripts.areMixed(nick) else { return nil }
    let occupant = rooms.occupants(of: key)[nick]
    return occupant?.jid ?? occupant?.occupant.map { "id \($0.prefix(8))" } ?? "letters of several scripts"
  }

  /// The nicks of those who spoke in a room but me, the last one first.
  func speakers(in key: ConversationKey) -> [String] {
    var (seen, speakers): (Set<String>, [String]) = ([], [])
    let rows = windows[key]?.rows ?? []
    for index in rows.indices.reversed() where !rows[index].isMine && !rows[index].isEvent {
      if let nick = rows[index].nick, seen.insert(nick).inserted { speakers.append(nick) }
    }
    return speakers
  }
}
