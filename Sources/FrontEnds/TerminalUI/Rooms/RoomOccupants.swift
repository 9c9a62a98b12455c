package import ConfabClient

/// The occupants of a room that is open: all of a small one, of a large one those who matter.
package struct RoomOccupants: Sendable {
  /// Occupants that are asked for. A larger room is not held whole.
  package static let limit = 200
  /// Occupants that are asked for at first: of a large room the moderators are among them, and the others are not shown.
  static let firstLimit = 60

  private var byNick: [String: OccupantRow] = [:]
  /// By role, then by nick.
  package private(set) var rows: [OccupantRow] = []
  /// The number of all.
  package private(set) var count = 0
  /// False of a large room, whose moderators are here and some of the others.
  package private(set) var isWhole = false
  private var incoming: [OccupantRow] = []
  /// The occupants of a large room that a search has found.
  package private(set) var found: (query: String, rows: [OccupantRow], isWhole: Bool)?
  /// Speakers of a large room that were asked about.
  private var sought: Set<String> = []
  /// Occupants whose messages are hidden.
  private var ignored: [IgnoredRow] = []
  private var incomingIgnored: [IgnoredRow] = []

  package init() {}

  package subscript(nick: String) -> OccupantRow? { byNick[nick] }

  package var nicks: Dictionary<String, OccupantRow>.Keys { byNick.keys }

  // MARK: The answer of the daemon

  /// Forgets what has come of an answer that was cut off.
  mutating func begin() { incoming = [] }

  mutating func receive(_ row: OccupantRow) { incoming.append(row) }

  /// True if the answer that has come is not all that is held of a room of so many.
  func lacks(of count: Int) -> Bool {
    guard incoming.count < min(count, Self.limit) else { return false }
    return count <= Self.limit || incoming.last?.role == .moderator
  }

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

  mutating func receive(_ row: OccupantRow, for query: String) {
    if found?.query == query { found?.rows.append(row) }
    if byNick[row.nick] == nil { put(row) }
  }

  // MARK: Who is ignored

  mutating func beginIgnored() { incomingIgnored = [] }

  mutating func receive(_ row: IgnoredRow) { incomingIgnored.append(row) }

  mutating func finishIgnored() { (ignored, incomingIgnored) = (incomingIgnored, []) }

  package func isIgnored(_ row: OccupantRow) -> Bool { ignored.contains { $0.isAbout(row) } }

  // MARK: Events

  mutating func join(_ row: OccupantRow) {
    if byNick[row.nick] == nil { count += 1 }
    isWhole = isWhole && count <= Self.limit
    if isWhole || byNick[row.nick] != nil || row.role == .moderator { put(row) }
  }

  mutating func leave(_ nick: String) {
    take(nick)
    count = max(rows.count, count - 1)
    ignored.removeAll { $0.isByNick && $0.nick == nick }
  }

  mutating func change(_ row: OccupantRow) {
    if byNick[row.nick] != nil || row.role == .moderator { put(row) }
  }

  mutating func rename(_ nick: String, _ row: OccupantRow) {
    for index in ignored.indices where ignored[index].isByNick && ignored[index].nick == nick {
      ignored[index].nick = row.nick
    }
    if take(nick) || isWhole { put(row) }
  }

  // MARK: In their order

  private mutating func put(_ row: OccupantRow) {
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
  private func place(of row: OccupantRow) -> Int {
    var range = 0..<rows.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = rows[middle] < row ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
