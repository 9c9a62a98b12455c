package import Records

/// How far people have displayed what was said in small rooms.
package struct RoomReaders {
  /// People of one room that are kept: those whose marker came last, and I.
  static let mostOfRoom = 50

  package private(set) var byRoom: [String: [RoomReaderRecord]] = [:]

  package subscript(room: String) -> [RoomReaderRecord] { byRoom.isEmpty ? [] : byRoom[room] ?? [] }

  /// The last marker of the person of another one.
  package func last(like record: RoomReaderRecord) -> RoomReaderRecord? {
    self[record.room].first { $0.isOfSame(as: record) }
  }

  mutating func apply(_ record: RoomReaderRecord) {
    let list = self[record.room].filter { !$0.isOfSame(as: record) }
    let others =
      list.count < Self.mostOfRoom ? list[...] : list.filter(\.isMine) + list.filter { !$0.isMine }.dropFirst()
    byRoom[record.room] = others + [record]
  }

  /// A room's history is hidden.
  mutating func forget(_ room: String) { if !byRoom.isEmpty { byRoom[room] = nil } }
}
