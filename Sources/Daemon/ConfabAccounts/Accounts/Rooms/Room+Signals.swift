import Records
import State
import XMPPCore
import XMPPExtensions

// Chat states of occupants and mine (XEP-0085, section 5.5), in small rooms.
extension Room {
  /// In rooms of more occupants states would be noise for all.
  private static let mostSharing = 20

  /// True if the room is so small that its occupants tell who is typing and who has read.
  var isSmall: Bool { machine.isJoined && occupants.count <= Self.mostSharing }

  /// True if I tell so, too: I may speak there.
  package var sharesSignals: Bool { isSmall && !(record.role == "visitor" && record.info?.has(.moderated) != false) }

  /// Takes the chat state of an occupant.
  func take(_ state: ChatState, from jid: JID) {
    guard isSmall, machine.state == .joined, let nick = jid.resource, occupants[nick] != nil, !isMine(nick),
      !isIgnored(nick)
    else { return }
    surroundings.chatStates.receive(state, from: jid, as: Typist(address, nick: nick))
  }

  /// True if I am the one who has a nick, on this device or another.
  func isMine(_ nick: String) -> Bool {
    guard nick != self.nick, let member = occupants[nick] else { return nick == self.nick }
    if let own = facts.ownID, member.occupantID == own { return true }
    return member.jid == surroundings.state.record.jid
  }
}
