package import Clocks
import Records
package import XMPPCore
import XMPPExtensions

// Wishes of the user about a room.
extension Room {
  /// The user wants to be in it: the number of the record that says so.
  ///
  /// - Parameters:
  ///   - mayBeMade: a room that is not there is made.
  ///   - isAnnounced: another device wants it, and may still be making it.
  package func want(nick: String?, password: String?, mayBeMade: Bool, isAnnounced: Bool = false) -> UInt64 {
    // A room that was left is made anew only if somebody asks for that.
    if !record.isWanted { isAskedAnew = true }
    let sequence = change {
      // Anybody can invite, with any password: it does not replace one that is known.
      $0.password = password ?? $0.password ?? $0.invitation?.password
      $0.want(true, at: time.milliseconds)
      $0.mayBeMade = mayBeMade
      if let nick {
        $0.nick = nick
        $0.use(nil)
      }
    }
    follow(sequence) { room in
      (room.machine.mayBeMade, room.machine.isAnnounced) = (mayBeMade, isAnnounced)
      room.handle(.wanted)
      room.wishChanged()
    }
    return sequence
  }

  /// The user wants to be in it no more: the number of the record that says so.
  package func leaveForGood() -> UInt64 {
    let declined = isWanted ? nil : record.invitation
    let sequence = change {
      $0.want(false, at: time.milliseconds)
      ($0.mayBeMade, $0.state) = (false, "left")
    }
    follow(sequence) { room in
      if let declined { room.decline(declined) }
      room.handle(.unwanted)
      room.wishChanged()
    }
    return sequence
  }

  /// Acts on a request of the user once its record is durable: a crash before that leaves no trace of it.
  private func follow(_ sequence: UInt64, _ act: @escaping (Room) -> Void) {
    wishes.append((sequence, act))
    if !followWishes() { wishWaits() }
  }

  /// Acts on the requests whose records are durable; false: other requests wait.
  func followWishes() -> Bool {
    while let (sequence, act) = wishes.first, sequence <= storage.queue.durable {
      wishes.removeFirst()
      act(self)
    }
    return wishes.isEmpty
  }

  /// Tells the inviter, if the invitation came through the room.
  private func decline(_ invitation: RoomRecord.Invitation) {
    guard machine.hasStream, !invitation.isDirect, let inviter = invitation.from.flatMap({ try? JID($0) }) else {
      return
    }
    RoomInvitation(to: jid, by: inviter).decline(id: effects.token(bytes: 12)).map { surroundings.stream.send($0) }
  }

  /// Records were given up, perhaps with a wish, and the stream ends.
  func forgetUnstored() {
    (machine, wishes, isAskedAnew, lastMarker, keptFacts) = (RoomMachine(record), [], false, nil, nil)
    changed()
  }

  /// The nick that I have is the one that I want from now on, on all devices.
  func keepNick() {
    change { ($0.nick, $0.isBookmarkLost) = (nick, $0.autojoinElsewhere != nil) }
    wishChanged()
  }

  /// Answers once it is joined, or refused, or the time is over.
  package func answer(_ ticket: Ticket, whenSettledBefore deadline: Instant) {
    requests.whenJoinEnds(before: deadline) { [effects] in effects.answer(ticket, $0) }
    changed()
    // After the request to join, which changes no state if I am in the room already, so that nothing else answers.
    follow(0) { $0.settleIfEnded() }
  }

  private func settleIfEnded() {
    switch machine.state {
    case _ where !machine.hasStream: requests.linkLost()
    case .joined: settle(nil)
    case .refused(let refusal): settle(refusal)
    default: break
    }
  }

  /// The join has ended: refused, or in the room.
  func settle(_ refusal: RoomRecord.Refusal?) {
    requests.joinEnded(
      refusal.map { .refused($0.text ?? $0.condition) } ?? .joined(record, after: storage.queue.last))
  }

  /// Invites somebody to it.
  ///
  /// - Parameter isDirect: not through the room (XEP-0249).
  package func invite(_ person: JID, reason: String?, isDirect: Bool, for ticket: Ticket) {
    let invitation = RoomInvitation(to: jid, password: record.password, reason: reason)
    requests.send(invitation, to: person, isDirect: isDirect, for: ticket)
  }
}
