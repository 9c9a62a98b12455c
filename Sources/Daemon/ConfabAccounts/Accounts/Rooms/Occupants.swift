import Records
import XMPPCore
import XMPPExtensions

/// The occupants of one room. Not durable: a join brings them anew.
package struct Occupants {
  /// Occupants that are kept; more are counted.
  static let most = 100_000

  /// One of them. A reference: the table stays small as it grows, and a look at one copies nothing.
  package final class Entry {
    package let member: RoomOccupant

    fileprivate init(_ member: RoomOccupant) { self.member = member }
  }

  package private(set) var byNick: [String: Entry] = [:]
  /// How many more the room named in the last join.
  private(set) var unkept = 0
  /// Occupants that the room has not named since a join began.
  private var unnamed: Set<String> = []
  private var isListing = false

  package var count: Int { byNick.count + unkept }

  package subscript(nick: String) -> RoomOccupant? { byNick[nick]?.member }

  /// In no order.
  package var all: some Sequence<RoomOccupant> { byNick.values.lazy.map(\.member) }

  /// People in one of the room's lists, those that are there as occupants.
  package func joined(with listed: [RoomOccupant]) -> [RoomOccupant] {
    let byJID = Dictionary(all.compactMap { member in member.jid.map { ($0, member) } }) {
      $0.nick < $1.nick ? $0 : $1
    }
    return listed.map { entry in entry.jid.flatMap { byJID[$0] } ?? entry }
  }

  /// A change that a presence brought.
  enum Change: Equatable {
    case joined(RoomOccupant)
    case left(RoomOccupant)
    case changed(RoomOccupant, was: RoomOccupant)
  }

  /// A join begins: the room names all that are there.
  mutating func joinBegins() {
    (unnamed, unkept, isListing) = (Set(byNick.keys), 0, true)
  }

  /// All were named; returns those that were not, who are gone.
  mutating func allNamed() -> [RoomOccupant] {
    defer { (unnamed, isListing) = ([], false) }
    return unnamed.sorted().compactMap { byNick.removeValue(forKey: $0)?.member }
  }

  /// The account is not in the room any more.
  mutating func clear() { self = Occupants() }

  /// Takes somebody's presence.
  ///
  /// - Parameters:
  ///   - areVouchedFor: true: the room drops forged ids; nil: it has not told.
  ///   - number: of a presence that begins now.
  mutating func take(_ presence: RoomPresence, areVouchedFor: Bool?, number: () -> UInt64) -> Change? {
    guard let nick = presence.nick else { return nil }
    guard presence.isAvailable else { return leave(nick) }
    // The occupant who had a nick before a join of mine may have given it up while I was away.
    let isNamedAgain = unnamed.remove(nick) == nil
    let known = self[nick]
    guard known != nil || byNick.count < Self.most else {
      if isListing { unkept += 1 }
      return nil
    }
    var member = RoomOccupant(nick: nick, presence: (isNamedAgain ? known?.presence : nil) ?? number())
    let item = presence.items.first
    member.jid = item?.jid?.bare.description
    (member.affiliation, member.role) = (item?.affiliation, item?.role)
    (member.show, member.status) = (presence.show, presence.status)
    member.claimedID = areVouchedFor == false ? nil : presence.occupantID
    member.isVouchedFor = areVouchedFor == true
    member.hats = presence.hats.map(\.title)
    byNick[nick] = Entry(member)
    guard let known else { return .joined(member) }
    return known == member ? nil : .changed(member, was: known)
  }

  /// The room tells whether it drops forged ids.
  mutating func learn(areVouchedFor: Bool) {
    byNick = byNick.mapValues { entry in
      var member = entry.member
      member.isVouchedFor = areVouchedFor
      if !areVouchedFor { member.claimedID = nil }
      return Entry(member)
    }
  }

  private mutating func leave(_ nick: String) -> Change? {
    unnamed.remove(nick)
    if let entry = byNick.removeValue(forKey: nick) { return .left(entry.member) }
    if unkept > 0 { unkept -= 1 }
    return nil
  }

  /// The presence under one nick goes on under another.
  mutating func rename(_ nick: String, to new: String) -> RoomOccupant? {
    guard var member = byNick.removeValue(forKey: nick)?.member else { return nil }
    member.nick = new
    byNick[new] = Entry(member)
    return member
  }
}

extension RoomOccupant {
  /// Somebody in one of a room's lists, who may not be there.
  init(listed item: RoomItem) {
    self.init(nick: item.nick ?? "", presence: 0)
    (jid, affiliation, role) = (item.jid?.description, item.affiliation, item.role)
  }
}
