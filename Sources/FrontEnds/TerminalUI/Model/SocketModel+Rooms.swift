import ConfabClient
import JSON
import LineProtocol

/// Rooms, as the daemon tells of them.
extension SocketModel {
  mutating func askRooms() { ask(Request(.rooms, options: [.limit: .integer(Limits.page)]), .rooms) }

  /// Asks who is in a room that is opened.
  mutating func askOccupants(of key: ConversationKey) {
    guard rooms[key]?.state == .joined else { return }
    rooms.forgetOccupants(of: key)
    ask(Request(.members, arguments: [.room: .string(key.jid)], account: key.accountName), .occupants(key))
  }

  mutating func takeRoom(_ object: JSONValue) {
    guard let row = object["room"].flatMap(RoomRow.init) else { return }
    let wasJoined = rooms[row.key]?.state == .joined
    rooms.take(row)
    if !wasJoined, windows[row.key] != nil { askOccupants(of: row.key) }
  }

  mutating func takeInvitation(_ object: JSONValue) -> [ModelEvent] {
    guard let jid = object["room"]?.string else { return [] }
    askRooms()
    let key = ConversationKey(account: object["account"]?.string ?? "", jid: jid)
    return [.invited(key, by: object["from"]?.string ?? "", reason: object["reason"]?.string ?? "")]
  }

  mutating func takeMember(_ object: JSONValue) {
    guard let jid = object["room"]?.string, let member = object["member"].flatMap(RoomMemberRow.init) else { return }
    let key = ConversationKey(account: object["account"]?.string ?? "", jid: jid)
    switch object["change"]?.string {
    case "left", "kicked", "banned": rooms.remove(member.nick, from: key)
    case "nick":
      if let was = object["was"]?.string { rooms.remove(was, from: key) }
      rooms.take(member, in: key)
    default: rooms.take(member, in: key)
    }
  }

  /// How many are in a room: by their coming and going, where those are known.
  func occupantCount(in room: RoomRow) -> Int? {
    let occupants = rooms.occupants(of: room.key)
    return occupants.isEmpty ? room.count : occupants.count
  }

  /// The nicks of a room but mine: who spoke last first, and behind them the others by name.
  func nicks(in key: ConversationKey) -> [String] {
    let mine = rooms[key]?.nick
    let present = Set(rooms.occupants(of: key).map(\.nick)).subtracting(mine.map { [$0] } ?? [])
    var speakers: [String] = []
    for row in (windows[key]?.rows ?? []).reversed() where !row.isMine && !row.isEvent {
      if let nick = row.nick, present.contains(nick), !speakers.contains(nick) { speakers.append(nick) }
    }
    return speakers + present.subtracting(speakers).sorted()
  }
}
