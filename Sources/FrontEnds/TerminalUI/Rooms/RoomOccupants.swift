package import ConfabClient

/// The occupants of a room that is open: all of a small one, of a large one those who matter.
package struct RoomOccupants: Sendable {
  /// Occupants that are asked for. A larger room is not held whole.
  package static let limit = 200

  private var byNick: [String: RoomMemberRow] = [:]
  /// By role, then by nick.
  package private(set) var rows: [RoomMemberRow] = []
  /// The number of all.
  package private(set) var count = 0
  /// False of a large room, whose moderators are here and some of the others.
  package private(set) var isWhole = false
  private var incoming: [RoomMemberRow] = []
  /// The occupants of a large room that a search has found.
  package private(set) var found: (query: String, rows: [RoomMemberRow], isWhole: Bool)?
  /// Speakers of a large room that were asked about.
  private var sought: Set<String> = []

  package init() {}

  package subscript(nick: String) -> RoomMemberRow? { byNick[nick] }

  package var nicks: Dictionary<String, RoomMemberRow>.Keys { byNick.keys }

  // MARK: The answer of the daemon

  /// Forgets what has come of an answer that was cut off.
  mutating func begin() { incoming = [] }

  mutating func receive(_ row: RoomMemberRow) { incoming.append(row) }

  mutating func finish(count: Int) {
    byNick = Dictionary(incoming.map { ($0.nick, $0) }) { $1 }
    rows = byNick.values.sorted()
    (self.count, isWhole) = (count, count <= incoming.count)
    (incoming, sought) = ([], [])
  }

  /// A search has begun.
  mutating func seek(_ query: String) { found = (query, [], false) }

  mutating func finish(_ query: String) {
    if found?.query == query { found?.isWhole = true }
  }

  /// Returns the nicks that are not known and were not asked about before.
  mutating func seek(_ nicks: [String]) -> [String] {
    guard !isWhole else { return [] }
    let unknown = nicks.filter { byNick[$0] == nil && !sought.contains($0) }
    sought.formUnion(unknown)
    return unknown
  }

  mutating func receive(_ row: RoomMemberRow, for query: String) {
    if found?.query == query { found?.rows.append(row) }
    if byNick[row.nick] == nil { put(row) }
  }

  // MARK: Events

  mutating func join(_ row: RoomMemberRow) {
    if byNick[row.nick] == nil { count += 1 }
    isWhole = isWhole && count <= Self.limit
    if isWhole || byNick[row.nick] != nil || row.role == .moderator { put(row) }
  }

  mutating func leave(_ nick: String) {
    take(nick)
    count = max(rows.count, count - 1)
  }

  mutating func change(_ row: RoomMemberRow) {
    if byNick[row.nick] != nil || row.role == .moderator { put(row) }
  }

  mutating func rename(_ nick: String, _ row: RoomMemberRow) {
    if take(nick) || isWhole { put(row) }
  }

  // MARK: In their order

  private mutating func put(_ row: RoomMemberRow) {
    take(row.nick)
    byNick[row.nick] = row
    rows.insert(row, at: place(of: row))
  }

  @discardableResult
  private mutating func take(_ nick: String) -> Bool {
    guard let old = byNick.removeValue(forKey: nick) else { return false }
    rows.remove(at: place(of: old))
    return true
  }

  /// The index of the first row that does not stand before this one.
  private func place(of row: RoomMemberRow) -> Int {
    var range = 0..<rows.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = rows[middle] < row ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
