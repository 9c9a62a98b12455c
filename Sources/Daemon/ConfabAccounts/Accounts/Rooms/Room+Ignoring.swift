package import Records
import State

// Occupants whose messages are no news (docs/PROTOCOL.md, `ignore`).
extension Room {
  private var ignored: [IgnoreRecord] { surroundings.state.ignored[address] }

  /// True if the sender of a message was ignored. Nobody knows who had a nick in the past.
  func isIgnored(_ occupant: Occupant, isPast: Bool) -> Bool {
    guard !ignored.isEmpty else { return false }
    let jid = isPast ? nil : occupants[occupant.nick]?.jid
    return ignored.contains {
      let isByNick = $0.occupantID == nil && $0.jid == nil
      return !(isByNick && isPast) && $0.isAbout(nick: occupant.nick, jid: jid, occupantID: occupant.id)
    }
  }

  /// True if who has a nick now was ignored.
  func isIgnored(_ nick: String) -> Bool {
    guard !ignored.isEmpty else { return false }
    let member = occupants[nick]
    return isIgnored(
      Occupant(nick: nick, id: member?.occupantID, presence: member?.presence ?? 0), isPast: false)
  }

  /// The record by which an occupant who is there is ignored: by what the room vouches for.
  package func ignoring(_ member: RoomOccupant) -> IgnoreRecord {
    var record = IgnoreRecord(account: surroundings.state.number, room: address, nick: member.nick)
    record.occupantID = member.occupantID
    if member.occupantID == nil { record.jid = member.jid }
    return record
  }

  /// The records that ignore the person with a nick.
  package func ignored(as nick: String) -> [IgnoreRecord] {
    let member = occupants[nick]
    return ignored.filter {
      $0.nick == nick || $0.isAbout(nick: nick, jid: member?.jid, occupantID: member?.occupantID)
    }
  }

  /// Somebody has left, or has another nick: what is known by the nick alone ends, or goes on under the other.
  func nickIsFree(_ nick: String, nowOf new: String? = nil) {
    for record in ignored where record.occupantID == nil && record.jid == nil && record.nick == nick {
      end(record)
      guard let new else { continue }
      surroundings.storage.append(.ignore(IgnoreRecord(account: record.account, room: record.room, nick: new)))
    }
  }

  /// The room has named all who are there.
  func endIgnoringThoseGone() {
    for record in ignored where record.occupantID == nil && record.jid == nil && occupants[record.nick] == nil {
      end(record)
    }
  }

  private func end(_ record: IgnoreRecord) {
    var ended = record
    ended.isIgnored = false
    surroundings.storage.append(.ignore(ended))
  }
}
