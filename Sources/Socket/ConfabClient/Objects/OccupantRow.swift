package import JSON

/// Somebody in a room, as a `member` object of the daemon describes it.
package struct OccupantRow: Equatable, Sendable {
  /// The rights of an occupant as long as it is there (XEP-0045 §5.1), the most powerful first.
  package enum Role: String, Sendable, CaseIterable { case moderator, participant, visitor, none }
  /// The standing of a person with the room for good (XEP-0045 §5.2), the most powerful first.
  package enum Affiliation: String, Sendable, CaseIterable { case owner, admin, member, none, outcast }

  package let nick: String
  /// Bare; nil if the room does not show it.
  package let jid: String?
  /// Its id (XEP-0421); nil if the room does not announce ids.
  package let occupant: String?
  package var role: Role
  package var affiliation: Affiliation
  /// `away`, `xa`, `dnd` or `chat`; empty: simply available.
  package var show: String
  package var status: String

  /// Nil for somebody who is in a list of the room and not there.
  package init?(_ object: JSONValue) {
    guard let nick = object["nick"]?.string else { return nil }
    self.nick = nick
    jid = object["jid"]?.string.map { String($0.prefix { $0 != "/" }) }
    occupant = object["occupant"]?.string
    role = object["role"]?.string.flatMap(Role.init(rawValue:)) ?? .none
    affiliation = object["affiliation"]?.string.flatMap(Affiliation.init(rawValue:)) ?? .none
    show = object["show"]?.string ?? ""
    status = object["status"]?.string ?? ""
  }

  /// Tells one person from another who has the same nick later; nil where the room shows nothing of them.
  package var identity: String? { occupant ?? jid }

  package var isAway: Bool { ["away", "xa", "dnd"].contains(show) }
}

extension OccupantRow: Comparable {
  /// By role, then by nick, as the daemon sorts them.
  package static func < (one: OccupantRow, other: OccupantRow) -> Bool {
    one.role == other.role
      ? (one.nick.lowercased(), one.nick) < (other.nick.lowercased(), other.nick) : one.role < other.role
  }
}

extension OccupantRow.Role: Comparable {
  /// The more powerful role comes first.
  package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension OccupantRow.Affiliation: Comparable {
  /// The more powerful affiliation comes first.
  package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
