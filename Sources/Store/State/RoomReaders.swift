package import Records

/// How far the occupants of small rooms have displayed what was said there.
package struct RoomReaders {
  /// Occupants of one room that are kept: those whose marker came last.
  static let mostOfRoom = 50

  package private(set) var byRoom: [String: [RoomReaderRecord]] = [:]

  package subscript(room: String) -> [RoomReaderRecord] { byRoom.isEmpty ? [] : byRoom[room] ?? [] }

  mutating func apply(_ record: RoomReaderRecord) {
    let list = self[record.room].filter { !$0.isOf(record) } + [record]
    byRoom[record.room] = list.suffix(Self.mostOfRoom)
  }

  /// A room's history is hidden.
  mutating func forget(_ room: String) { byRoom[room] = nil }
}
