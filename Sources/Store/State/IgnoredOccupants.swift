package import Records

/// The occupants of an account's rooms whose messages are no news, by room.
package struct IgnoredOccupants {
  package private(set) var byRoom: [String: [IgnoreRecord]] = [:]

  /// Occupants of one room that may be ignored.
  package static let mostOfRoom = 1_000

  package var isEmpty: Bool { byRoom.isEmpty }

  package subscript(room: String) -> [IgnoreRecord] { byRoom.isEmpty ? [] : byRoom[room] ?? [] }

  mutating func apply(_ record: IgnoreRecord) {
    var list = self[record.room].filter { !$0.isAboutSame(as: record) }
    if record.isIgnored { list.append(record) }
    byRoom[record.room] = list.isEmpty ? nil : list
  }
}
