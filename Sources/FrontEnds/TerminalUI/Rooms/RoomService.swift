package import ConfabClient
import JSON

/// The rooms that a service lists, as far as they have come.
package struct RoomService: Equatable, Sendable {
  /// The service; its JID is no room's.
  package let key: ConversationKey
  package private(set) var rooms: [Listed] = []
  /// False while its answer comes.
  package var isWhole = false

  package struct Listed: Equatable, Sendable {
    package let jid: String
    package let name: String
    package let count: Int?
  }

  init(_ key: ConversationKey) { self.key = key }

  mutating func receive(_ object: JSONValue) {
    guard let room = object["room"], let jid = room["jid"]?.string else { return }
    let count = room["members"]?.integer.map { Int(clamping: $0) }
    rooms.append(Listed(jid: jid, name: room["name"]?.personName ?? "", count: count))
  }

  var items: [PickerItem] {
    let items = rooms.map { room in
      let counted = room.count.map { "\($0) there" } ?? ""
      let address = room.name.isEmpty || room.name == room.jid ? "" : room.jid
      return PickerItem(
        room.name.isEmpty ? room.jid : room.name, [address, counted].filter { !$0.isEmpty }.joined(separator: "  "),
        .room(.look(ConversationKey(account: key.account, jid: room.jid))))
    }
    if !isWhole { return items + [PickerItem("Asking \(key.jid) …")] }
    return items.isEmpty ? [PickerItem("\(key.jid) lists no rooms.")] : items
  }
}
