import XML
import XMPPCore

// The answers of a room to questions of the user's client.
extension SimulatedRoom {
  enum Answer {
    case result(String)
    case error(String)
  }

  /// True if a message can be found in its archive.
  func hasArchived(_ id: String) -> Bool { archive != nil && lines.contains { $0.stanzaID == id } }

  private static let emptyPage =
    "<fin xmlns='urn:xmpp:mam:2' complete='true'><set xmlns='http://jabber.org/protocol/rsm'/></fin>"

  /// The answer to a question; nil: it is none that the room knows.
  func answer(_ iq: Element, to address: String, _ session: ServerSession) -> Answer? {
    if iq.child("ping", "urn:xmpp:ping") != nil { return pong(RoomService.nick(address), session) }
    guard isThere else { return .error("item-not-found") }
    if iq.child("query", Namespace.discoInfo) != nil { return .result(info) }
    if iq.child("query", "http://jabber.org/protocol/muc#owner") != nil { return .result("") }
    guard let query = iq.child("query", Namespace.archive) else { return nil }
    guard let archive else { return world.bug == .believedAbsence ? .result(Self.emptyPage) : nil }
    guard let page = archive.answer(query, from: jid, pageSize: habits.pageSize) else {
      return .error("item-not-found")
    }
    let results = world.bug == .lostRoomOrder ? page.results.reversed() : page.results
    for (index, result) in results.enumerated() where world.bug != .lostRoomResult || index % 5 != 4 {
      session.send(result)
    }
    return .result(page.end)
  }

  private func pong(_ nick: String?, _ session: ServerSession) -> Answer {
    if world.bug == .believedPing { return .result("") }
    guard isThere else { return .error("item-not-found") }
    guard let client, client.session === session else { return .error("not-acceptable") }
    return client.nick == nick ? .result("") : .error("item-not-found")
  }

  private var info: String {
    let claims = world.bug == .believedRoomIDs || world.bug == .believedAbsence
    let features = [
      (true, "http://jabber.org/protocol/muc"), (habits.isPersistent, "muc_persistent"),
      (!habits.isPersistent, "muc_temporary"), (habits.hasArchive || claims, "urn:xmpp:mam:2"),
      (habits.hasArchive || claims, "urn:xmpp:sid:0"), (habits.moderation == .zero, "urn:xmpp:message-moderate:0"),
      (habits.moderation == .one, "urn:xmpp:message-moderate:1"), (habits.password != nil, "muc_passwordprotected"),
      (habits.hasOccupantIDs || world.bug == .believedOccupantIDs, "urn:xmpp:occupant-id:0"),
    ]
    return "<query xmlns='\(Namespace.discoInfo)'><identity category='conference' type='text'/>"
      + features.filter(\.0).map { "<feature var='\($0.1)'/>" }.joined() + "</query>"
  }
}
