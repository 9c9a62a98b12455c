import Clocks
import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// The owners, admins and members of a room, whether they are in it or not (XEP-0045, section 9): messages are encrypted
/// for all of them. The room is asked for its lists, and tells of changes; another time after a while, since not every
/// room tells.
final class RoomAffiliates {
  private static let asked: [Affiliation] = [.owner, .admin, .member]
  private static let freshness = Interval.minutes(5)

  private let room: JID
  private let requests: Requests
  private let effects: Effects
  /// Bare JIDs.
  private var listed: [Affiliation: Set<String>] = [:]
  private var answeredAt: Instant?
  /// Answers that are awaited, and whether one of this round did not come.
  private var left = 0
  private var isMissing = false
  /// Called when the lists are here.
  var known: () -> Void = {}

  init(_ room: JID, _ requests: Requests, _ effects: Effects) {
    (self.room, self.requests, self.effects) = (room, requests, effects)
  }

  /// The room may have other ones by now.
  func doubt() { answeredAt = nil }

  /// I am not in the room any more.
  func forget() { (listed, answeredAt) = ([:], nil) }

  /// All of them; nil: they are not known, and asked for.
  func all() -> Set<String>? {
    guard let answeredAt, effects.now.instant - answeredAt <= Self.freshness else {
      ask()
      return nil
    }
    return Set(listed.values.joined())
  }

  private func ask() {
    guard left == 0 else { return }
    (left, isMissing) = (Self.asked.count, false)
    for affiliation in Self.asked {
      requests.askUntilAnswered(room) { [room] in
        RoomAdministration.list(affiliation, in: room, id: $0)
      } then: { [weak self] in
        self?.answered($0, affiliation)
      }
    }
  }

  /// A list that the room refuses to show stays as far as its changes have told of it.
  private func answered(_ answer: IQAnswer, _ affiliation: Affiliation) {
    switch answer {
    case .result(let iq):
      listed[affiliation] = Set((RoomAdministration.items(in: iq) ?? []).compactMap { $0.jid?.bare.description })
    case .error: break
    case .missing: isMissing = true
    }
    left -= 1
    guard left == 0, !isMissing else { return }
    answeredAt = effects.now.instant
    known()
  }

  /// The room tells the affiliation of somebody, who is in a list if those are known.
  func note(_ item: RoomItem) {
    guard answeredAt != nil || left > 0, let jid = item.jid?.bare.description, let affiliation = item.affiliation else {
      return
    }
    for other in Self.asked where other != affiliation { listed[other]?.remove(jid) }
    if Self.asked.contains(affiliation) { listed[affiliation, default: []].insert(jid) }
  }
}

/// The people for whom messages to a room are encrypted.
struct RoomAudience {
  /// False: nobody knows whose devices a message is for.
  let showsAddresses: Bool
  /// Bare JIDs of all but me; nil: they are not known yet, and asked for.
  let people: [String]?
}

extension Room {
  /// True if it is for members only, as far as is known now.
  var isForMembers: Bool {
    guard let info = record.info, isInfoFresh || !info.has(.nonAnonymous) else { return false }
    return info.has(.membersOnly)
  }

  /// The people for whom messages are encrypted; nil: the room has not told yet whether it shows them.
  var audience: RoomAudience? {
    guard let info = record.info, isInfoFresh || !info.has(.nonAnonymous) else { return nil }
    guard info.has(.nonAnonymous) else { return RoomAudience(showsAddresses: false, people: nil) }
    let people = affiliates.all().map { affiliates in
      affiliates.union(occupants.all.compactMap(\.jid)).subtracting([state.record.jid]).sorted()
    }
    return RoomAudience(showsAddresses: true, people: people)
  }

  /// The bare JID of who sent a message: who has the nick, or had it by the room's word beside the message; nil: unknown.
  func jid(behind nick: String, in message: Element, isPast: Bool) -> String? {
    isPast ? MultiUserChat.author(beside: message)?.description : occupants[nick]?.jid
  }
}
