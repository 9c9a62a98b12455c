package import ConfabClient

/// The rooms of the accounts, and who is in those that were opened.
package struct RoomList {
  package private(set) var rows: [ConversationKey: RoomRow] = [:]
  private var incoming: [RoomRow] = []
  private var occupants: [ConversationKey: [RoomMemberRow]] = [:]

  package init() {}

  package subscript(key: ConversationKey) -> RoomRow? { rows[key] }

  /// The rooms that I am invited to, by address.
  package var invitations: [RoomRow] { rows.values.filter { $0.state == .invited }.sorted { $0.key.jid < $1.key.jid } }

  /// The room of a name, or of an address.
  package func named(_ who: String) -> RoomRow? {
    let found = rows.values.filter { $0.key.jid == who || $0.name.lowercased() == who.lowercased() }
    return found.count == 1 ? found.first : nil
  }

  // MARK: The list

  mutating func receive(_ row: RoomRow) { incoming.append(row) }

  /// The list is complete: it replaces the one before.
  mutating func finish() {
    rows = Dictionary(incoming.map { ($0.key, $0) }) { $1 }
    incoming = []
    occupants = occupants.filter { rows[$0.key]?.state == .joined }
  }

  mutating func giveUp() { incoming = [] }

  mutating func take(_ row: RoomRow) {
    rows[row.key] = row
    if row.state != .joined { occupants[row.key] = nil }
  }

  // MARK: Who is there

  func occupants(of key: ConversationKey) -> [RoomMemberRow] { occupants[key] ?? [] }

  /// The occupants are asked for anew.
  mutating func forgetOccupants(of key: ConversationKey) { occupants[key] = [] }

  mutating func take(_ member: RoomMemberRow, in key: ConversationKey) {
    occupants[key]?.removeAll { $0.nick == member.nick }
    occupants[key]?.append(member)
  }

  mutating func remove(_ nick: String, from key: ConversationKey) { occupants[key]?.removeAll { $0.nick == nick } }
}
