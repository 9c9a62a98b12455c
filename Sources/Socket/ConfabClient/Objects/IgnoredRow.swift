package import JSON

/// Somebody in a room whose messages are hidden, as an `ignored` object of the daemon describes it.
package struct IgnoredRow: Equatable, Sendable {
  package var nick: String
  /// Bare; nil if the person is not known by it.
  package let jid: String?
  /// Its id (XEP-0421); nil if the person is not known by it.
  package let occupant: String?

  package init?(_ object: JSONValue) {
    guard let nick = object["nick"]?.string else { return nil }
    self.nick = nick
    jid = object["jid"]?.string
    occupant = object["occupant"]?.string
  }

  /// True if nothing else is known: it is about whoever has the nick, until that one leaves.
  package var isByNick: Bool { occupant == nil && jid == nil }

  package func isAbout(_ other: OccupantRow) -> Bool {
    if let occupant { return occupant == other.occupant }
    if let jid { return jid == other.jid }
    return nick == other.nick
  }
}
