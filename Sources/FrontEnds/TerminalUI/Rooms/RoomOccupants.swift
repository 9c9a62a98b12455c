package import ConfabClient

/// The occupants of a room that is open: all of a small one, of a large one those who matter.
package struct RoomOccupants: Sendable {
  /// Occupants that are asked for. A larger room is not held whole.
  package static let limit = 200

  private var byNick: [String: RoomMemberRow] = [:]
  /// The number of all.
  package private(set) var count = 0
  /// False of a large room, whose moderators are here and some of the others.
  package private(set) var isWhole = false
  private var incoming: [RoomMemberRow] = []
  /// Those of a large room that a search has found.
  package private(set) var found: (query: String, rows: [RoomMemberRow])?

  package init() {}

  package subscript(nick: String) -> RoomMemberRow? { byNick[nick] }

  /// By role, then by nick.
  package var rows: [RoomMemberRow] { byNick.values.sorted() }

  package var nicks: Dictionary<String, RoomMemberRow>.Keys { byNick.keys }

  // MARK: The answer of the daemon

  mutating func receive(_ row: RoomMemberRow) { incoming.append(row) }

  mutating func finish(count: Int) {
    byNick = Dictionary(incoming.map { ($0.nick, $0) }) { $1 }
    (self.count, isWhole) = (count, count <= incoming.count)
    incoming = []
  }

  /// A search has begun.
  mutating func seek(_ query: String) { found = (query, []) }

  mutating func receive(_ row: RoomMemberRow, for query: String) {
    if found?.query == query { found?.rows.append(row) }
    if byNick[row.nick] == nil { byNick[row.nick] = row }
  }

  // MARK: Events

  mutating func join(_ row: RoomMemberRow) {
    if byNick[row.nick] == nil { count += 1 }
    if isWhole || byNick[row.nick] != nil || row.role == .moderator { byNick[row.nick] = row }
  }

  mutating func leave(_ nick: String) {
    byNick[nick] = nil
    count = max(byNick.count, count - 1)
  }

  mutating func change(_ row: RoomMemberRow) {
    if byNick[row.nick] != nil || row.role == .moderator { byNick[row.nick] = row }
  }

  mutating func rename(_ nick: String, _ row: RoomMemberRow) {
    if byNick.removeValue(forKey: nick) != nil || isWhole { byNick[row.nick] = row }
  }
}
