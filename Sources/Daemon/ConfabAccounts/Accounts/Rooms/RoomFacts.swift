import Records

/// The facts of a room that each of its messages asks for. A reference, because all of them do.
final class RoomFacts {
  /// The room drops forged occupant ids (XEP-0421).
  let vouchesForIDs: Bool
  /// The room shows the addresses of its occupants.
  let showsAddresses: Bool
  /// My id in it.
  let ownID: String?
  /// The nicks by which others may name me: the present one, and the one that is wanted.
  let nicks: [String]
  /// The nicks that are mine, or were.
  let usedNicks: [String]
  let noise: RoomNoise?

  fileprivate init(_ room: Room) {
    let record = room.record
    (vouchesForIDs, showsAddresses) = (record.info?.has(.occupantIDs) == true, record.info?.has(.nonAnonymous) == true)
    (ownID, noise) = (record.occupantID, record.noise)
    usedNicks = record.usedNicks
    nicks = room.nick == room.wantedNick ? [room.nick] : [room.nick, room.wantedNick]
  }
}

extension Room {
  /// Read once, until the record may be another one.
  var facts: RoomFacts {
    if let keptFacts { return keptFacts }
    let facts = RoomFacts(self)
    keptFacts = facts
    return facts
  }
}
