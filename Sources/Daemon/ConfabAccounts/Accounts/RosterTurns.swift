/// Lets the roster sets of clients go out one at a time for each contact. A set carries the name and all groups of its
/// contact (RFC 6121, section 2.4), so it is made when the one before it has been answered.
struct RosterTurns {
  /// A change that waits for its turn: `begin` sends it, `fail` answers that it is not sent.
  struct Turn {
    let begin: () -> Void
    let fail: (IQAnswer) -> Void
  }

  private struct Present {
    /// The server pushed the contact since the set was made: what it says then is newer than the set.
    var isPushed = false
    var waiting: [Turn] = []
  }

  private var byJID: [String: Present] = [:]

  /// Takes a change of a contact; returns it if it is its turn.
  mutating func take(_ turn: Turn, of jid: String) -> Turn? {
    guard byJID[jid] == nil else {
      byJID[jid]?.waiting.append(turn)
      return nil
    }
    byJID[jid] = Present()
    return turn
  }

  /// The server pushed a contact.
  mutating func notePush(of jid: String) { byJID[jid]?.isPushed = true }

  func isPushed(_ jid: String) -> Bool { byJID[jid]?.isPushed == true }

  /// The present change of a contact is over; returns the next one.
  mutating func next(of jid: String) -> Turn? {
    guard let present = byJID[jid], !present.waiting.isEmpty else {
      byJID[jid] = nil
      return nil
    }
    byJID[jid] = Present(waiting: Array(present.waiting.dropFirst()))
    return present.waiting.first
  }

  /// Removes all changes of a contact that wait.
  mutating func takeAll(of jid: String) -> [Turn] { byJID.removeValue(forKey: jid)?.waiting ?? [] }
}
