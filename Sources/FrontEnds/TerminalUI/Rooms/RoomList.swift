package import ConfabClient

/// The rooms of the accounts, and who is in those that were opened.
package struct RoomList {
  package private(set) var rows: [ConversationKey: RoomRow] = [:]
  /// Raised by each change of a row but that of its count.
  package private(set) var generation = 0
  package private(set) var isLoaded = false
  private var incoming: [RoomRow] = []
  /// The configuration that is shown, the rooms that a service lists, and one of them that somebody looks at.
  package internal(set) var form: RoomForm?
  package internal(set) var service: RoomService?
  package internal(set) var listed: RoomRow?
  /// The room of the last join that failed before the daemon said how the room is.
  var failedJoin: ConversationKey?
  private var occupants: [ConversationKey: RoomOccupants] = [:]

  package init() {}

  package subscript(key: ConversationKey) -> RoomRow? { rows[key] }

  /// The rooms that I am invited to, by address.
  package var invitations: [RoomRow] { rows.values.filter { $0.state == .invited }.sorted { $0.key.jid < $1.key.jid } }

  /// The occupants who ask for the right to speak in a room of mine.
  package var requests: [(room: ConversationKey, nick: String)] {
    rows.values.sorted { $0.key.jid < $1.key.jid }.flatMap { row in row.requests.map { (row.key, $0) } }
  }

  /// The room of a name, or of an address.
  package func named(_ who: String) -> RoomRow? {
    let found = rows.values.filter { $0.key.jid == who || $0.name.lowercased() == who.lowercased() }
    return found.count == 1 ? found.first : nil
  }

  /// The services of my rooms.
  package var services: [String] { Set(rows.keys.map(Self.service)).sorted() }

  package static func service(of room: ConversationKey) -> String { String(room.jid.drop { $0 != "@" }.dropFirst()) }

  /// The words that `/join`, `/part` and `/rooms` may be followed by: my rooms, and behind an `@` the services.
  func words(after typed: String, beginningWith word: String) -> [String] {
    let jids = rows.keys.map(\.jid).sorted()
    if typed.hasPrefix("/rooms ") { return services.filter { $0.hasPrefix(word) } }
    guard ["/join ", "/j ", "/part ", "/leave "].contains(where: typed.hasPrefix) else { return [] }
    let found = jids.filter { $0.hasPrefix(word) }
    guard found.isEmpty, let at = word.firstIndex(of: "@") else { return found }
    return services.map { word[...at] + $0 }.filter { $0.hasPrefix(word) }
  }

  // MARK: The list

  mutating func receive(_ row: RoomRow) { incoming.append(row) }

  /// The list is complete: it replaces the one before.
  mutating func finish() {
    rows = Dictionary(incoming.map { ($0.key, $0) }) { $1 }
    incoming = []
    (generation, isLoaded) = (generation + 1, true)
    occupants = occupants.filter { rows[$0.key]?.state == .joined }
  }

  /// The list does not come: a socket without the right has no rooms.
  mutating func giveUp() { (incoming, isLoaded) = ([], true) }

  mutating func take(_ row: RoomRow) {
    rows[row.key] = row
    generation += 1
    if row.state != .joined { occupants[row.key] = nil }
  }

  mutating func setCount(_ count: Int64?, of key: ConversationKey) {
    if let count { rows[key]?.count = Int(clamping: count) }
  }

  // MARK: Who is there

  /// Empty of a room that is not open.
  package func occupants(of key: ConversationKey) -> RoomOccupants { occupants[key] ?? RoomOccupants() }

  mutating func change(_ key: ConversationKey, _ body: (inout RoomOccupants) -> Void) {
    body(&occupants[key, default: RoomOccupants()])
  }
}
