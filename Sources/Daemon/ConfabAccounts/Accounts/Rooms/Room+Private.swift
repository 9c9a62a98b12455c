package import Records

/// The presence in a room of the person whom a private message is for.
package enum PeerPresence {
  case there
  /// The nick is free, or somebody else's.
  case gone
  /// I am not in the room, or do not know yet whether its ids of occupants can be trusted.
  case unknown
}

// Private messages to occupants (XEP-0045, section 7.5).
extension Room {
  /// True if its occupants are known as they are now.
  package var isThere: Bool { machine.isJoined && machine.hasStream && machine.knowsOccupants }

  /// Tells whether a person is in the room, under the nick that he had. One of whom nothing but the nick is known is
  /// whoever has it.
  package func presence(of person: Occupant) -> PeerPresence {
    guard isThere else { return .unknown }
    guard let member = occupants[person.nick] else { return .gone }
    guard person.id != nil || person.presence != 0 else { return .there }
    if person.id != nil, record.info == nil { return .unknown }
    return person.isSame(as: Occupant(nick: member.nick, id: member.occupantID, presence: member.presence))
      ? .there : .gone
  }
}
